// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/negate.hpp>

#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  using Exec = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<float**, Kokkos::LayoutRight, Exec> const a("a", 3, 5);
  Kokkos::View<float**, Kokkos::LayoutLeft, Exec> const b("b", 3, 5);
  Kokkos::deep_copy(a, 2.5f);
  pantile::negate(Exec{}, a, b);
  Kokkos::fence();
  bool const right = b(2, 4) == -2.5f;
  bool const named = pantile::explain::negate(Exec{}, a, b).path.find("pantile::negate[naive,") == 0;
  bool refused = false;
  try {
    pantile::negate(Exec{}, a, Kokkos::subview(b, std::pair(0, 2), Kokkos::ALL));
  } catch (pantile::Error const& error) {
    refused = error.rule() == "A and B must have the same extents";
  }
  return right && named && refused ? EXIT_SUCCESS : EXIT_FAILURE;
}
