// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host's pure choice, asked with invented operands: when B is streamed or packed, how wide its blocks are,
///        and how C is cut.
#include <matmul/host_facts.hpp>

#include <pantile/impl/matmul/host/policy.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

namespace {

namespace host = pantile::impl::arch::host;
using namespace pantile::impl::matmul;
using pantile::testing::avx512_doubles;

// Register tiles have 8 rows: six of them read a B of 10 MB and more so, eight one in a last-level cache, which is
// asked for early from 1 MB on.
TEST(MatmulHostPolicy, FewRowsReadALongBWhereItLies) {
  struct Row {
    std::int64_t m, n, k;
    bool packs, prefetches;
  };
  for (Row const& row :
       {Row{48, 4000, 4000, false, true}, Row{49, 4000, 4000, true, false}, Row{64, 1000, 1000, false, true},
        Row{65, 1000, 1000, true, false}, Row{64, 1000, 126, false, true}, Row{64, 1000, 125, false, false},
        Row{65, 1000, 125, true, false}}) {
    SCOPED_TRACE(std::to_string(row.m) + "x" + std::to_string(row.n) + "x" + std::to_string(row.k));
    HostFacts const facts = avx512_doubles(row.n + 8);
    EXPECT_EQ(streams_rows({facts, row.m, row.n, row.k}), row.prefetches);
    HostPlan const plan = plan_on_host(row.m, row.n, row.k, facts, {2});
    EXPECT_EQ(plan.path, Path::tiles);
    EXPECT_EQ(plan.pack_b, row.packs);
    EXPECT_EQ(plan.hints.prefetches, row.prefetches);
  }
}

// A copy of B is another way to the same sums: an address decides it.
TEST(MatmulHostPolicy, RegistersOfAFarBThatLieAcrossMeetingLinesAreCopied) {
  struct Row {
    std::int64_t m, k, b_row_stride;
    bool splits, copies;
  };
  for (Row const& row :
       {Row{17, 4000, 4096, true, true}, Row{17, 4000, 4608, true, true}, Row{16, 4000, 4096, true, false},
        Row{17, 4000, 4104, true, false}, Row{17, 4000, 4096, false, false}, Row{17, 300, 4096, true, false}}) {
    SCOPED_TRACE(std::to_string(row.m) + " rows, those of B " + std::to_string(row.b_row_stride) + " apart");
    HostFacts facts = avx512_doubles(row.b_row_stride);
    facts.b.misaligned_rows = row.splits;
    facts.second_level_bytes = 2 << 20;
    HostPlan const plan = plan_on_host(row.m, 4000, row.k, facts, {2});
    EXPECT_EQ(plan.pack_b, row.copies);
    facts.second_level_bytes = (2 << 20) - 1;
    HostPlan const behind_less = plan_on_host(row.m, 4000, row.k, facts, {2});
    EXPECT_FALSE(behind_less.pack_b) << "a small second-level cache";
    EXPECT_EQ(behind_less.blocks.kc, plan.blocks.kc);
    facts.second_level_bytes = 2 << 20;
    facts.b.misaligned_rows = false;
    HostPlan const other = plan_on_host(row.m, 4000, row.k, facts, {2});
    EXPECT_EQ(std::tuple(plan.path, plan.edge_cols, plan.blocks.kc, plan.slices.depth),
              std::tuple(other.path, other.edge_cols, other.blocks.kc, other.slices.depth));
  }
}

// From memory each row of B comes from a page of its own; else a short second block would read and write C again.
TEST(MatmulHostPolicy, AFarBOfFewRowsIsReadInBlocksOfFewPages) {
  auto const depth = [](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t b_row_stride) {
    return plan_on_host(m, n, k, avx512_doubles(b_row_stride), {1}).blocks.kc;
  };
  EXPECT_EQ(depth(12, 20000, 192, 20001), 24) << "31 MB";
  EXPECT_EQ(depth(12, 18000, 200, 18001), 200) << "28.8 MB";
  EXPECT_EQ(depth(16, 20000, 384, 20001), 24);
  EXPECT_EQ(depth(17, 20000, 384, 20001), 192) << "three rows of tiles";
  EXPECT_EQ(depth(12, 400, 19200, 511), 192) << "rows shorter than a page";
  EXPECT_EQ(depth(12, 400, 19200, 513), 24);
  EXPECT_EQ(depth(8, 400, 19200, 511), 24) << "one row of tiles";
  EXPECT_EQ(depth(8, 200, 38400, 200), 192) << "rows that the hardware fetches";
  EXPECT_STREQ(plan_on_host(12, 20000, 192, avx512_doubles(20001), {1}).reason,
               "A and B go by once, read where they lie, with prefetch");
  EXPECT_EQ(depth(24, 2000, 288, 2001), 288);
  EXPECT_EQ(depth(24, 2000, 289, 2001), 145) << "half of it";
}

// Tiles of packed rows of A ask for such a B line by line. A copy of A is another way to the same sums: the cache of
// the machine decides it.
TEST(MatmulHostPolicy, FewRowsAreCopiedBesideShortRowsFromMemory) {
  struct Row {
    std::int64_t m, n, k;
    bool copies;
  };
  for (Row const& row : {Row{5, 200, 20000, true}, Row{16, 200, 20000, true}, Row{17, 200, 20000, false},
                         Row{12, 200, 18000, false}, Row{12, 112, 40000, true}, Row{12, 104, 40000, false},
                         Row{12, 288, 20000, true}, Row{12, 296, 20000, false}, Row{12, 201, 20000, false}}) {
    SCOPED_TRACE(std::to_string(row.m) + "x" + std::to_string(row.n) + "x" + std::to_string(row.k));
    HostFacts facts = avx512_doubles(row.n);
    facts.second_level_bytes = (2 << 20) - 1;
    HostPlan const plan = plan_on_host(row.m, row.n, row.k, facts, {1});
    EXPECT_EQ(plan.pack_a, row.copies);
    EXPECT_FALSE(plan.pack_b);
    EXPECT_EQ(plan.hints.prefetches, !row.copies);
    facts.second_level_bytes = 2 << 20;
    HostPlan const behind_more = plan_on_host(row.m, row.n, row.k, facts, {1});
    EXPECT_FALSE(behind_more.pack_a);
    EXPECT_EQ(std::tuple(plan.path, plan.blocks.kc, plan.slices.depth, plan.edge_cols),
              std::tuple(behind_more.path, behind_more.blocks.kc, behind_more.slices.depth, behind_more.edge_cols));
    facts.second_level_bytes = 1 << 20;
    facts.in_place = host::in_place_256_bits;
    EXPECT_FALSE(row.copies && plan_on_host(row.m, row.n, row.k, facts, {1}).pack_a) << "AVX2";
  }
}

/// What a plan says but for its exchange.
auto numbers_of(HostPlan const& plan) {
  return std::tuple(plan.path, plan.on_caller, plan.pack_a, plan.pack_b, plan.in_c(), plan.edge_cols, plan.blocks.kc,
                    plan.grid_rows, plan.grid_cols, plan.block_rows, plan.block_cols, plan.slices.count,
                    plan.workspace_bytes());
}

// C^T = B^T A^T where that has rows to be written: the same product, of operands seen the other way round. Few columns
// are transposed back.
TEST(MatmulHostPolicy, ACAlongItsColumnsIsPlannedAsTheRowsOfItsTranspose) {
  struct Row {
    std::int64_t m, n, k;
    bool exchange;  ///< of rows
  };
  for (Row const& row :
       {Row{4, 8, 5, false}, Row{40, 17, 33, false}, Row{300, 310, 320, false}, Row{3, 2000, 500, false},
        Row{2000, 1, 500, true}, Row{2000, 4, 500, true}, Row{20, 24, 60000, false}}) {
    for (bool const packs : {false, true}) {
      SCOPED_TRACE(std::to_string(row.m) + "x" + std::to_string(row.n) + "x" + std::to_string(row.k));
      HostFacts rows = avx512_doubles(row.n);
      if (row.n == 4) rows.a = {1, 2003};
      rows.a.must_pack = packs;
      HostFacts const columns = rows.transposed();
      HostPlan const one = plan_on_host(row.m, row.n, row.k, rows, {4, 4});
      HostPlan const other = plan_on_host(row.n, row.m, row.k, columns, {4, 4});
      EXPECT_EQ(one.exchange, row.exchange && !packs);
      EXPECT_EQ(other.exchange, !one.exchange);
      EXPECT_EQ(numbers_of(one), numbers_of(other));
    }
  }
}

// By AVX2 only where lines meet.
TEST(MatmulHostPolicy, ShortRegistersReadAStreamedBInLongerBlocks) {
  HostFacts facts = avx512_doubles(20001);
  facts.in_place = pantile::impl::arch::host::in_place_256_bits;
  EXPECT_EQ(plan_on_host(12, 20000, 640, facts, {1}).blocks.kc, 320);
  facts.b.row_stride = 20480;
  EXPECT_EQ(plan_on_host(12, 20000, 480, facts, {1}).blocks.kc, 24);
}

// Blocks of short rows are in a cache when the second row of tiles reads them.
TEST(MatmulHostPolicy, AFarBOfShortRowsIsNotCopiedForFewRowsOfTiles) {
  auto const packs = [](std::int64_t m, std::int64_t n, std::int64_t k, bool splits) {
    HostFacts facts = avx512_doubles(n);
    facts.b.misaligned_rows = splits;
    return plan_on_host(m, n, k, facts, {1}).pack_b;
  };
  EXPECT_FALSE(packs(256, 256, 2000, false));
  EXPECT_TRUE(packs(257, 256, 2000, false));
  EXPECT_TRUE(packs(256, 264, 2000, false)) << "a block of more than 1 MB";
  EXPECT_FALSE(packs(64, 100, 20000, true));
  EXPECT_TRUE(packs(65, 100, 20000, true)) << "loads across lines";
}

// Its lines are late by the hardware's own prefetch from about there on.
TEST(MatmulHostPolicy, AFarStreamedBIsPrefetched) {
  HostFacts by_rows = avx512_doubles(4096);
  EXPECT_TRUE(plan_on_host(1, 4096, 400, by_rows, {1}).hints.prefetches);
  EXPECT_FALSE(plan_on_host(1, 4096, 300, by_rows, {1}).hints.prefetches);
  HostFacts by_columns = avx512_doubles(1);
  by_columns.b.col_stride = 4001;
  HostPlan const dots = plan_on_host(3, 4096, 400, by_columns, {1});
  EXPECT_EQ(dots.path, Path::skinny_dots);
  EXPECT_TRUE(dots.hints.prefetches);
}

// Of few columns, where A does not stay in half of a second-level cache. No bit depends on it.
TEST(MatmulHostPolicy, LongRowsOfAFarAArePrefetched) {
  HostFacts facts = avx512_doubles(16);
  for (std::int64_t const bytes : {std::int64_t{1} << 20, std::int64_t{2} << 20}) {
    SCOPED_TRACE(bytes);
    facts.second_level_bytes = bytes;
    std::int64_t const m = bytes / 2 / (8 * 64);
    HostPlan const far = plan_on_host(m + 1, 16, 64, facts, {1});
    EXPECT_TRUE(far.hints.prefetches);
    HostPlan const near = plan_on_host(m, 16, 64, facts, {1});
    EXPECT_FALSE(near.hints.prefetches);
    EXPECT_EQ(std::tuple(near.path, near.edge_cols, near.blocks.kc),
              std::tuple(far.path, far.edge_cols, far.blocks.kc));
  }
}

// Rows of A that push each other out of the caches are packed for fewer panels of columns.
TEST(MatmulHostPolicy, RowsOfAThatMeetAreCopiedSooner) {
  HostFacts facts = avx512_doubles(128);
  auto const packs = [&](std::int64_t n, std::int64_t a_row_stride) {
    facts.a.row_stride = a_row_stride;
    return plan_on_host(128, n, 1024, facts, {1}).pack_a;
  };
  EXPECT_FALSE(packs(97, 16000));
  EXPECT_TRUE(packs(97, 16384));
  EXPECT_TRUE(packs(97, 16896));
  EXPECT_FALSE(packs(96, 16384));
  EXPECT_TRUE(packs(193, 16000));
}

// Tiles of few columns would read a line of each of A's columns, and most of it not use.
TEST(MatmulHostPolicy, AFarAOfContiguousColumnsIsCopiedForFewColumnsToo) {
  HostFacts facts = avx512_doubles(24);
  facts.a.col_stride = 2;
  auto const packs = [&](std::int64_t m, std::int64_t k) { return plan_on_host(m, 24, k, facts, {1}).pack_a; };
  std::int64_t const uncached = 3 * facts.in_place.a_bytes / 2 / 8;  // elements
  EXPECT_TRUE(packs(uncached / 100 + 1, 100));
  EXPECT_FALSE(packs(uncached / 100, 100)) << "in a cache";
  EXPECT_TRUE(packs(uncached, host::gathered_depth));
  EXPECT_FALSE(packs(uncached, host::gathered_depth - 1)) << "all lines stay in a first-level cache";
  EXPECT_TRUE(packs(17, uncached));
  EXPECT_FALSE(packs(16, uncached)) << "a column has no more than a tile reads";
  EXPECT_EQ(plan_on_host(uncached / 100 + 1, 24, 100, facts, {1}).blocks.mc, 48) << "soon read after it is packed";
  facts.a = {1, 4001};
  EXPECT_TRUE(packs(uncached / 100 + 1, 100));
}

// Tiles would leave most lanes of their registers empty, of columns of C, or read an A from memory by parts of its
// lines.
TEST(MatmulHostPolicy, AnAOfContiguousColumnsIsStreamedForFewOfC) {
  HostFacts facts = avx512_doubles(8);
  facts.a = {1, 4001};
  auto const streams = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    HostPlan const plan = plan_on_host(m, n, k, facts, {1});
    return plan.exchange && plan.path == Path::skinny_rows;
  };
  EXPECT_TRUE(streams(200, 4, 100));
  EXPECT_FALSE(streams(200, 5, 100)) << "more than half of a register";
  EXPECT_TRUE(streams(1000, 5, 100)) << "from memory";
  EXPECT_TRUE(streams(1000, 8, 100));
  facts.real_products = 4;
  EXPECT_TRUE(streams(200, 4, 100));
}

