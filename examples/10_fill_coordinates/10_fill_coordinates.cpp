// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebook: `add_2D_coordinates` writes x + y of every thread on a 4x4 array, and with stride on an 11x5 array, which
// is larger than the grid of 3x2 blocks of 3x2 threads (row 12).
//
// Look at the second array. x and y are the coordinates of the thread and not of the element, so that values repeat
// with the grid: 9 threads across are enough for 5 columns, 4 threads down are not for 11 rows. The third array is what
// one would rather have.
// Differs from Numba: the function is an argument; x always runs along columns and y along rows, whatever the layout.

#include <pantile/fill.hpp>

#include <common/example.hpp>

using Matrix = Kokkos::View<double**, Kokkos::LayoutRight>;

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  auto const sum = KOKKOS_LAMBDA(int y, int x) { return x + y; };
  example::Checks check;

  Matrix const A("A", 4, 4);
  pantile::fill(A, sum);
  Kokkos::fence();
  example::print(A, true);
  check(example::all_equal(A, [](int i, int j) { return i + j; }), "4x4");

  Matrix const B("B", 11, 5);
  pantile::LaunchShape const shape{.grid = {3, 2}, .block = {3, 2}};
  pantile::fill(B, sum, {.launch = shape, .coordinates = pantile::Coordinates::thread});
  Kokkos::fence();
  example::print(B, true);
  check(example::all_equal(B, [](int i, int j) { return i % 4 + j % 9; }), "11x5, coordinates of the thread");

  pantile::fill(B, sum, {.launch = shape});
  Kokkos::fence();
  example::print(B, true);
  check(example::all_equal(B, [](int i, int j) { return i + j; }), "11x5, coordinates of the element");
  return check.status();
}
