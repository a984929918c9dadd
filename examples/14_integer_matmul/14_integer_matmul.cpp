// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebook, assessment: `mm_shared`, (M x N).(N x M) in int32 with shared tiles, M = 128 and N = 32, then N = 8 and any
// input size, equal to NumPy in every element (row 18).
//
// Look at the last product: sums that leave the range of 32 bits wrap around modulo 2^32, as in NumPy. In plain C++
// that would be undefined behaviour; Pantile computes signed integers unsigned.
// Differs from Numba: the tile's edges do not have to divide M and N, and N may be smaller than a tile.

#include <pantile/matmul.hpp>

#include <common/example.hpp>

#include <cstdint>

using Matrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight>;

static bool multiply(int M, int N, bool print) {
  Matrix const a("a", M, N), b("b", N, M), c("c", M, M);
  example::set_arange(a);
  example::set_arange(b);

  pantile::matmul(1, a, b, 0, c, {.algorithm = pantile::MatmulAlgorithm::tiled, .tile = {32, 32, 32}});
  Kokkos::fence();

  if (print) example::print(c, true);
  return example::all_equal(c, example::dot(a, b));  // the exact sum of 64 bits, reduced to 32
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  check(multiply(128, 32, true), "128x32 times 32x128");
  check(multiply(128, 8, true), "128x8 times 8x128, tile deeper than the matrix");
  check(multiply(101, 37, false), "101x37 times 37x101");
  check(multiply(1, 5, false) && multiply(5, 1, false), "1x5 times 5x1, and the other way round");
  check(multiply(700, 300, true), "700x300 times 300x700: sums wrap modulo 2^32");
  return check.status();
}