// Seven eighths of that cache, half of it where C takes much of the time.
TEST(MatmulHostPolicy, ACThatStaysInASecondLevelCacheIsNotAskedForEarly) {
  HostFacts facts = avx512_doubles();
  auto const large = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return plan_on_host(m, n, k, facts, {1}).hints.large_c;
  };
  facts.second_level_bytes = 2 << 20;
  EXPECT_FALSE(large(1792, 128, 129));
  EXPECT_TRUE(large(1793, 128, 129));
  EXPECT_FALSE(large(448, 512, 16)) << "wide";
  EXPECT_TRUE(large(449, 512, 16));
  EXPECT_FALSE(large(1024, 128, 128));
  EXPECT_TRUE(large(1025, 128, 128));
  EXPECT_TRUE(large(65536, 24, 16)) << "few columns";
  facts.second_level_bytes = 1 << 20;
  EXPECT_FALSE(large(896, 128, 129));
  EXPECT_TRUE(large(1792, 128, 129));
  EXPECT_FALSE(large(65536, 24, 16)) << "the third level answers soon";
  EXPECT_TRUE(large(65536, 25, 16));
}

// Lines of C beside those of a tile are cached when its neighbour is computed.
TEST(MatmulHostPolicy, ALargeCOfFewTermsIsWrittenInLowBlocks) {
  HostFacts facts = avx512_doubles(384);
  auto const height = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return plan_on_host(m, n, k, facts, {1}).blocks.mc;
  };
  for (std::int64_t const bytes : {(2 << 20) - 1, 2 << 20}) {
    facts.second_level_bytes = bytes;
    EXPECT_EQ(height(4800, 384, 128), bytes < 2 << 20 ? 192 : 48);
    EXPECT_EQ(height(4800, 384, 129), 96) << "deep";
    EXPECT_EQ(height(4800, 408, 128), 96) << "wide: block.hpp goes along its rows";
    EXPECT_EQ(height(192, 304, 128), 96) << "C stays cached";
  }
}

