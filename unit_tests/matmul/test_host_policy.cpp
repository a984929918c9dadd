// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host's pure choice, asked with invented operands: when B is streamed or packed, how wide its blocks are,
///        and how C is cut.
#include <matmul/host_facts.hpp>

#include <pantile/impl/matmul/host/policy.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace {

using namespace pantile::impl::matmul;
using pantile::testing::avx512_doubles;

TEST(MatmulHostPolicy, FewRowsStreamALargeBUnlessItsRowsMeetInTheCache) {
  struct Row {
    std::int64_t m, b_row_stride;
    bool streams;
  };
  for (Row const& row : {Row{16, 4096, true}, Row{17, 4096, false}, Row{17, 4608, false}, Row{17, 4104, true},
                         Row{17, 4352, true}, Row{32, 4104, true}, Row{33, 4104, false}}) {
    SCOPED_TRACE(std::to_string(row.m) + " rows, those of B " + std::to_string(row.b_row_stride) + " apart");
    HostFacts const facts = avx512_doubles(row.b_row_stride);
    EXPECT_EQ(streams_rows(row.m, 4000, facts, 128e6, 8e6), row.streams);
    HostPlan const plan = plan_on_host(row.m, 4000, 4000, facts, {2});
    EXPECT_EQ(plan.path, Path::tiles);
    EXPECT_EQ(plan.pack_b, !row.streams);
    EXPECT_EQ(plan.pack_a, !row.streams);
    EXPECT_EQ(plan.prefetches, row.streams);
  }
}

// Rows of A that push each other out of the caches are packed for fewer panels of columns.
TEST(MatmulHostPolicy, RowsOfAThatMeetAreCopiedSooner) {
  HostFacts facts = avx512_doubles(128);
  auto const packs = [&](std::int64_t n, std::int64_t a_row_stride) {
    facts.a_row_stride = a_row_stride;
    return plan_on_host(128, n, 1024, facts, {1}).pack_a;
  };
  EXPECT_FALSE(packs(97, 16000));
  EXPECT_TRUE(packs(97, 16384));
  EXPECT_TRUE(packs(97, 16896));
  EXPECT_FALSE(packs(96, 16384));
  EXPECT_TRUE(packs(193, 16000));
}

TEST(MatmulHostPolicy, OnlyALargeWideBOfUnitColumnsIsStreamed) {
  HostFacts facts = avx512_doubles(4104);
  EXPECT_TRUE(streams_rows(8, 49, facts, 8e6 + 1, 8e6));
  EXPECT_FALSE(streams_rows(8, 48, facts, 8e6 + 1, 8e6));
  EXPECT_FALSE(streams_rows(8, 49, facts, 8e6, 8e6));
  facts.b_unit_cols = false;
  EXPECT_FALSE(streams_rows(8, 49, facts, 8e6 + 1, 8e6));
}

// As many bytes of a shallow B as of a deep one would be 131072 columns of depth 8; B packed is read again for each
// task, and has to stay in a cache.
TEST(MatmulHostPolicy, ShallowBlocksAreWiderThanDeepOnesButNoMoreThanTwice) {
  HostFacts facts = avx512_doubles(20005);
  facts.reads_c = true;
  HostPlan const deep = plan_on_host(2000, 20000, 512, facts, {1});
  EXPECT_TRUE(deep.pack_b);
  EXPECT_LE(deep.block_cols, 2048);
  for (std::int64_t const k : {4, 8, 64, 250}) {
    HostPlan const plan = plan_on_host(2000, 20000, k, facts, {1});
    EXPECT_TRUE(plan.pack_b) << k;
    EXPECT_GT(plan.block_cols, 2048) << k;
    EXPECT_LE(plan.block_cols, 2 * 2048 + 24) << k;
    EXPECT_LE(plan.b_bytes, plan.block_cols * k * 8) << k;
  }
}

// B by columns, so few that a long run of k is packed at once: by one panel that is as deep as the stack allows.
TEST(MatmulHostPolicy, BlocksFitTheStackWhereThereIsNoOtherMemory) {
  struct Kind {
    int panel_rows, panel_cols, lanes, element_bytes, real_products;
  };
  for (Kind const& kind : {Kind{8, 24, 8, 8, 1}, Kind{8, 48, 16, 4, 1}, Kind{4, 12, 8, 16, 4}, Kind{6, 8, 4, 8, 1}}) {
    HostFacts facts = avx512_doubles(1);
    facts.panel_rows = kind.panel_rows;
    facts.panel_cols = kind.panel_cols;
    facts.lanes = kind.lanes;
    facts.element_bytes = facts.position_bytes = kind.element_bytes;
    facts.real_products = kind.real_products;
    facts.b_unit_cols = false;
    facts.b_unit_rows = true;
    for (bool const beside : {false, true}) {
      facts.c_unit_cols = !beside;
      for (std::int64_t n = 1; n <= 2 * kind.panel_cols; ++n) {
        for (std::int64_t const k : {1470, 1472, 1791, 1792, 1793, 3000, 20000}) {
          SCOPED_TRACE(std::to_string(kind.element_bytes) + " bytes, 100x" + std::to_string(n) + "x" +
                       std::to_string(k) + (beside ? ", sums beside C" : ""));
          HostPlan const plan = plan_on_host(100, n, k, facts, {2}), little = in_little_memory(100, n, facts, plan);
          ASSERT_LE(little.workspace_bytes(), most_stack_bytes);
          ASSERT_EQ(little.blocks.kc, plan.blocks.kc);
        }
      }
    }
  }
}

struct Grid {
  int most;
  std::int64_t tiles_down, tiles_across;
  int rows, cols;
};

void expect_grid(Grid const& expected) {
  SCOPED_TRACE(std::to_string(expected.tiles_down) + " by " + std::to_string(expected.tiles_across) + " tiles for " +
               std::to_string(expected.most));
  HostPlan plan;
  plan.panel_rows = 8;
  plan.panel_cols = 24;
  choose_grid(8 * expected.tiles_down, 24 * expected.tiles_across, expected.most, plan);
  EXPECT_EQ(std::pair(plan.grid_rows, plan.grid_cols), std::pair(expected.rows, expected.cols));
}

// A part's rows and columns are what its threads pack.
TEST(MatmulHostPolicy, PartsOfCAreAsSmallAsCanBeThenAsSquare) {
  expect_grid({4, 6, 2, 2, 2});    // 3 tiles, not 4 by 4x1 and not 6 by 1x2
  expect_grid({4, 8, 8, 1, 4});    // 16 tiles all: 64 + 48, not 32 + 96
  expect_grid({2, 54, 20, 1, 2});  // 432 + 240, not 216 + 480, 3.6 % more
  expect_grid({5, 4, 1, 4, 1});    // no more parts than tiles
  expect_grid({5, 1, 3, 1, 3});
}

TEST(MatmulHostPolicy, PartsOfCThatPackAboutAsMuchAreCutBetweenRows) {
  expect_grid({2, 6, 2, 2, 1});    // 48 + 24 both
  expect_grid({2, 58, 20, 2, 1});  // 464 + 240, and 1.1 % more
  // 24 rows have 0.5 % more than 21, the least; 28 have 3.4 % more than these, though 2.8 % more than 24.
  expect_grid({840, 4200, 2520, 24, 35});
}

}  // namespace
