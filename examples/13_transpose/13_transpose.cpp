// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebook: transpose of int32, 16384x16384: naive 26.9 ms, through a shared tile of 32x32 15.9 ms on its GPU (row 16);
// appendix: TILE_DIM 32, BLOCK_ROWS 8, rows of the tile padded to 33 against bank conflicts, 8192x8192 (row 17).
//
// Look at the rates: every element is read once and written once, so that the bound is the memory's bandwidth, which
// the copy in the last line shows. ../pictures/bank_conflicts.svg shows what the padding does.
// Differs from Numba: n need not be a multiple of the tile, and no kernel is compiled at the first call.
//
// usage: 13_transpose [rows [columns]], by default 16384, halved until the matrices fit into the memory that is free

#include <pantile/transpose.hpp>

#include <common/example.hpp>

#include <cstdint>
#include <fstream>

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using Matrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight>;
using Algorithm = pantile::TransposeAlgorithm;

static void naive(Matrix const& a, Matrix const& transposed) {
  using Rank = Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  Kokkos::parallel_for(
      "example: transpose", Kokkos::MDRangePolicy<Rank>({0, 0}, {a.extent_int(0), a.extent_int(1)}),
      KOKKOS_LAMBDA(int y, int x) { transposed(x, y) = a(y, x); });  // reads along rows, writes down a column
}

constexpr int TILE_DIM = 32, BLOCK_ROWS = 8;

// A block of 32x8 threads transposes a tile of 32x32 in scratch, so that rows are read and rows are written.
template <int Padding>
struct TileTranspose {
  using Tile = Kokkos::View<std::int32_t[TILE_DIM][TILE_DIM + Padding], Kokkos::LayoutRight, Exec::scratch_memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Matrix a, transposed;
  int rows = a.extent_int(0), columns = a.extent_int(1), across = (columns + TILE_DIM - 1) / TILE_DIM;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Tile const tile(member.team_scratch(0));
    int const y = member.league_rank() / across * TILE_DIM, x = member.league_rank() % across * TILE_DIM;
    auto const threads = Kokkos::TeamThreadRange(member, TILE_DIM * BLOCK_ROWS);
    Kokkos::parallel_for(threads, [&](int thread) {
      int const tx = thread % TILE_DIM;
      // MENDED: the notebook's kernels do not ask where the matrix ends, and are right for multiples of 32 alone.
      for (int ty = thread / TILE_DIM; ty < TILE_DIM && y + ty < rows; ty += BLOCK_ROWS) {
        if (x + tx < columns) tile(ty, tx) = a(y + ty, x + tx);
      }
    });
    member.team_barrier();
    Kokkos::parallel_for(threads, [&](int thread) {
      int const tx = thread % TILE_DIM;
      for (int ty = thread / TILE_DIM; ty < TILE_DIM && x + ty < columns; ty += BLOCK_ROWS) {
        // Down a column of the tile: with rows of 32 words all 32 threads ask the same bank, with 33 each its own.
        if (y + tx < rows) transposed(x + ty, y + tx) = tile(tx, ty);
      }
    });
  }

  void launch() const {
    Policy policy((rows + TILE_DIM - 1) / TILE_DIM * across, Kokkos::AUTO);
    policy.set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
    Kokkos::parallel_for("example: tile_transpose", policy, *this);
  }
};

static double number_in(char const* path, double otherwise) {
  double value = 0;
  return std::ifstream(path) >> value ? value : otherwise;
}

// Three matrices, and those that the host keeps to look at.
static int edge_that_fits() {
  double free_kilobytes = 1e12;  // where no such file is, the allocations themselves decide
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    if (word == "MemAvailable:") file >> free_kilobytes;
  }
  // A container may have less than the machine: memory.max is a number then, and else the word max.
  double const limit = number_in("/sys/fs/cgroup/memory.max", 1e15);
  double const free_bytes = std::min(1024 * free_kilobytes, limit - number_in("/sys/fs/cgroup/memory.current", 0));
  int n = 16384;
  while (n > 32 && 6.0 * n * n * sizeof(std::int32_t) > free_bytes) n /= 2;
  return n;
}

static int run(int rows, int columns) {
  Matrix const a("a", rows, columns), transposed("transposed", columns, rows);
  example::set_arange(a);
  example::Checks check;
  naive(a, transposed);
  example::print(a, true);
  example::print(transposed, true);
  check(example::all_equal(transposed, [columns](int i, int j) { return j * columns + i; }), "a.T");

  auto const one = [&](char const* what, auto const& kernel, pantile::TransposeOptions const& options) {
    example::compare(check, what, transposed, 0, kernel, [&] { pantile::transpose(a, transposed, options); });
  };
  auto const padded = [&] { TileTranspose<1>{a, transposed}.launch(); };
  one("naive", [&] { naive(a, transposed); }, {.algorithm = Algorithm::naive});
  one("tile 32x32", [&] { TileTranspose<0>{a, transposed}.launch(); }, {.algorithm = Algorithm::tiled, .tile = 32});
  // On hosts a thread moves whole tiles.
  bool const on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible;
  int const rows_of_a_thread = on_host ? 0 : TILE_DIM / BLOCK_ROWS;
  one("tile 32x33, 4 rows per thread", padded,
      {.algorithm = Algorithm::padded, .tile = TILE_DIM, .rows_per_thread = rows_of_a_thread});
  one("as Pantile chooses, beside the padded tile", padded, {});

  Matrix const copy("copy", rows, columns);
  double const time = example::median_seconds([&] { Kokkos::deep_copy(Exec(), copy, a); });
  double const gigabytes = 2e-9 * static_cast<double>(a.size()) * sizeof(std::int32_t);
  std::printf("%.3f GB are moved by each; a copy moves them at %.1f GB/s, in %.6f s\n", gigabytes, gigabytes / time,
              time);
  return check.status();
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const rows = argc > 1 ? std::atoi(argv[1]) : edge_that_fits();
  return run(rows, argc > 2 ? std::atoi(argv[2]) : rows);
}