TEST(MatmulHostPolicy, OnlyALargeWideBOfUnitColumnsIsStreamed) {
  HostFacts facts = avx512_doubles(4104);
  EXPECT_TRUE(streams_rows({facts, 8, 49, 2552})) << "1,000,384 bytes";
  EXPECT_FALSE(streams_rows({facts, 8, 48, 2605})) << "1,000,320 bytes";
  EXPECT_FALSE(streams_rows({facts, 8, 50, 2500})) << "1,000,000 bytes";
  facts.b.col_stride = 2;
  EXPECT_FALSE(streams_rows({facts, 8, 49, 2552}));
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
    facts.b.col_stride = 4001;
    for (bool const beside : {false, true}) {
      facts.c.col_stride = beside ? 2 : 1;
      for (std::int64_t n = 1; n <= 2 * kind.panel_cols; ++n) {
        for (std::int64_t const k : {1470, 1472, 1791, 1792, 1793, 3000, 20000}) {
          SCOPED_TRACE(std::to_string(kind.element_bytes) + " bytes, 100x" + std::to_string(n) + "x" +
                       std::to_string(k) + (beside ? ", sums beside C" : ""));
          HostPlan const plan = plan_on_host(100, n, k, facts, {2}), little = in_little_memory(100, n, facts, plan);
          ASSERT_LE(little.workspace_bytes(), host::most_stack_bytes);
          ASSERT_EQ(little.blocks.kc, plan.blocks.kc);
        }
      }
    }
  }
}

