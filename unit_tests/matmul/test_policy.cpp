// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The pure choice, asked with invented machines; and what explain makes of it.
#include <pantile/impl/matmul/policy.hpp>

#include <gmock/gmock.h>

#include <array>
#include <limits>
#include <vector>

namespace {

using Algorithm = pantile::MatmulAlgorithm;
using pantile::LaunchShape;
using pantile::MatmulOptions;
using pantile::MatmulTile;
using pantile::impl::arch::Machine;
using pantile::impl::arch::MicroTile;
using pantile::impl::matmul::choose;
using pantile::impl::matmul::MicroVariant;
using pantile::impl::matmul::Plan;
using pantile::impl::matmul::Query;
using pantile::impl::matmul::tiled_scratch_bytes;

// What Kokkos leaves of a GPU's 48 KB, and a host with small and large scratch.
Machine const gpu{"cuda", true, 270336, 1024, {40936, 0}, 1};
Machine const host{"openmp", false, 8, 1, {32768, 20971520}, 2};

constexpr std::array<MicroVariant, 2> gpu_variants{{{{1, 1}, 1024}, {{4, 4}, 256}}};
constexpr std::array<MicroVariant, 1> host_variants{{{{4, 4}, 1}}};

Query gpu_query(std::int64_t m, std::int64_t n, std::int64_t k, MatmulOptions const& options = {},
                std::size_t size = 8) {
  return {.m = m,
          .n = n,
          .k = k,
          .compute_size = size,
          .variants = gpu_variants,
          .default_edge = 64,
          .default_depth = 16,
          .options = options};
}
Query host_query(std::int64_t m, std::int64_t n, std::int64_t k, MatmulOptions const& options = {},
                 std::size_t size = 8) {
  return {.m = m,
          .n = n,
          .k = k,
          .compute_size = size,
          .variants = host_variants,
          .default_edge = 64,
          .default_depth = 128,
          .options = options};
}
MatmulOptions tiled(MatmulTile tile = {}) { return {.algorithm = Algorithm::tiled, .tile = tile}; }

TEST(MatmulPolicy, AutomaticTakesTilesUnlessThereIsNothingToStageFor) {
  struct Row {
    std::int64_t m, n, k;
    Algorithm algorithm;
  };
  for (Row const& row : {Row{1, 1, 1, Algorithm::naive}, Row{8, 8, 8, Algorithm::naive}, Row{8, 8, 9, Algorithm::tiled},
                         Row{1000, 1000, 1000, Algorithm::tiled}, Row{1, 1, 1000000, Algorithm::tiled},
                         Row{100000, 100000, 1, Algorithm::tiled}}) {
    EXPECT_EQ(choose(gpu, gpu_query(row.m, row.n, row.k)).algorithm, row.algorithm) << row.m << " " << row.k;
    EXPECT_EQ(choose(host, host_query(row.m, row.n, row.k)).algorithm, row.algorithm) << row.m << " " << row.k;
  }
  EXPECT_STREQ(choose(host, host_query(1, 1, 1)).reason, "too little work for tiles in scratch");
  EXPECT_STREQ(choose(host, host_query(99, 99, 99)).reason, "tiles in scratch are reused by the whole team");
  EXPECT_STREQ(choose(host, host_query(99, 99, 99, tiled())).reason, "asked for by the caller");
}

TEST(MatmulPolicy, WhatScalesOnlyScales) {
  Query query = gpu_query(100, 100, 100, tiled({1 << 21, 1, 1}));
  query.scales_only = true;
  Plan const plan = choose(gpu, query);
  EXPECT_TRUE(plan.scales_only);
  EXPECT_EQ(plan.algorithm, Algorithm::naive);
  EXPECT_EQ(plan.refusal, "");
  EXPECT_STREQ(plan.reason, "alpha is zero or k is zero: C is scaled by beta, A and B are not read");
}

TEST(MatmulPolicy, DefaultTilesShrinkToTheMatrix) {
  struct Row {
    std::int64_t m, n, k;
    MatmulTile tile;
    std::int64_t tiles;
  };
  for (Row const& row : {Row{1000, 1000, 1000, {64, 64, 128}, 256}, Row{1, 1, 1, {4, 4, 1}, 1},
                         Row{63, 65, 127, {64, 64, 127}, 2}, Row{5, 1000, 3, {8, 64, 3}, 16}}) {
    Plan const plan = choose(host, host_query(row.m, row.n, row.k, tiled()));
    EXPECT_EQ(plan.refusal, "");
    EXPECT_TRUE(plan.tile == row.tile) << plan.tile.m << "x" << plan.tile.n << "x" << plan.tile.k;
    EXPECT_EQ(plan.tiles, row.tiles);
    EXPECT_EQ(plan.team_size, 1);
  }
}

TEST(MatmulPolicy, HostsGoToLargeScratchWhereSmallIsTooSmall) {
  EXPECT_EQ(choose(host, host_query(99, 99, 99, tiled({16, 16, 16}))).scratch_level, 0);
  EXPECT_EQ(choose(host, host_query(99, 99, 99, tiled({64, 64, 128}))).scratch_level, 1);
}

TEST(MatmulPolicy, DevicesTakeOneThreadPerRegisterTile) {
  struct Row {
    MatmulTile tile;
    MicroTile micro;
    int team;
  };
  for (Row const& row : {Row{{16, 16, 16}, {1, 1}, 256}, Row{{20, 20, 20}, {1, 1}, 400}, Row{{32, 32, 8}, {1, 1}, 1024},
                         Row{{33, 32, 8}, {4, 4}, 72}, Row{{64, 64, 16}, {4, 4}, 256}, Row{{1, 1, 1}, {1, 1}, 1},
                         Row{{7, 5, 3}, {1, 1}, 35}, Row{{0, 0, 0}, {4, 4}, 256}}) {
    Plan const plan = choose(gpu, gpu_query(1000, 1000, 1000, tiled(row.tile)));
    EXPECT_EQ(plan.refusal, "");
    EXPECT_TRUE(plan.micro == row.micro) << row.tile.m << "x" << row.tile.n;
    EXPECT_EQ(plan.team_size, row.team);
    EXPECT_LE(plan.scratch_bytes, gpu.scratch_limit[0]);
  }
}

TEST(MatmulPolicy, OneEdgeAskedForIsEnoughForOneOutputPerThread) {
  for (MatmulTile const tile : {MatmulTile{8, 0, 8}, MatmulTile{0, 8, 8}}) {
    Plan const plan = choose(gpu, gpu_query(1000, 1000, 1000, tiled(tile)));
    EXPECT_TRUE((plan.micro == MicroTile{1, 1})) << tile.m;
    EXPECT_EQ(plan.team_size, 512);
  }
  EXPECT_TRUE((choose(gpu, gpu_query(1000, 1000, 1000, tiled({0, 0, 8}))).micro == MicroTile{4, 4}));
}

TEST(MatmulPolicy, AMultistageTileThatFitsIsTakenTheFirstOneToo) {
  using pantile::impl::arch::DeviceTile;
  using pantile::impl::arch::ProductEngine;
  static constexpr std::array<DeviceTile, 1> shapes{{{.m = 64,
                                                      .n = 64,
                                                      .k = 8,
                                                      .warp_m = 32,
                                                      .warp_n = 32,
                                                      .thread_m = 8,
                                                      .thread_n = 4,
                                                      .stages = 2,
                                                      .warp = 32,
                                                      .engine = ProductEngine::multiply_add,
                                                      .async = true,
                                                      .min_blocks = 2,
                                                      .k_pack_bytes = 8,
                                                      .rate = 50}}};
  Query query = gpu_query(1000, 1000, 1000);
  EXPECT_EQ(choose(gpu, query).algorithm, Algorithm::tiled);
  query.device_tiles = shapes;
  Plan const plan = choose(gpu, query);
  EXPECT_EQ(plan.device.tile, 0);
  EXPECT_EQ(plan.algorithm, Algorithm::blocked);
}

TEST(MatmulPolicy, TilesBeyondTheMachineAreRefusedWithTheLimit) {
  EXPECT_EQ(choose(gpu, gpu_query(999, 999, 999, tiled({65, 64, 1}))).refusal,
            "tile 65x64 needs 272 threads per team, the limit is 256");
  // Two panels of 32 x 100 doubles and the slack for alignment.
  EXPECT_EQ(choose(gpu, gpu_query(999, 999, 999, tiled({32, 32, 100}))).refusal,
            "tile 32x32x100 needs 51216 bytes of team scratch, the limit is 40936 at level 0");
  EXPECT_EQ(choose(gpu, gpu_query(999, 999, 999, tiled({32, 32, 79}))).refusal, "");
  EXPECT_THAT(choose(host, host_query(99, 99, 99, tiled({2000, 2000, 1}))).refusal,
              ::testing::HasSubstr("bytes of team scratch, the limit is 20971520 at level 1"));
  EXPECT_THAT(choose(host, host_query(9, 9, 9, tiled({1 << 20, 1 << 20, 1 << 20}), 16)).refusal,
              ::testing::HasSubstr("bytes of team scratch"));
}

TEST(MatmulPolicy, TilesThatJustFitAreTaken) {
  Machine exact = gpu;
  exact.scratch_limit[0] = tiled_scratch_bytes({32, 32, 64}, {1, 1}, 8, true);
  Query const query = gpu_query(999, 999, 999, tiled({32, 32, 64}));
  EXPECT_EQ(choose(exact, query).refusal, "");
  --exact.scratch_limit[0];
  EXPECT_THAT(choose(exact, query).refusal, ::testing::HasSubstr("bytes of team scratch"));
}

TEST(MatmulPolicy, BlockedIsRefusedWhereTheHostHasNoKernelsForTheSums) {
  MatmulOptions const asked{.algorithm = Algorithm::blocked};
  EXPECT_EQ(choose(host, host_query(9, 9, 9, asked)).refusal,
            "algorithm blocked is for sums in float, double, their complex types and integers");
}

TEST(MatmulPolicy, ScratchHoldsPanelsAndOnHostsSums) {
  EXPECT_EQ(tiled_scratch_bytes({16, 16, 16}, {1, 1}, 8, true), 2 * 16 * 16 * 8U + 16U);
  EXPECT_EQ(tiled_scratch_bytes({16, 16, 16}, {4, 4}, 8, false), 3 * 16 * 16 * 8U + 16U);
  // Edges are padded to the register tile, arrays to 16 bytes.
  EXPECT_EQ(tiled_scratch_bytes({5, 5, 3}, {4, 4}, 4, true), 2 * 96U + 16U);
  EXPECT_EQ(tiled_scratch_bytes({1, 1, 1}, {1, 1}, 4, false), 4 * 16U);
}

TEST(MatmulPolicy, OptionsAreTheCallersAlsoWhereTheProblemIsExchanged) {
  Query query = gpu_query(1000, 500, 100, tiled({8, 24, 16}));
  query.c_along_columns = true;
  EXPECT_TRUE((choose(gpu, query).tile == MatmulTile{24, 8, 16}));
  query.options.tile = {64, 65, 1};
  EXPECT_THAT(choose(gpu, query).refusal, ::testing::HasSubstr("tile 64x65 needs 272 threads"));
  query.options = {.algorithm = Algorithm::grid_stride, .launch = {{3, 7}, {4, 5}}};
  EXPECT_TRUE((choose(gpu, query).launch == LaunchShape{{7, 3}, {5, 4}}));
}

TEST(MatmulPolicy, LaunchesThatAreLeftToUsFillTheMachine) {
  auto const launch = [](Machine const& machine, Query const& query) { return choose(machine, query).launch; };
  MatmulOptions const stride{.algorithm = Algorithm::grid_stride};
  EXPECT_TRUE((launch(host, host_query(100, 100, 1, stride)) == LaunchShape{{1, 8}, {1, 1}}));
  EXPECT_TRUE((launch(host, host_query(3, 100, 1, stride)) == LaunchShape{{1, 3}, {1, 1}}));
  EXPECT_TRUE((launch(gpu, gpu_query(64, 64, 1, stride)) == LaunchShape{{2, 8}, {32, 8}}));
  MatmulOptions const asked{.algorithm = Algorithm::grid_stride, .launch = {{3, 7}, {4, 3}}};
  EXPECT_TRUE((launch(gpu, gpu_query(3, 6, 4, asked)) == asked.launch));
}

TEST(MatmulPolicy, HugeExtentsDoNotOverflow) {
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  Plan const plan = choose(gpu, gpu_query(huge, 1 << 20, huge, tiled()));
  EXPECT_EQ(plan.refusal, "");
  EXPECT_EQ(plan.tiles, (std::int64_t{1} << 34) * (1 << 14));
  MatmulOptions const stride{.algorithm = Algorithm::grid_stride};
  EXPECT_GT(choose(gpu, gpu_query(huge, huge, 1, stride)).launch.grid.x, 0);
  EXPECT_EQ(choose(gpu, gpu_query(46342, 46342, 1)).tiles, std::int64_t{725} * 725);
  EXPECT_EQ(choose(gpu, gpu_query(huge, 1 << 20, huge)).algorithm, Algorithm::tiled);
  EXPECT_EQ(choose(host, host_query(1, 1, huge)).algorithm, Algorithm::tiled);
}

TEST(MatmulPolicy, TheVendorsRefusalIsPassedOn) {
  Query query = host_query(9, 9, 9, {.algorithm = Algorithm::vendor});
  EXPECT_EQ(choose(host, query).refusal, "");
  EXPECT_EQ(choose(host, query).algorithm, Algorithm::vendor);
  query.vendor_refusal = "not today";
  EXPECT_EQ(choose(host, query).refusal, "not today");
}

}  // namespace
