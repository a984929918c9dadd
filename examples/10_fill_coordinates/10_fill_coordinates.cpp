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
#include <common/launch.hpp>

#include <cstdint>

using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight>;
using example::Thread;

static void add_2d_coordinates(Exec const& exec, pantile::LaunchShape const& shape, Matrix const& A) {
  example::launch(
      "example: add_2D_coordinates", exec, shape, KOKKOS_LAMBDA(Thread t) {
        // MENDED: nothing asks whether the thread has an element: a grid that is larger writes beyond the array.
        if (t.y < A.extent_int(0) && t.x < A.extent_int(1)) A(t.y, t.x) = t.x + t.y;
      });
}

static void add_2d_coordinates_stride(Exec const& exec, pantile::LaunchShape const& shape, Matrix const& A) {
  example::launch(
      "example: add_2D_coordinates_stride", exec, shape, KOKKOS_LAMBDA(Thread t) {
        for (int row = t.y; row < A.extent_int(0); row += t.stride_y) {
          for (int column = t.x; column < A.extent_int(1); column += t.stride_x) A(row, column) = t.x + t.y;
        }
      });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const exec;
  auto const sum = KOKKOS_LAMBDA(int y, int x) { return x + y; };
  example::Checks check;

  Matrix const A("A", 4, 4), B("B", 11, 5), large("large", 3000, 2000);
  add_2d_coordinates(exec, {.grid = {2, 2}, .block = {2, 2}}, A);
  example::print(A, true);
  check(example::all_equal(A, [](int i, int j) { return i + j; }), "4x4");
  example::compare(
      check, "4x4", A, 0,
      [&] {
        add_2d_coordinates(exec, {.grid = {2, 2}, .block = {2, 2}}, A);
      },
      [&] { pantile::fill(exec, A, sum); });

  pantile::LaunchShape const shape{.grid = {3, 2}, .block = {3, 2}};
  pantile::FillOptions const as_thread{.launch = shape, .coordinates = pantile::Coordinates::thread};
  add_2d_coordinates_stride(exec, shape, B);
  example::print(B, true);
  check(example::all_equal(B, [](int i, int j) { return i % 4 + j % 9; }), "11x5, coordinates of the thread");
  for (Matrix const& C : {B, large}) {
    example::compare(
        check, C.label().c_str(), C, 0, [&] { add_2d_coordinates_stride(exec, shape, C); },
        [&] { pantile::fill(exec, C, sum, as_thread); });
  }
  pantile::fill(exec, B, sum, {.launch = shape});
  example::print(B, true);
  check(example::all_equal(B, [](int i, int j) { return i + j; }), "11x5, coordinates of the element");
  return check.status();
}
