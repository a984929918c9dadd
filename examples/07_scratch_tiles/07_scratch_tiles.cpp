// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide: `cuda.shared.array` of constant shape and type, and `syncthreads` (row 9). Notebook:
// `swap_with_shared`, 4 elements through shared memory, reversed (row 15).
//
// Look at the barrier: without it a thread could read what another has not written yet.
// Differs from Numba: the policy is told the bytes of a team's scratch. Teams may have fewer threads than elements. For
// any length there are team::reverse inside a kernel and pantile::reverse instead of one.

#include <pantile/reverse.hpp>
#include <pantile/team/reverse.hpp>
#include <pantile/team/scratch_tile.hpp>

#include <common/example.hpp>

#include <cstdint>

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using Vector = Kokkos::View<std::int32_t*>;

constexpr int block = 4;
using Temp = Kokkos::View<std::int32_t[block], Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// One team for every four elements: they go through scratch, reversed, to the other end of the vector.
static void swap_with_shared(Vector const& vector, Vector const& swapped) {
  int const n = vector.extent_int(0), blocks = (n + block - 1) / block;
  auto const policy = Policy(blocks, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Temp::shmem_size()));
  Kokkos::parallel_for(
      "example: swap_with_shared", policy, KOKKOS_LAMBDA(Member const& member) {
        Temp const temp(member.team_scratch(0));
        int const first = member.league_rank() * block, last = (n - first < block ? n - first : block) - 1;
        auto const threads = Kokkos::TeamThreadRange(member, last + 1);
        // MENDED: `temp[idx] = vector[idx]` with idx = cuda.grid(1) is right for the first block only: the others
        // would write beyond their 4 elements. In scratch the place is the thread's own, in the vector idx.
        Kokkos::parallel_for(threads, [&](int thread) { temp(thread) = vector(first + thread); });
        member.team_barrier();
        Kokkos::parallel_for(threads,
                             [&](int thread) { swapped(n - 1 - first - last + thread) = temp(last - thread); });
      });
}

// Any length with the same 64 elements of scratch, by one team.
static void reverse_by_a_team(Vector const& vector, Vector const& swapped) {
  using Tile = pantile::team::ScratchTile<std::int32_t>;
  auto const policy = Policy(1, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Tile::bytes(1, 64)));
  Kokkos::parallel_for(
      "example: reverse", policy, KOKKOS_LAMBDA(Member const& member) {
        Tile const buffer(member, 1, 64);
        pantile::team::reverse(member, vector, swapped, buffer);
      });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  Vector const vector("vector", 4), swapped("swapped", 4);
  example::set_arange(vector);
  swap_with_shared(vector, swapped);
  example::print(vector, true);
  example::print(swapped, true);
  check(example::all_equal(swapped, [](int p) { return 3 - p; }), "swap_with_shared");

  for (int const n : {4, 1001, 1'000'000}) {
    Vector const many("many", n), reversed("reversed", n);
    example::set_arange(many);
    auto const kernel = [&] { swap_with_shared(many, reversed); };
    auto const size = std::to_string(n);
    example::compare(check, (size + ", pantile::reverse").c_str(), reversed, 0, kernel,
                     [&] { pantile::reverse(many, reversed); });
    example::compare(check, (size + ", team::reverse by one team").c_str(), reversed, 0, kernel,
                     [&] { reverse_by_a_team(many, reversed); });
    pantile::reverse(many);  // in place
    check(example::all_close(many, example::on_host(reversed), 0), "in place");
  }
  return check.status();
}
