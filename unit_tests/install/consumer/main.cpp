// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/matmul.hpp>
#include <pantile/version.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

// Names of ours without their folder must not reach a user's files.
#if __has_include(<matmul.hpp>) || __has_include(<impl/matmul/call.hpp>) || __has_include(<config.hpp>)
#error "include/pantile itself is on the include path"
#endif

double product_elsewhere();

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<double**, Kokkos::LayoutRight> const a("a", 3, 4);
  Kokkos::View<double**, Kokkos::LayoutLeft> const b("b", 4, 5);
  Kokkos::View<double**> const c("c", 3, 5);
  Kokkos::deep_copy(a, 2.0);
  Kokkos::deep_copy(b, 3.0);
  pantile::matmul(1.0, a, b, 0.0, c);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
  bool right = host(2, 4) == 24.0 && product_elsewhere() == 24.0;
#if defined(PANTILE_USE_LIBRARY)
  right = right && pantile::library_version() == pantile::header_version;
#endif
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
