// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide: `cuda.shared.array` of constant shape and type, and `syncthreads` (row 9). Notebook:
// `swap_with_shared`, 4 elements through shared memory, reversed (row 15).
//
// Look at the barrier: without it a thread could read what another has not written yet.
// Differs from Numba: the shape of a tile is an argument, and the policy is told its bytes. Teams may have fewer
// threads than elements. For any length there are team::reverse inside a kernel and pantile::reverse instead of one.

#include <pantile/reverse.hpp>
#include <pantile/team/loops.hpp>
#include <pantile/team/reverse.hpp>
#include <pantile/team/scratch_tile.hpp>

#include <common/example.hpp>

#include <cstdint>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Vector = Kokkos::View<std::int32_t*>;
using Tile = pantile::team::ScratchTile<std::int32_t>;
namespace team = pantile::team;

static void swap_with_shared(Vector const& vector, Vector const& swapped) {
  auto const policy = Policy(1, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Tile::bytes(1, 4)));
  Kokkos::parallel_for(
      "example: swap_with_shared", policy, KOKKOS_LAMBDA(Member const& member) {
        Tile const temp(member, 1, 4);
        team::team_for(member, 4, [&](int p) { temp(0, p) = vector(p); });
        member.team_barrier();
        team::team_for(member, 4, [&](int p) { swapped(p) = temp(0, 3 - p); });
      });
}

// Any length with the same 64 elements of scratch.
static void reverse_by_a_team(Vector const& vector, Vector const& swapped) {
  auto const policy = Policy(1, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Tile::bytes(1, 64)));
  Kokkos::parallel_for(
      "example: reverse", policy, KOKKOS_LAMBDA(Member const& member) {
        Tile const buffer(member, 1, 64);
        team::reverse(member, vector, swapped, buffer);
      });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;

  Vector const vector("vector", 4), swapped("swapped", 4);
  example::set_arange(vector);
  swap_with_shared(vector, swapped);
  Kokkos::fence();
  example::print(vector, true);
  example::print(swapped, true);
  check(example::all_equal(swapped, [](int p) { return 3 - p; }), "swap_with_shared");

  int const n = 1001;
  Vector const many("many", n), reversed("reversed", n);
  example::set_arange(many);
  reverse_by_a_team(many, reversed);
  Kokkos::fence();
  example::print(reversed, true);
  check(example::all_equal(reversed, [](int p) { return n - 1 - p; }), "team::reverse, 1001 elements");

  Kokkos::deep_copy(reversed, -1);
  pantile::reverse(many, reversed);  // the whole machine
  pantile::reverse(many);            // in place
  Kokkos::fence();
  check(example::all_equal(reversed, [](int p) { return n - 1 - p; }), "pantile::reverse");
  check(example::all_equal(many, [](int p) { return n - 1 - p; }), "pantile::reverse in place");
  return check.status();
}
