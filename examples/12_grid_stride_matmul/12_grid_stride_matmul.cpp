// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebook: `mm` on 4x4 int32, then `mm_stride`, (3x4).(4x6) with a grid of (3,7) blocks of (4,3) threads: a launch
// shape that has nothing to do with the data, every thread strides over the outputs (row 14).
//
// Look at the loops of mm_stride: one block of one thread gives the same numbers, only later.
// ../pictures/grid_stride.svg shows them.
// Differs from Numba: the shape is optional. On host backends a "thread" of the launch is a piece of work: 12 times 21
// of them are dealt to as many threads as there are.

#include <pantile/matmul.hpp>

#include <common/example.hpp>
#include <common/launch.hpp>

#include <cstdint>

using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight>;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::LaunchShape;

// Sums of int32 wrap as NumPy's do; in C++ only those of unsigned numbers may.
KOKKOS_INLINE_FUNCTION std::int32_t element(Matrix const& a, Matrix const& b, int row, int column) {
  std::uint32_t sum = 0;
  // MENDED: mm has `for i in range(a.shape[0])`, the rows of a, which is right for squares alone.
  for (int i = 0; i < a.extent_int(1); ++i) {
    sum += static_cast<std::uint32_t>(a(row, i)) * static_cast<std::uint32_t>(b(i, column));
  }
  return static_cast<std::int32_t>(sum);
}

static void mm(LaunchShape const& shape, Matrix const& a, Matrix const& b, Matrix const& c) {
  example::launch(
      "example: mm", Exec(), shape, KOKKOS_LAMBDA(example::Thread t) {
        // MENDED: without the question threads outside of c write there.
        if (t.y < c.extent_int(0) && t.x < c.extent_int(1)) c(t.y, t.x) = element(a, b, t.y, t.x);
      });
}

static void mm_stride(LaunchShape const& shape, Matrix const& a, Matrix const& b, Matrix const& c) {
  example::launch(
      "example: mm_stride", Exec(), shape, KOKKOS_LAMBDA(example::Thread t) {
        for (int row = t.y; row < c.extent_int(0); row += t.stride_y) {
          for (int column = t.x; column < c.extent_int(1); column += t.stride_x) {
            c(row, column) = element(a, b, row, column);
          }
        }
      });
}

using Kernel = void (*)(LaunchShape const&, Matrix const&, Matrix const&, Matrix const&);

static void multiply(example::Checks& check, char const* what, int m, int k, int n, Kernel kernel,
                     LaunchShape const& shape, pantile::MatmulOptions const& options) {
  Matrix const a("a", m, k), b("b", k, n), c("c", m, n);
  example::set_arange(a);
  example::set_arange(b);
  kernel(shape, a, b, c);
  Kokkos::fence();
  if (m < 10) example::print(c, true);
  check(example::all_equal(c, example::dot(a, b)), what);  // the exact sum of 64 bits, reduced to 32
  example::compare(
      check, what, c, 0, [&] { kernel(shape, a, b, c); }, [&] { pantile::matmul(1, a, b, 0, c, options); });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  multiply(check, "mm: 4x4 times 4x4", 4, 4, 4, mm, {{2, 2}, {2, 2}}, {.algorithm = Algorithm::naive});

  LaunchShape const shape{.grid = {3, 7}, .block = {4, 3}}, one{.grid = {1, 1}, .block = {1, 1}};
  auto const strided = [](LaunchShape const& launch) {
    return pantile::MatmulOptions{.algorithm = Algorithm::grid_stride, .launch = launch};
  };
  multiply(check, "mm_stride: grid (3,7) of (4,3)", 3, 4, 6, mm_stride, shape, strided(shape));
  multiply(check, "mm_stride: one thread", 3, 4, 6, mm_stride, one, strided(one));
  multiply(check, "mm_stride: 150x200 times 200x170", 150, 200, 170, mm_stride, shape, strided(shape));
  multiply(check, "150x200 times 200x170, as Pantile chooses", 150, 200, 170, mm_stride, shape, {});
  return check.status();
}
