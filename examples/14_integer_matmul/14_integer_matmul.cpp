// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebook, assessment: `mm_shared`, (M x N).(N x M) in int32 with shared tiles, M = 128 and N = 32, then N = 8 and any
// input size, equal to NumPy in every element (row 18).
//
// Look at the last product: sums that leave the range of 32 bits wrap around modulo 2^32, as in NumPy. In plain C++
// that is undefined for signed integers; the kernel's sums are unsigned, and so are the library's.
// Differs from Numba: the tile's edge is known at run time only. It does not have to divide M and N.

#include <pantile/matmul.hpp>

#include <common/example.hpp>

#include <cstdint>

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using Matrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight>;
using Cache = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Exec::scratch_memory_space,
                           Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

struct MmShared {
  Matrix a, b, c;
  int edge;  // block_size = (N, N) of the notebook
  int rows = c.extent_int(0), columns = c.extent_int(1), depth = a.extent_int(1);
  int across = (columns + edge - 1) / edge;

  // The places of the cache that lie inside of the matrix.
  template <class F>
  KOKKOS_FUNCTION static void each_thread(Member const& member, int height, int width, F const& f) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, height * width), [&](int p) { f(p / width, p % width); });
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Cache const a_cache(member.team_scratch(0), edge, edge), b_cache(member.team_scratch(0), edge, edge);
    Cache const sum(member.team_scratch(0), edge, edge);
    int const row = member.league_rank() / across * edge, column = member.league_rank() % across * edge;
    int const height = Kokkos::min(edge, rows - row), width = Kokkos::min(edge, columns - column);
    each_thread(member, height, width, [&](int ty, int tx) { sum(ty, tx) = 0; });
    // MENDED: the notebook's frame reads its caches once; that is the whole sum only where N is the depth.
    for (int first = 0; first < depth; first += edge) {
      int const now = Kokkos::min(edge, depth - first);
      each_thread(member, height, now, [&](int ty, int k) { a_cache(ty, k) = a(row + ty, first + k); });
      each_thread(member, now, width, [&](int k, int tx) { b_cache(k, tx) = b(first + k, column + tx); });
      member.team_barrier();  // MENDED: it has no syncthreads, and reads what other threads may not have written yet
      each_thread(member, height, width, [&](int ty, int tx) {
        for (int k = 0; k < now; ++k) sum(ty, tx) += a_cache(ty, k) * b_cache(k, tx);
      });
      member.team_barrier();
    }
    each_thread(member, height, width,
                [&](int ty, int tx) { c(row + ty, column + tx) = static_cast<std::int32_t>(sum(ty, tx)); });
  }

  void launch() const {
    Policy policy((rows + edge - 1) / edge * across, Kokkos::AUTO);
    policy.set_scratch_size(0, Kokkos::PerTeam(3 * Cache::shmem_size(edge, edge)));
    Kokkos::parallel_for("example: mm_shared", policy, *this);
  }
};

static void multiply(example::Checks& check, char const* what, int M, int N, bool print) {
  Matrix const a("a", M, N), b("b", N, M), c("c", M, M);
  example::set_arange(a);
  example::set_arange(b);
  MmShared const kernel{a, b, c, std::min(N, 32)};
  kernel.launch();
  Kokkos::fence();
  if (print) example::print(c, true);
  check(example::all_equal(c, example::dot(a, b)), what);  // the exact sum of 64 bits, reduced to 32

  example::compare(
      check, what, c, 0, [&] { kernel.launch(); },
      [&] {
        pantile::matmul(1, a, b, 0, c, {.algorithm = pantile::MatmulAlgorithm::tiled, .tile = {32, 32, 32}});
      });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  multiply(check, "128x32 times 32x128", 128, 32, true);
  multiply(check, "128x8 times 8x128", 128, 8, true);
  multiply(check, "101x37 times 37x101", 101, 37, false);
  multiply(check, "1x5 times 5x1", 1, 5, false);
  multiply(check, "5x1 times 1x5", 5, 1, false);
  multiply(check, "300x200 times 200x300: sums wrap modulo 2^32", 300, 200, true);
  return check.status();
}
