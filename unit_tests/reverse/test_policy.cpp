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
    int tile, chunk;
    std::int64_t chunks;
    int level;
    std::size_t bytes;
  };
  Row const table[] = {
      {"nothing", host, 0, false, 0, 1, 0, 0, 0},
      {"one in place", host, 1, true, 0, 1, 0, 0, 0},
      {"short", host, 5, false, 0, 5, 1, 0, 0},
      {"long", host, 50'000, false, 0, 4096, 13, 0, 0},
      {"asked for", host, 5000, true, 100, 100, 25, 0, 0},
      {"long of a host, any chunk", host, 5000, false, 1 << 30, 1 << 30, 1, 0, 0},
      {"short on a device", gpu, 5, false, 0, 5, 1, 0, 64},
      {"long in place", gpu, 5000, true, 0, 512, 5, 0, 8208},
      {"asked for", gpu, 5000, true, 100, 100, 25, 0, 1616},
      {"beyond what a league holds", gpu, std::int64_t{1} << 41, false, 0, 512, std::int64_t{1} << 32, 0, 4112},
  };
  for (Row const& row : table) {
    auto const plan = choose(row.machine, {row.size, row.in_place, 8, {.tile = row.tile}});
    EXPECT_EQ(plan.chunk, row.chunk) << row.name;
    EXPECT_EQ(plan.chunks, row.chunks) << row.name;
    EXPECT_EQ(plan.team_size, row.machine.device ? 256 : 1) << row.name;
    EXPECT_EQ(plan.scratch_level, row.level) << row.name;
    EXPECT_EQ(plan.scratch_bytes, row.bytes) << row.name;
    EXPECT_EQ(plan.refusal, "") << row.name;
  }
  EXPECT_THAT(choose(gpu, {5000, false, 8, {.tile = 5119}}).refusal,
              HasSubstr("a tile of 5119 elements needs 40976 bytes of team scratch, the limit is 40960 at level 0"));
}

TEST(ReversePolicy, LittleNeedsNoLaunch) {
  // Read and written, 256 KB.
  EXPECT_TRUE(choose(host, {16384, false, 8, {}}).on_caller);
  EXPECT_FALSE(choose(host, {16385, false, 8, {}}).on_caller);
}

}  // namespace
