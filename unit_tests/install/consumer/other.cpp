// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/matmul.hpp>

#include <Kokkos_Core.hpp>

// The same kernels in a second file: everything in the headers must be inline.
double product_elsewhere() {
  Kokkos::View<double**, Kokkos::LayoutRight> const a("a", 3, 4);
  Kokkos::View<double**, Kokkos::LayoutLeft> const b("b", 4, 5);
  Kokkos::View<double**> const c("c", 3, 5);
  Kokkos::deep_copy(a, 2.0);
  Kokkos::deep_copy(b, 3.0);
  pantile::matmul(1.0, a, b, 0.0, c, {.algorithm = pantile::MatmulAlgorithm::tiled});
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c)(2, 4);
}
