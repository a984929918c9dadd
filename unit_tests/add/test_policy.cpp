// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The pure choice, asked about machines that are not there; and the launch shapes that operations share.
#include <pantile/impl/add/policy.hpp>

#include <gmock/gmock.h>

namespace {

using Algorithm = pantile::AddAlgorithm;
using pantile::Extent2;
using pantile::LaunchShape;
using pantile::impl::add::choose;
using pantile::impl::add::Plan;
using pantile::impl::add::Query;
using pantile::impl::arch::Machine;
namespace launch = pantile::impl::launch;

Machine host() { return {.name = "openmp", .concurrency = 16, .max_team_size = 1, .scratch_limit = {32768, 0}}; }
Machine gpu() {
  return {.name = "cuda",
          .device = true,
          .concurrency = 1 << 18,
          .max_team_size = 1024,
          .scratch_limit = {40000, 0},
          .max_tile_size = 1024};
}
Query padded(Algorithm algorithm = Algorithm::automatic) {
  return {.rows = 1000, .cols = 3000, .options = {.algorithm = algorithm}};
}

TEST(AddPolicy, HostsTakePiecesOfRowsDevicesElements) {
  Plan const on_host = choose(host(), padded());
  EXPECT_EQ(on_host.algorithm, Algorithm::tiled);
  EXPECT_EQ(on_host.tile, (Extent2{3000, 1}));
  Plan const on_gpu = choose(gpu(), padded());
  EXPECT_EQ(on_gpu.algorithm, Algorithm::naive);
  EXPECT_EQ(on_gpu.tile, (Extent2{32, 8}));
  EXPECT_EQ(choose(gpu(), padded(Algorithm::tiled)).tile, (Extent2{32, 8})) << "a tile is a thread block there";
  EXPECT_EQ(choose(host(), padded(Algorithm::naive)).tile, (Extent2{64, 4}));
}

TEST(AddPolicy, LittleWorkStaysOnTheCallingThread) {
  Query query = padded();
  for (bool const blocked : {false, true}) {
    query.blocked = blocked;
    query.bytes = 256 << 10;
    Plan const plan = choose(host(), query);
    EXPECT_EQ(plan.algorithm, blocked ? Algorithm::blocked : Algorithm::tiled);
    EXPECT_TRUE(plan.on_caller);
    ++query.bytes;
    EXPECT_FALSE(choose(host(), query).on_caller);
    Machine alone = host();
    alone.concurrency = 1;
    EXPECT_TRUE(choose(alone, query).on_caller) << "no other thread to share with";
  }
}

TEST(AddPolicy, WhatRunsOnIsOneRow) {
  Query query = padded();
  query.one_row = true;
  EXPECT_TRUE(choose(host(), query).as_one_row);
  EXPECT_EQ(choose(host(), query).tile, (Extent2{4096, 1}));
  EXPECT_EQ(choose(gpu(), query).tile, (Extent2{256, 1}));
  query.options.tile = {8, 8};
  EXPECT_FALSE(choose(host(), query).as_one_row) << "a tile that was asked for has two edges";
  query.options = {.algorithm = Algorithm::grid_stride};
  EXPECT_FALSE(choose(host(), query).as_one_row);
}

TEST(AddPolicy, ShortRowsAndColumnsFillTheirTiles) {
  struct Row {
    std::int64_t rows, cols;
    Extent2 on_host, on_gpu;
  };
  for (Row const& row :
       {Row{1'000'000, 3, {3, 1365}, {3, 85}}, Row{3, 1'000'000, {4096, 1}, {85, 3}},
        Row{1, 1'000'000, {4096, 1}, {256, 1}}, Row{5, 7, {7, 5}, {7, 5}}, Row{0, 0, {1, 1}, {1, 1}}}) {
    Query query{.rows = row.rows, .cols = row.cols};
    EXPECT_EQ(choose(host(), query).tile, row.on_host) << row.rows << "x" << row.cols;
    EXPECT_EQ(choose(gpu(), query).tile, row.on_gpu) << row.rows << "x" << row.cols;
  }
}

TEST(AddPolicy, CrossingOperandsMeetInLowTiles) {
  Query query = padded();
  query.crossing = true;
  EXPECT_EQ(choose(host(), query).tile, (Extent2{64, 16}));
  query.blocked = query.prefetches = true;
  auto const plan = choose(host(), query);
  EXPECT_EQ(plan.algorithm, Algorithm::blocked);
  EXPECT_EQ(plan.tile, (Extent2{64, 16}));
  EXPECT_TRUE(plan.prefetches);
}

TEST(AddPolicy, TilesOfTheCaller) {
  auto const tile = [](Machine const& machine, Extent2 asked, bool exchanged = false) {
    Query query = padded(Algorithm::naive);
    query.options.tile = asked;
    query.exchanged = exchanged;
    return choose(machine, query);
  };
  EXPECT_EQ(tile(gpu(), {16, 16}).tile, (Extent2{16, 16}));
  EXPECT_EQ(tile(gpu(), {20, 5}, true).tile, (Extent2{5, 20})) << "columns and rows of the caller";
  EXPECT_EQ(tile(gpu(), {512, 0}).tile, (Extent2{512, 2})) << "the chosen edge keeps to the limit";
  EXPECT_EQ(tile(gpu(), {0, 1024}).tile, (Extent2{1, 1024}));
  EXPECT_EQ(tile(gpu(), {64, 32}).refusal, "tile 64x32 needs 2048 threads per block, the limit is 1024");
  EXPECT_EQ(tile(gpu(), {64, 32}, true).refusal, "tile 64x32 needs 2048 threads per block, the limit is 1024");
  EXPECT_EQ(tile(gpu(), {2048, 0}).refusal, "tile 2048x1 needs 2048 threads per block, the limit is 1024");
  Machine smaller = gpu();  // CUDA as Kokkos 5.2 has it
  smaller.max_tile_size = 512;
  EXPECT_EQ(tile(smaller, {32, 16}).refusal, "");
  EXPECT_EQ(tile(smaller, {128, 0}).tile, (Extent2{128, 4}));
  EXPECT_EQ(tile(smaller, {32, 32}).refusal, "tile 32x32 needs 1024 threads per block, the limit is 512");
  EXPECT_EQ(tile(host(), {64, 32}).refusal, "");
  Query query = padded();
  query.blocked = true;
  query.options.tile = {64, 32};
  EXPECT_EQ(choose(host(), query).algorithm, Algorithm::tiled) << "a tile is for pieces of rows";
  EXPECT_EQ(choose(host(), query).tile, (Extent2{64, 32}));
  EXPECT_EQ(tile(host(), {65536, 65536}).refusal,
            "tile 65536x65536 needs 4294967296 elements per tile, the limit is 2147483647");
}

TEST(AddPolicy, GridStride) {
  Query query = padded(Algorithm::grid_stride);
  query.options.launch = {{6, 6}, {3, 2}};
  EXPECT_EQ(choose(host(), query).launch, query.options.launch);
  query.exchanged = true;
  EXPECT_EQ(choose(host(), query).launch, (LaunchShape{{6, 6}, {2, 3}}));
  EXPECT_EQ(choose(host(), padded(Algorithm::grid_stride)).launch, (LaunchShape{{1, 16}, {1, 1}}));
  EXPECT_EQ(choose(gpu(), padded(Algorithm::grid_stride)).launch, (LaunchShape{{94, 10}, {32, 8}}));
  EXPECT_EQ(choose(gpu(), padded(static_cast<Algorithm>(5))).refusal,
            "algorithm must be automatic, naive, grid_stride, tiled or blocked, not 5");
}

TEST(LaunchShapes, RulesAreNamed) {
  EXPECT_EQ(launch::launch_refusal({}), "");
  EXPECT_EQ(launch::launch_refusal({{3, 7}, {4, 3}}), "");
  for (LaunchShape const& bad : {LaunchShape{{1, 0}, {1, 1}}, LaunchShape{{1, 1}, {0, 1}}, LaunchShape{{-1, 1}, {1, 1}},
                                 LaunchShape{{1, 1}, {1, -1}}}) {
    EXPECT_EQ(launch::launch_refusal(bad), "launch edges must be positive, or zero in pairs to be chosen");
  }
  EXPECT_EQ(launch::launch_refusal({{1, 1}, {1 << 16, 1 << 16}}),
            "a launch block must not have more than 2147483647 threads");
}

}  // namespace