void expect_edge_with_workspace(std::int64_t m, std::int64_t n, std::int64_t k, HostPlan const& plan) {
  SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k));
  EXPECT_EQ(plan.edge_cols, n % 8);
  EXPECT_GE(plan.worker_bytes, pantile::impl::arch::SkinnyBlocks::workspace_bytes(plan.edge_cols, m, k, 1, 8));
  EXPECT_LE(plan.worker_bytes, host::stack_packed_bytes);
  EXPECT_EQ(plan.group_bytes() % 64, 0) << "threads' own begins a cache line";
  auto const last = group_ranges(plan, m, n, plan.groups() - 1);
  EXPECT_EQ(std::pair(last.rows.end, last.cols.end), std::pair(m, n - plan.edge_cols));
}

TEST(MatmulHostPolicy, ColumnsAtTheEdgeHaveTheirWorkspace) {
  int of_one_group = 0, of_more = 0;
  for (bool const split : {false, true}) {
    for (std::int64_t const m : {100, 500, 3000}) {
      for (std::int64_t n = 8; n < 80; ++n) {
        for (std::int64_t const k : {50, 300, 1000}) {
          HostFacts facts = avx512_doubles(n);
          facts.b.misaligned_rows = split;
          HostPlan const plan = plan_on_host(m, n, k, facts, {4});
          if (plan.tiny || plan.path != Path::tiles || plan.exchange || plan.edge_cols == 0) continue;
          ++(plan.groups() == 1 ? of_one_group : of_more);
          expect_edge_with_workspace(m, n, k, plan);
        }
      }
    }
  }
  EXPECT_GT(of_one_group, 10);
  EXPECT_GT(of_more, 10);
}

