// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Workspace of hosts: kept between calls, never shared, said to be missing rather than thrown about; and teams
///        of one host thread, each team once, in scratch of its worker's own.
#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/launch/teams.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

namespace {

using pantile::impl::launch::HostTeam;
using pantile::impl::launch::HostWorkspaces;
using pantile::impl::launch::Teams;

TEST(HostWorkspace, IsTakenAgainWhereItIsLargeEnough) {
  HostWorkspaces all;
  std::byte const* const first = all.take(100'000).data();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % HostWorkspaces::alignment, 0U);
  EXPECT_EQ(all.take(50'000).data(), first);
  EXPECT_EQ(all.take(100'000).data(), first);
  auto const larger = all.take(200'000);
  std::memset(larger.data(), 1, 200'000);
  EXPECT_NE(all.take(100'000).data(), larger.data());
}

TEST(HostWorkspace, IsNobodyElses) {
  HostWorkspaces all;
  auto const work = [&all](unsigned char value) {
    for (int turn = 0; turn < 2000; ++turn) {
      auto const mine = all.take(4096);
      std::memset(mine.data(), value, 4096);
      for (int i = 0; i < 4096; i += 512) {
        if (mine.data()[i] != std::byte{value}) return false;
      }
    }
    return true;
  };
  std::vector<std::thread> threads;
  bool right[4] = {};
  for (unsigned char t = 0; t < 4; ++t) threads.emplace_back([&, t] { right[t] = work(t); });
  for (std::thread& thread : threads) thread.join();
  for (bool const each : right) EXPECT_TRUE(each);
}

TEST(HostWorkspace, IsNullWhereMemoryIsNotToBeHad) {
  HostWorkspaces all;
  EXPECT_EQ(all.take(std::numeric_limits<std::size_t>::max() / 4).data(), nullptr);
  EXPECT_NE(all.take(1).data(), nullptr);
}

TEST(HostWorkspace, OfTheCallerIsNotKept) {
  alignas(256) static std::byte memory[1024];
  EXPECT_EQ(HostWorkspaces::given_bytes(0), 0U);
  EXPECT_EQ(HostWorkspaces::given_bytes(1), 129U);
  HostWorkspaces all;
  {
    auto const lease = all.take(800, pantile::Workspace{memory + 1, 900});
    EXPECT_EQ(static_cast<void*>(lease.data()), memory + HostWorkspaces::alignment);
  }
  auto const next = all.take(800);
  EXPECT_TRUE(next.data() < memory || next.data() >= memory + sizeof memory);
}

/// Counts its team, and finds what it has written into its scratch before.
struct CountTeams {
  int* counts;
  bool* kept;
  std::size_t bytes;
  void operator()(HostTeam const& team) const {
    ++counts[team.league_rank()];
    auto* const scratch = static_cast<unsigned char*>(team.team_scratch(0).get_shmem_aligned(bytes, 16));
    std::memset(scratch, team.league_rank() % 251, bytes);
    bool same = team.team_rank() == 0 && team.team_size() == 1;
    for (std::size_t i = 0; i < bytes; ++i) same = same && scratch[i] == team.league_rank() % 251;
    kept[team.league_rank()] = same;
  }
};

TEST(HostTeams, EachRunsOnceInScratchOfItsOwn) {
  Kokkos::DefaultHostExecutionSpace const exec;
  for (int const league : {1, 2, 3, 7, 1000}) {
    std::vector<int> counts(static_cast<std::size_t>(league));
    auto const kept = std::make_unique<bool[]>(static_cast<std::size_t>(league));
    Teams const shape{league, 1, 1000, 0};
    pantile::impl::launch::teams<false, void>(exec, shape, CountTeams{counts.data(), kept.get(), 1000}, "count teams");
    exec.fence();
    for (int rank = 0; rank < league; ++rank) {
      EXPECT_EQ(counts[static_cast<std::size_t>(rank)], 1) << rank;
      EXPECT_TRUE(kept[static_cast<std::size_t>(rank)]) << rank;
    }
  }
}

TEST(HostTeams, ThrowBeforeTheyRunWhereThereIsNoScratch) {
  Kokkos::DefaultHostExecutionSpace const exec;
  int count = 0;
  bool kept = false;
  Teams const shape{1, 1, std::numeric_limits<std::size_t>::max() / 4, 0};
  EXPECT_THROW((pantile::impl::launch::teams<false, void>(exec, shape, CountTeams{&count, &kept, 1}, "too much")),
               std::bad_alloc);
  EXPECT_EQ(count, 0);
}

}  // namespace
