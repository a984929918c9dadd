// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/matmul.hpp>

#include <cstdlib>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  using Exec = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<double**, Exec> const a("a", 31, 29), b("b", 29, 37), c("c", 31, 37);
  Kokkos::deep_copy(a, 2.0);
  Kokkos::deep_copy(b, 3.0);
  pantile::MatmulOptions const tiled{.algorithm = pantile::MatmulAlgorithm::tiled};  // the machine's tile edges
  pantile::matmul(Exec{}, 1.0, a, b, 0.0, c, tiled);
  Kokkos::fence();
  bool right = true;
  for (int i = 0; i < 31; ++i) {
    for (int j = 0; j < 37; ++j) right = right && c(i, j) == 6.0 * 29;
  }
  bool const taken = pantile::explain::matmul(Exec{}, 1.0, a, b, 0.0, c, tiled).tile == "15x15x7 by 3x5 registers";
  return right && taken ? EXIT_SUCCESS : EXIT_FAILURE;
}
