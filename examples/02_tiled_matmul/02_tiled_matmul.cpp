// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba, CUDA examples, `fast_matmul`: tiles of A and B in shared memory, TPB = 16, float32 (row 2); the ROC examples
// show the same for AMD (row 3): here it is the same program, built for Kokkos' HIP backend.
//
// Look at the second product, (5x23).(23x7): no edge is a multiple of 16. Numba's kernel as printed reads out of bounds
// or leaves elements out there, because it guards the loads with `and` where `or` is meant.
// Differs from Numba: the tile is an argument and not a constant of the kernel, and its edges need not be equal.

#include <pantile/matmul.hpp>

#include <common/example.hpp>

using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;

static bool multiply(int m, int k, int n, pantile::MatmulTile tile) {
  Matrix const x("x", m, k), y("y", k, n), z("z", m, n);
  example::set_arange(x);
  Kokkos::deep_copy(y, 1.0f);

  pantile::matmul(1.0f, x, y, 0.0f, z, {.algorithm = pantile::MatmulAlgorithm::tiled, .tile = tile});
  Kokkos::fence();

  example::print(z);
  return example::all_close(z, example::dot(x, y), 1e-6);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  constexpr int TPB = 16;
  example::Checks check;
  check(multiply(4, 4, 4, {TPB, TPB, TPB}), "4x4 times 4x4, less than a tile");
  check(multiply(5, 23, 7, {TPB, TPB, TPB}), "5x23 times 23x7, no multiple of a tile");
  check(multiply(48, 64, 32, {TPB, TPB, TPB}), "48x64 times 64x32, whole tiles");
  check(multiply(33, 50, 41, {8, 32, 5}), "tile edges that differ: 8 x 32, 5 deep");
  return check.status();
}