// Tiny products too are formed in C only where kernels can write it, and one call is all only where nothing is left.
TEST(MatmulHostPolicy, TinyProductsAreTakenAsTheyLieOrNotAtAll) {
  HostFacts const facts = avx512_doubles(4);
  HostPlan const plan = plan_on_host(4, 4, 4, facts, {2});
  EXPECT_TRUE(plan.in_c() && plan.on_caller && !plan.pack_a && !plan.pack_b);
  EXPECT_EQ(plan.workspace_bytes(), 0);
  HostFacts apart = facts, converted = facts;
  apart.c.col_stride = 2;
  converted.a.must_pack = true;
  EXPECT_FALSE(plan_on_host(4, 4, 4, apart, {2}).in_c());
  EXPECT_TRUE(plan_on_host(4, 4, 4, converted, {2}).pack_a);
  EXPECT_TRUE(is_one_call(63, 4, 31, 9, 1) && is_one_call(1, 1, 31, 9, 2) && is_one_call(1, 5, 128, 9, 1));
  EXPECT_TRUE(is_one_call(1, 32, 4, 9, 1) && is_one_call(31, 4, 31, 1, 1));
  EXPECT_FALSE(is_one_call(64, 4, 31, 9, 1) || is_one_call(1, 2, 4, 9, 2) || is_one_call(1, 4, 32, 9, 1));
  EXPECT_FALSE(is_one_call(1, 33, 4, 9, 1) || is_one_call(32, 4, 31, 1, 1));
}

