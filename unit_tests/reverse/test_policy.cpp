// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/reverse/policy.hpp>

#include <gmock/gmock.h>

namespace {

using pantile::impl::arch::Machine;
using pantile::impl::reverse::choose;
using ::testing::HasSubstr;

Machine const host{"openmp", false, 4, 1, {32 * 1024, 20 * 1024 * 1024}, 2};
Machine const gpu{"cuda", true, 132 * 2048, 1024, {40 * 1024, 0}, 1};

TEST(ReversePolicy, ChoosesByTheTable) {
  struct Row {
    char const* name;
    Machine machine;
    std::int64_t size;
    bool in_place;
    int tile, chunk, teams, level;
    std::size_t bytes;
  };
  Row const table[] = {
      {"nothing", host, 0, false, 0, 1, 0, 0, 32},
      {"one in place", host, 1, true, 0, 1, 0, 0, 32},
      {"short", host, 5, false, 0, 5, 1, 0, 64},
      {"long", host, 5000, false, 0, 512, 10, 0, 4112},
      {"long in place", gpu, 5000, true, 0, 512, 5, 0, 8208},
      {"asked for", gpu, 5000, true, 100, 100, 25, 0, 1616},
      {"second level", host, 5000, false, 5000, 5000, 1, 1, 40016},
      {"beyond what a league holds", gpu, std::int64_t{1} << 41, false, 0, 512, 1073741824, 0, 4112},
  };
  for (Row const& row : table) {
    auto const plan = choose(row.machine, {row.size, row.in_place, 8, {.tile = row.tile}});
    EXPECT_EQ(plan.chunk, row.chunk) << row.name;
    EXPECT_EQ(plan.teams, row.teams) << row.name;
    EXPECT_EQ(plan.team_size, row.machine.device ? 256 : 1) << row.name;
    EXPECT_EQ(plan.scratch_level, row.level) << row.name;
    EXPECT_EQ(plan.scratch_bytes, row.bytes) << row.name;
    EXPECT_EQ(plan.refusal, "") << row.name;
  }
  EXPECT_THAT(choose(gpu, {5000, false, 8, {.tile = 5119}}).refusal,
              HasSubstr("a tile of 5119 elements needs 40976 bytes of team scratch, the limit is 40960 at level 0"));
}

}  // namespace
