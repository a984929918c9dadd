// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebook, 2D addition: 36x36 int32 by a grid of 6x6 blocks of 6x6 threads, which is just enough; then 64x64 by the
// same grid, every thread strides over its share (row 13).
//
// Look at the last part: operands of different layouts, a part of a larger matrix, factors, and the result in place.
// Differs from Numba: a grid that is too small leaves nothing out, because only `grid_stride` has one to choose, and it
// strides.

#include <pantile/add.hpp>

#include <common/example.hpp>

#include <cstdint>

using Matrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight>;
using Algorithm = pantile::AddAlgorithm;

static bool add_arrays(int n, pantile::AddOptions const& options) {
  Matrix const A("A", n, n), B("B", n, n), C("C", n, n);
  example::set_arange(A);
  example::set_arange(B);
  pantile::add(1, A, 1, B, C, options);
  Kokkos::fence();
  example::print(C, true);
  return example::all_equal(C, [n](int i, int j) { return 2 * (i * n + j); });
}

static bool add_in_place() {
  Kokkos::View<double**, Kokkos::LayoutLeft> const A("A", 5, 3);
  Kokkos::View<double**, Kokkos::LayoutRight> const large("large", 10, 10);
  example::set(A, [](int i, int j) { return 10 * i + j; });
  example::set(large, [](int i, int j) { return i + j; });
  auto const part = Kokkos::subview(large, Kokkos::make_pair(2, 7), Kokkos::make_pair(4, 7));
  pantile::add(-1.0, A, 0.5, part, A);  // A = -A + part / 2
  Kokkos::fence();
  example::print(A);
  return example::all_equal(A, [](int i, int j) { return -(10 * i + j) + 0.5 * (i + 2 + j + 4); });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  pantile::LaunchShape const six_by_six{.grid = {6, 6}, .block = {6, 6}};
  example::Checks check;
  check(add_arrays(36, {.algorithm = Algorithm::grid_stride, .launch = six_by_six}), "36x36: one element per thread");
  check(add_arrays(64, {.algorithm = Algorithm::grid_stride, .launch = six_by_six}), "64x64: the same grid, strided");
  check(add_arrays(64, {}), "64x64: as Pantile chooses");
  check(add_in_place(), "A = -A + B/2, A in LayoutLeft, B a part of a LayoutRight matrix");
  return check.status();
}