// As large as useful_threads finds one thread for, with a C that stays close.
TEST(MatmulHostPolicy, TinyProductsAreWorkForOneThread) {
  for (int const lanes : {2, 4, 8, 16}) {
    for (int const real_products : {1, 4}) {
      HostFacts facts = avx512_doubles(64);
      facts.lanes = lanes;
      facts.real_products = real_products;
      for (std::int64_t const n : {9, 17, 40, 48, 49, 63, 64, 65}) {
        double const work = static_cast<double>(n * n * n) * real_products;
        bool const expected = n * n <= 512 * lanes && work <= products_of_thread(lanes, real_products);
        EXPECT_EQ(is_tiny(n, n, n, lanes, real_products), expected) << n << ", lanes " << lanes;
        EXPECT_TRUE(!expected || useful_threads(work, facts, 8) == 1) << n << ", lanes " << lanes;
      }
    }
  }
  EXPECT_TRUE(is_tiny(1, 128, 128, 16, 1) && is_tiny(128, 1, 128, 16, 1) && is_tiny(64, 128, 4, 16, 1));
  EXPECT_FALSE(is_tiny(1, 129, 16, 16, 1) || is_tiny(65, 128, 4, 16, 1));
}

// Few rows or columns of deep sums have methods of their own, tiles all others; B is packed where its rows are apart.
TEST(MatmulHostPolicy, TinyProductsHaveTheirPlan) {
  constexpr TinyPlan in_place{}, packed{.pack_b = true}, dots{.path = Path::skinny_dots},
      dots_of_rows{.path = Path::column_dots}, along_columns{.path = Path::column_rows},
      transposed{.path = Path::transposed_tiles};
  OperandFacts const rows{128, 1}, cols{1, 128}, apart{300, 2};
  auto const way = [](std::int64_t m, std::int64_t n, std::int64_t k, OperandFacts const& a, OperandFacts const& b,
                      int parts = 1) { return plan_tiny_rows(m, n, k, a, b, 8, parts); };
  EXPECT_EQ(way(4, 4, 31, rows, cols), packed);
  EXPECT_EQ(way(4, 4, 32, rows, cols), dots);
  EXPECT_EQ(way(4, 4, 32, apart, cols), dots);
  EXPECT_EQ(way(2, 9, 32, rows, cols, 2), dots);
  EXPECT_EQ(way(3, 9, 32, rows, cols, 2), packed);
  EXPECT_EQ(way(5, 9, 32, rows, cols), packed);
  EXPECT_EQ(way(5, 9, 32, rows, rows), in_place);
  EXPECT_EQ(way(9, 4, 32, rows, rows), dots_of_rows);
  EXPECT_EQ(way(9, 4, 32, rows, apart), dots_of_rows);
  EXPECT_EQ(way(9, 4, 31, rows, rows), in_place);
  EXPECT_EQ(way(9, 5, 32, rows, rows), in_place);
  EXPECT_EQ(way(31, 4, 32, cols, rows), in_place);
  EXPECT_EQ(way(32, 4, 4, cols, rows), transposed);
  EXPECT_EQ(way(32, 5, 11, cols, rows), transposed);
  EXPECT_EQ(way(32, 2, 32, cols, apart), along_columns);
  EXPECT_EQ(way(31, 2, 32, cols, rows), in_place);
  EXPECT_EQ(way(32, 2, 31, cols, rows), transposed);
  EXPECT_EQ(way(32, 1, 31, cols, apart), in_place);
  EXPECT_EQ(way(32, 5, 10, cols, rows), in_place);
  EXPECT_EQ(way(7, 4, 4, cols, apart), packed);
  EXPECT_EQ(way(33, 33, 67, cols, rows), in_place);
  EXPECT_EQ(way(34, 33, 67, cols, rows), transposed);
  EXPECT_EQ(way(8, 4, 4, cols, apart), transposed);
  EXPECT_EQ(way(32, 4, 4, cols, rows, 2), in_place);
  EXPECT_EQ(plan_tiny_rows(32, 8, 4, cols, rows, 16, 1), transposed) << "half a register";
  EXPECT_EQ(plan_tiny_rows(32, 9, 4, cols, rows, 16, 1), in_place);
  EXPECT_EQ(way(8, 9, 64, rows, cols), dots);
  EXPECT_EQ(way(8, 9, 63, rows, cols), packed);
  EXPECT_EQ(way(8, 9, 64, apart, cols), packed);
  EXPECT_EQ(way(9, 9, 64, rows, cols), packed);
  EXPECT_EQ(way(4, 9, 64, rows, cols, 2), packed);
  EXPECT_EQ(way(9, 8, 64, rows, cols), packed);
  EXPECT_EQ(plan_tiny_rows(9, 8, 64, rows, cols, 16, 1), dots_of_rows) << "half a register";
  EXPECT_EQ(way(9, 8, 64, rows, rows), in_place);
  EXPECT_EQ(way(32, 4, 32, apart, apart), packed);
  EXPECT_EQ(way(9, 1, 20, rows, apart), in_place) << "a single column has no stride between columns";
}

