// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebook: transpose of int32, 16384x16384: naive 26.9 ms, through a shared tile of 32x32 15.9 ms on its GPU (row 16);
// appendix: TILE_DIM 32, BLOCK_ROWS 8, rows of the tile padded to 33 against bank conflicts, 8192x8192 (row 17).
//
// Look at the rates: every element is read once and written once, so that the bound is the memory's bandwidth, which
// the copy in the last line shows.
// Differs from Numba: n need not be a multiple of the tile, and no kernel is compiled at the first call.
//
// usage: 13_transpose [rows [columns]]

#include <pantile/transpose.hpp>

#include <common/example.hpp>

#include <algorithm>
#include <cstdint>

using Matrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight>;
using Algorithm = pantile::TransposeAlgorithm;

template <class F>
static void report(char const* what, Matrix const& A, F const& f) {
  double const first = example::seconds(f);
  double const again = std::min({example::seconds(f), example::seconds(f), example::seconds(f)});
  std::printf("%-28s 1st run %9.3f ms, then %9.3f ms, %7.1f GB/s\n", what, first * 1e3, again * 1e3,
              2e-9 * static_cast<double>(A.size()) * sizeof(std::int32_t) / again);
}

static int run(int rows, int cols) {
  Matrix const a("a", rows, cols), transposed("transposed", cols, rows), copy("copy", rows, cols);
  example::set_arange(a);
  auto const host = example::on_host(a);
  example::Checks check;

  std::printf("%d x %d int32\n", rows, cols);
  auto const one = [&](char const* what, pantile::TransposeOptions const& options) {
    Kokkos::deep_copy(transposed, -1);
    report(what, a, [&] { pantile::transpose(a, transposed, options); });
    check(example::all_equal(transposed, [&](int i, int j) { return host(j, i); }), what);
  };
  one("naive", {.algorithm = Algorithm::naive});
  one("tiled 32x32", {.algorithm = Algorithm::tiled, .tile = 32});
  one("padded 32x33, 4 rows/thread", {.algorithm = Algorithm::padded, .tile = 32, .rows_per_thread = 4});
  one("as Pantile chooses", {});
  report("copy, for comparison", a, [&] { Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), copy, a); });
  return check.status();
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const rows = argc > 1 ? std::atoi(argv[1]) : 1000;
  return run(rows, argc > 2 ? std::atoi(argv[2]) : rows);
}
