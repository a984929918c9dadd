// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba, CUDA examples, `fast_matmul`: tiles of A and B in shared memory, TPB = 16, float32 (row 2); the ROC examples
// show the same for AMD (row 3): here it is the same program, built for Kokkos' HIP backend.
//
// Look at the second product, (5x23).(23x7): no edge is a multiple of 16, and the documents' older kernel reads out of
// bounds there. What was wrong is marked MENDED. ../pictures/tile_walk.svg shows the walk of the tiles.
// Differs from Numba: a team may have fewer threads than a tile has elements, on a host often one. So the sums lie in
// scratch, one for each of the 256 "threads" p that are dealt to the team.

#include <pantile/matmul.hpp>

#include <common/example.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;

constexpr int TPB = 16;
using Tile = Kokkos::View<float[TPB][TPB], Kokkos::LayoutRight, Exec::scratch_memory_space,
                          Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

KOKKOS_INLINE_FUNCTION int tiles(int extent) { return (extent + TPB - 1) / TPB; }

struct FastMatmul {
  Matrix A, B, C;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Tile const sA(member.team_scratch(0)), sB(member.team_scratch(0)), sum(member.team_scratch(0));
    int const m = C.extent_int(0), n = C.extent_int(1), depth = A.extent_int(1);
    // MENDED: `x, y = cuda.grid(2)` and C[x, y] put neighbouring threads into rows, a row of memory apart. Here x is
    // the column.
    int const first_y = member.league_rank() / tiles(n) * TPB, first_x = member.league_rank() % tiles(n) * TPB;
    auto const threads = Kokkos::TeamThreadRange(member, TPB * TPB);

    // MENDED: `if x >= C.shape[0] and y >= C.shape[1]: return` stood here. `and` keeps threads that are outside in one
    // direction, which then read and write out of bounds; with `or` some would leave and miss the barriers below.
    // All stay: outside there are zeros to load, and nothing to store.
    Kokkos::parallel_for(threads, [&](int p) { sum(p / TPB, p % TPB) = 0; });
    // MENDED: `for i in range(bpg)` counts the blocks of the grid; the tiles to walk are those of A's width.
    for (int i = 0; i < tiles(depth); ++i) {
      Kokkos::parallel_for(threads, [&](int p) {
        int const ty = p / TPB, tx = p % TPB, y = first_y + ty, x = first_x + tx;
        int const column = i * TPB + tx, row = i * TPB + ty;
        sA(ty, tx) = y < m && column < depth ? A(y, column) : 0;
        sB(ty, tx) = row < depth && x < n ? B(row, x) : 0;
      });
      member.team_barrier();  // until all threads finish preloading
      Kokkos::parallel_for(threads, [&](int p) {
        int const ty = p / TPB, tx = p % TPB;
        float tmp = sum(ty, tx);  // MENDED: `tmp = 0.` is a float64, and every product then one of doubles
        for (int j = 0; j < TPB; ++j) tmp += sA(ty, j) * sB(j, tx);
        sum(ty, tx) = tmp;
      });
      member.team_barrier();  // until all threads finish computing
    }
    Kokkos::parallel_for(threads, [&](int p) {
      int const ty = p / TPB, tx = p % TPB, y = first_y + ty, x = first_x + tx;
      if (y < m && x < n) C(y, x) = sum(ty, tx);
    });
  }

  void launch() const {
    Policy policy(tiles(C.extent_int(0)) * tiles(C.extent_int(1)), Kokkos::AUTO);
    policy.set_scratch_size(0, Kokkos::PerTeam(3 * Tile::shmem_size()));
    Kokkos::parallel_for("example: fast_matmul", policy, *this);
  }
};

static void multiply(example::Checks& check, char const* what, int m, int k, int n, bool print = false) {
  Matrix const x("x", m, k), y("y", k, n), z("z", m, n);
  example::set_arange(x);
  Kokkos::deep_copy(y, 1.0f);
  auto const expected = example::dot(x, y);
  double const rtol = example::rtol_of_sums<float>(k);

  FastMatmul{x, y, z}.launch();
  Kokkos::fence();
  if (print) {
    example::print(z);
    example::print(expected);
  }
  check(example::all_close(z, expected, rtol), what);

  pantile::MatmulOptions const tiled{.algorithm = pantile::MatmulAlgorithm::tiled, .tile = {TPB, TPB, TPB}};
  example::compare(
      check, what, z, rtol,
      [&] {
        FastMatmul{x, y, z}.launch();
      },
      [&] { pantile::matmul(1.0f, x, y, 0.0f, z, tiled); });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  multiply(check, "4x4 times 4x4, less than a tile", 4, 4, 4, true);
  multiply(check, "5x23 times 23x7, no multiple of a tile", 5, 23, 7, true);
  multiply(check, "48x64 times 64x32, whole tiles", 48, 64, 32);
  multiply(check, "200x300 times 300x170", 200, 300, 170);
  return check.status();
}
