// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide: `cu_square_matrix_mul`, 50x50 blocks of 32x32 threads, n = 1600, float32, beside its CUDA C twin
// (row 10). The raw CUDA C kernel is a baseline of perf_tests.
//
// Look at the time per element of work: both runs use the kernel of the document's shape, 32x32 tiles; the last one
// what Pantile chooses by itself.
// Differs from Numba: nothing is compiled at the first call; what a first call still pays for is memory that nobody has
// touched yet. n need not be bpg * tpb.
//
// usage: 08_square_matmul [n]

#include <pantile/matmul.hpp>

#include <common/example.hpp>

using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;

// Some rows of C against sums in double precision: the whole product would take the host longer than all else here.
static bool rows_are_right(Matrix const& A, Matrix const& B, Matrix const& C) {
  auto const some = [n = A.extent_int(0)](int i) { return Kokkos::pair<int, int>(i, i < n ? i + 1 : i); };
  bool right = true;
  for (int i : {0, 31, 32, A.extent_int(0) - 1}) {
    auto const row = some(i);
    right = right && example::all_close(Kokkos::subview(C, row, Kokkos::ALL),
                                        example::dot(Kokkos::subview(A, row, Kokkos::ALL), B), 1e-5);
  }
  return right;
}

static int run(int n) {
  Matrix const A("A", n, n), B("B", n, n), C("C", n, n);
  example::set_random(A, 1);
  example::set_random(B, 2);
  example::Checks check;
  std::printf("N = %d x %d\n", n, n);

  auto const timed = [&](char const* what, pantile::MatmulOptions const& options) {
    double const time = example::seconds([&] { pantile::matmul(1.0f, A, B, 0.0f, C, options); });
    std::printf("%-28s %.6f s, %.1f GFLOP/s\n", what, time, 2e-9 * n * n * n / time);
  };
  constexpr int tpb = 32;
  pantile::MatmulOptions const as_documented{.algorithm = pantile::MatmulAlgorithm::tiled, .tile = {tpb, tpb, tpb}};
  timed("1st run, tile 32x32x32:", as_documented);
  timed("2nd run, tile 32x32x32:", as_documented);
  check(rows_are_right(A, B, C), "tile 32x32x32 against double precision, rtol 1e-5");
  Kokkos::deep_copy(C, 0.0f);
  timed("as Pantile chooses:", {});
  check(rows_are_right(A, B, C), "as Pantile chooses");
  return check.status();
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return run(argc > 1 ? std::atoi(argv[1]) : 1600);
}
