// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebook: `mm` on 4x4 int32, then `mm_stride`, (3x4).(4x6) with a grid of (3,7) blocks of (4,3) threads: a launch
// shape that has nothing to do with the data, every thread strides over the outputs (row 14).
//
// Look at the last call: one block of one thread gives the same numbers, only later.
// Differs from Numba: the shape is optional. On host backends a "thread" of the launch is a piece of work: 12 times 21
// of them are dealt to as many threads as there are.

#include <pantile/matmul.hpp>

#include <common/example.hpp>

using Matrix = Kokkos::View<int**, Kokkos::LayoutRight>;
using Algorithm = pantile::MatmulAlgorithm;

static bool multiply(Matrix const& A, Matrix const& B, pantile::MatmulOptions const& options) {
  Matrix const C("C", A.extent(0), B.extent(1));
  pantile::matmul(1, A, B, 0, C, options);
  Kokkos::fence();
  example::print(C, true);
  return example::all_equal(C, example::dot(A, B));
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;

  Matrix const a("a", 4, 4), b("b", 4, 4);
  example::set_arange(a);
  example::set_arange(b);
  check(multiply(a, b, {.algorithm = Algorithm::naive}), "mm: 4x4 times 4x4");

  Matrix const c("c", 3, 4), d("d", 4, 6);
  example::set_arange(c);
  example::set_arange(d);
  pantile::LaunchShape const shape{.grid = {3, 7}, .block = {4, 3}};
  check(multiply(c, d, {.algorithm = Algorithm::grid_stride, .launch = shape}), "mm_stride: grid (3,7) of (4,3)");
  pantile::LaunchShape const one{.grid = {1, 1}, .block = {1, 1}};
  check(multiply(c, d, {.algorithm = Algorithm::grid_stride, .launch = one}), "mm_stride: one thread");
  return check.status();
}