// Of few rows by few columns nobody asks.
TEST(MatmulHostPolicy, LastColumnsOfTinyProductsAreThoseOfOthers) {
  int seen = 0;
  for (std::int64_t n = 1; n <= 64; ++n) {
    for (std::int64_t const m : {9, 16, 29, 50, 63, 64, 100}) {
      for (std::int64_t const k : {4, 16, 33, 40, 48, 56, 64}) {
        HostFacts const facts = avx512_doubles(n);
        HostPlan const plan = plan_on_host(m, n, k, facts, {1});
        if (!plan.tiny || plan.path != Path::tiles) continue;
        bool const asks = n > host::tiny_edge_cols || m > host::tiny_edge_rows;
        EXPECT_EQ(plan.edge_cols, asks ? edge_columns(m, n, k, facts.lanes, 1) : 0) << m << "x" << n << "x" << k;
        seen += plan.edge_cols > 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(seen, 20);
}

// The short question to which most tiny products have an answer gives no other one than the long one, either way round.
TEST(MatmulHostPolicy, OneCallIsWhatThePlanSays) {
  OperandFacts const rows{200, 1}, cols{1, 200}, apart{300, 2};
  int one_call = 0;
  for (std::int64_t m = 1; m <= 70; ++m) {
    for (std::int64_t n = 1; n <= 40; ++n) {
      for (std::int64_t const k : {1, 4, 31, 32, 33, 64, 100}) {
        for (OperandFacts const& a : {rows, cols, apart}) {
          for (OperandFacts const& b : {rows, cols, apart}) {
            for (int const parts : {1, 2}) {
              TinyPlan const planned = plan_tiny_rows(m, n, k, a, b, 8, parts);
              TinyPlan exchanged = plan_tiny(n, m, k, b.transposed(), a.transposed(), cols, 8, parts);
              exchanged.exchange = !exchanged.exchange;
              EXPECT_EQ(exchanged, planned) << m << "x" << n << "x" << k;
              if (!is_one_call(m, n, k, a.row_stride, b.col_stride)) continue;
              EXPECT_EQ(planned, TinyPlan{}) << m << "x" << n << "x" << k;
              ++one_call;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(one_call, 10000);
}

// A tiny plan's workspace is of that size: a panel of B, or what is held of few rows.
TEST(MatmulHostPolicy, TinyProductsNeedNoMoreThanTheirStack) {
  for (int const parts : {1, 2}) {
    int const element_bytes = 8 * parts, panel_cols = 24 / parts, lanes = 8 / parts;
    for (std::int64_t m = 1; m <= 128; m += 7) {
      for (std::int64_t n = 1; n <= 128; n += 3) {
        for (std::int64_t const k : {1, 16, 63, 64, 128}) {
          if (!is_tiny(m, n, k, lanes, parts * parts)) continue;
          for (bool const by_rows : {false, true}) {
            OperandFacts const a = by_rows ? OperandFacts{200, 1} : OperandFacts{1, 200}, b{1, 200};
            TinyPlan const plan = plan_tiny_rows(m, n, k, a, b, lanes, parts);
            bool const columns = plan.path == Path::column_rows || plan.path == Path::column_dots;
            std::int64_t const few = columns ? n : m, many = columns ? m : n;
            std::int64_t const bytes =
                plan.path == Path::tiles
                    ? pantile::impl::arch::packed_bytes(panel_cols, k, panel_cols, 1, 0, element_bytes)
                    : pantile::impl::arch::SkinnyBlocks::workspace_bytes(few, many, k, parts, 8);
            EXPECT_TRUE(!plan.needs_workspace() || bytes <= stack_workspace_bytes) << m << "x" << n << "x" << k;
          }
        }
      }
    }
  }
}

TEST(MatmulHostPolicy, ASingleColumnHasNoStrideBetweenColumns) {
  HostFacts facts = avx512_doubles(1);
  facts.b.col_stride = facts.c.col_stride = 5;
  for (std::int64_t const m : {4, 40, 4000}) {
    EXPECT_TRUE(plan_on_host(m, 1, 30, facts, {2}).in_c()) << m;
    EXPECT_FALSE(plan_on_host(m, 2, 30, facts, {2}).in_c()) << m;
  }
}

// What one thread computes, with workspace that its stack holds, needs no launch.
TEST(MatmulHostPolicy, OneThreadIsTheCallersWhereItsStackSuffices) {
  struct Shape {
    std::int64_t m, n, k;
  };
  bool seen[2] = {};
  for (Shape const& s : {Shape{20, 20, 20}, Shape{60, 60, 60}, Shape{100, 100, 100}, Shape{200, 200, 200},
                         Shape{900, 900, 900}, Shape{16, 1000, 1000}, Shape{12, 2000, 40}, Shape{40, 12, 2000}}) {
    for (std::int64_t const col_stride : {1, 2}) {
      HostFacts facts = avx512_doubles();
      facts.b.col_stride = col_stride;
      HostPlan const plan = plan_on_host(s.m, s.n, s.k, facts, {1});
      if (plan.path != Path::tiles || plan.slices.count > 1) continue;
      EXPECT_EQ(plan.on_caller, plan.workspace_bytes() <= stack_workspace_bytes)
          << s.m << "x" << s.n << "x" << s.k << ", " << col_stride;
      seen[plan.on_caller] = true;
    }
  }
  EXPECT_TRUE(seen[false] && seen[true]);
}

/// C of so many rows and columns, cut for so many threads into so many parts.
struct Grid {
  int most;
  std::int64_t m, n;
  int rows, cols;
};

void expect_grid(Grid const& expected) {
  SCOPED_TRACE(std::to_string(expected.m) + " by " + std::to_string(expected.n) + " for " +
               std::to_string(expected.most));
  HostFacts const facts = avx512_doubles();
  Cut const cut = choose_grid(expected.m, expected.n, expected.most, facts);
  EXPECT_EQ(std::pair(cut.rows, cut.cols), std::pair(expected.rows, expected.cols));
}

// A part's rows and columns are what its threads bring into caches.
TEST(MatmulHostPolicy, PartsOfCAreSoonDone) {
  expect_grid({4, 48, 48, 2, 2});   // 3 tiles, not 4 by 4x1 and not 6 by 1x2
  expect_grid({4, 64, 192, 1, 4});  // 16 tiles all: 64 + 48, not 32 + 96
  expect_grid({2, 48, 480, 1, 2});  // 48 + 240, not 24 + 480
  expect_grid({5, 32, 24, 4, 1});   // no more parts than tiles
  expect_grid({5, 8, 72, 1, 3});
  expect_grid({2, 12, 65600, 1, 2});  // 12 rows of half the columns, not 8 of all of them
  expect_grid({2, 16, 65536, 1, 2});  // 24 columns more than half, but not all of B for both
}

TEST(MatmulHostPolicy, PartsOfCThatAreDoneAboutAsSoonAreCutBetweenRows) {
  expect_grid({2, 48, 48, 2, 1});    // 48 + 24 both
  expect_grid({2, 432, 480, 2, 1});  // 216 + 480, not 432 + 240, which is 0.4 % less with the tiles
  // 2 x 6 parts take 0.8 % longer than 1 x 12, the soonest done; 3 x 4 take 0.6 % longer than these.
  expect_grid({12, 312, 1392, 2, 6});
}

}  // namespace
