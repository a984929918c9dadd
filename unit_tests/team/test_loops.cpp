// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/arrays.hpp>

#include <team/launch.hpp>

#include <pantile/team/identity.hpp>
#include <pantile/team/loops.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace {

using namespace pantile::testing;
namespace team = pantile::team;
using Numbers = PlacedArray<int, TeamExec, 1>;
using Grid = PlacedArray<int, TeamExec, 2>;

/// Every thread writes its flat identity to that place, and the size beside it.
struct WriteIdentity {
  Grid::View out;
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    out(team::grid_rank(member), 0) = member.league_rank() * 1000 + member.team_rank();
    out(team::grid_rank(member), 1) = static_cast<int>(team::grid_size(member));
  }
};

TEST(TeamIdentity, IsUniqueAndFollowsTeams) {
  for (int const size : team_sizes()) {
    auto const threads = static_cast<std::size_t>(5 * size);
    Grid const out("out", {threads, 2}, Placement::right);
    run_teams(5, size, 0, WriteIdentity{out.view()});
    auto const values = out.values();
    for (std::size_t t = 0; t < threads; ++t) {
      EXPECT_EQ(values[2 * t], static_cast<int>(t) / size * 1000 + static_cast<int>(t) % size);
      EXPECT_EQ(values[2 * t + 1], 5 * size);
    }
    EXPECT_TRUE(out.surroundings_intact());
  }
}

TEST(TeamIdentity, InTwoDimensionsIsThatOfNumba) {
  pantile::LaunchShape const launch{.grid = {3, 2}, .block = {4, 5}};
  EXPECT_EQ(team::grid_extent(launch), (team::Place{10, 12}));
  std::vector<int> seen(120, 0);
  for (int block = 0; block < 6; ++block) {
    for (int thread = 0; thread < 20; ++thread) {
      auto const place = team::place_in_grid(block, thread, launch);
      // x = threadIdx.x + blockIdx.x * blockDim.x, y likewise.
      EXPECT_EQ(place.col, thread % 4 + block % 3 * 4);
      EXPECT_EQ(place.row, thread / 4 + block / 3 * 5);
      ++seen[static_cast<std::size_t>(place.row * 12 + place.col)];
    }
  }
  EXPECT_EQ(seen, std::vector<int>(120, 1));
}

/// The places that single threads have, for blocks as large as the team.
struct WritePlaces {
  Grid::View out;
  pantile::LaunchShape launch;
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    auto const inner = team::block_place(member, launch.block);
    auto const place = team::grid_place(member, launch);
    Kokkos::atomic_add(&out(place.row, place.col), static_cast<int>(100 + 10 * inner.row + inner.col));
  }
};

TEST(TeamIdentity, OfThreadsCoversTheLaunch) {
  for (int const size : team_sizes()) {
    pantile::LaunchShape const launch{.grid = {2, 3}, .block = {size, 1}};
    auto const across = static_cast<std::size_t>(2 * size);
    Grid const out("out", {3, across}, std::vector<int>(3 * across, 0), Placement::right);
    run_teams(6, size, 0, WritePlaces{out.view(), launch});
    auto const values = out.values();
    for (std::size_t p = 0; p < values.size(); ++p) EXPECT_EQ(values[p], 100 + static_cast<int>(p) % size);
  }
}

/// Count the visits of each loop: 1D of a team, 2D of a team, block places, 1D and 2D of the league.
struct CountVisits {
  Numbers::View team_1d;
  Grid::View team_2d, block, grid, elements, few;  // few: less than the launch has threads, both ways
  Numbers::View league_1d;
  pantile::LaunchShape launch;

  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    team::team_for(member, static_cast<std::int64_t>(team_1d.extent(0)),
                   [&](std::int64_t p) { Kokkos::atomic_inc(&team_1d(p)); });
    team::team_for_2d(member, static_cast<int>(team_2d.extent(0)), static_cast<int>(team_2d.extent(1)),
                      [&](int i, int j) { Kokkos::atomic_inc(&team_2d(i, j)); });
    team::for_each_block_place(member, launch.block, [&](team::Place p) { Kokkos::atomic_inc(&block(p.row, p.col)); });
    team::for_each_grid_place(member, launch, [&](team::Place p) { Kokkos::atomic_inc(&grid(p.row, p.col)); });
    team::grid_stride_for(member, static_cast<std::int64_t>(league_1d.extent(0)) - 1,  // the last one is none of them
                          [&](std::int64_t p) { Kokkos::atomic_inc(&league_1d(p)); });
    team::grid_stride_for_2d(member, launch, static_cast<std::int64_t>(elements.extent(0)),
                             static_cast<std::int64_t>(elements.extent(1)),
                             [&](std::int64_t i, std::int64_t j) { Kokkos::atomic_inc(&elements(i, j)); });
    team::grid_stride_for_2d(member, launch,
                             static_cast<std::int64_t>(few.extent(0)) - 1,  // nor are the last ones here
                             static_cast<std::int64_t>(few.extent(1)) - 1,
                             [&](std::int64_t i, std::int64_t j) { Kokkos::atomic_inc(&few(i, j)); });
  }
};

TEST(TeamLoops, VisitEveryPlaceOnceWhateverTheTeamAndTheLeague) {
  pantile::LaunchShape const launch{.grid = {3, 2}, .block = {5, 4}};
  auto const zeroes = [](std::size_t count) { return std::vector<int>(count, 0); };
  for (int const size : team_sizes()) {
    for (int const league : {1, 6, 7}) {
      Numbers const team_1d("a", {37}, zeroes(37), Placement::strided),
          league_1d("b", {101}, zeroes(101), Placement::right);
      Grid const team_2d("c", {7, 11}, zeroes(77), Placement::right), block("d", {4, 5}, zeroes(20), Placement::left);
      Grid const grid("e", {8, 15}, zeroes(120), Placement::right),
          elements("f", {19, 23}, zeroes(437), Placement::right), few("g", {6, 13}, zeroes(78), Placement::right);
      run_teams(league, size, 0,
                CountVisits{team_1d.view(), team_2d.view(), block.view(), grid.view(), elements.view(), few.view(),
                            league_1d.view(), launch});
      EXPECT_EQ(team_1d.values(), std::vector<int>(37, league));
      EXPECT_EQ(team_2d.values(), std::vector<int>(77, league));
      EXPECT_EQ(block.values(), std::vector<int>(20, league));
      EXPECT_EQ(grid.values(), std::vector<int>(120, 1));
      std::vector<int> all_but_one(101, 1);
      all_but_one.back() = 0;
      EXPECT_EQ(league_1d.values(), all_but_one);
      EXPECT_EQ(elements.values(), std::vector<int>(437, 1));
      auto const visits = few.values();
      for (std::size_t p = 0; p < visits.size(); ++p) EXPECT_EQ(visits[p], p / 13 < 5 && p % 13 < 12 ? 1 : 0);
      EXPECT_TRUE(team_1d.surroundings_intact() && elements.surroundings_intact() && block.surroundings_intact());
    }
  }
}

}  // namespace
