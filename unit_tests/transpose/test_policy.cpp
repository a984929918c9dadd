// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The pure choice, asked about machines that are not there.
#include <pantile/impl/transpose/policy.hpp>

#include <gmock/gmock.h>

namespace {

using Algorithm = pantile::TransposeAlgorithm;
using pantile::Extent2;
using pantile::impl::arch::Machine;
using pantile::impl::transpose::choose;
using pantile::impl::transpose::Piece;
using pantile::impl::transpose::Pieces;
using pantile::impl::transpose::Plan;
using pantile::impl::transpose::Query;
using ::testing::HasSubstr;

Machine host() {
  return {
      .name = "openmp", .concurrency = 16, .max_team_size = 1, .scratch_limit = {32768, 20 << 20}, .scratch_levels = 2};
}
Machine gpu() {
  return {.name = "cuda", .device = true, .concurrency = 1 << 18, .max_team_size = 1024, .scratch_limit = {40000, 0}};
}
Query large(Algorithm algorithm = Algorithm::automatic) {
  return {.rows = 8192, .cols = 4096, .element_size = 8, .options = {.algorithm = algorithm}};
}

TEST(TransposePolicy, LargeMatricesAreStagedWithPadding) {
  for (Machine const& machine : {host(), gpu()}) {
    Plan const plan = choose(machine, large());
    EXPECT_EQ(plan.refusal, "");
    EXPECT_EQ(plan.algorithm, Algorithm::padded);
    EXPECT_EQ(plan.tile, 32);
    EXPECT_EQ(plan.ld, 33);
    EXPECT_EQ(plan.tiles, 256 * 128);
    EXPECT_EQ(plan.scratch_bytes, 32U * 33U * 8U + 16U);
    EXPECT_EQ(plan.scratch_level, 0);
  }
}

TEST(TransposePolicy, TeamsOfTheSourceDocuments) {
  Plan const tiled = choose(gpu(), large(Algorithm::tiled));
  EXPECT_EQ(tiled.ld, 32);
  EXPECT_EQ(tiled.rows_per_thread, 1);
  EXPECT_EQ(tiled.team_size, 32 * 32);
  Plan const padded = choose(gpu(), large(Algorithm::padded));
  EXPECT_EQ(padded.rows_per_thread, 4);
  EXPECT_EQ(padded.team_size, 32 * 8);
  EXPECT_EQ(choose(host(), large(Algorithm::tiled)).team_size, 1);
}

TEST(TransposePolicy, TeamsOfOtherTiles) {
  struct Row {
    Algorithm algorithm;
    int tile, rows_per_thread, team_size, expected_rows;
  };
  for (Row const& row : {Row{Algorithm::tiled, 20, 0, 400, 1}, Row{Algorithm::padded, 20, 0, 20 * 10, 2},
                         Row{Algorithm::tiled, 64, 0, 1024, 4}, Row{Algorithm::padded, 64, 0, 256, 16},
                         Row{Algorithm::padded, 1, 0, 1, 1}, Row{Algorithm::tiled, 64, 16, 256, 16},
                         Row{Algorithm::tiled, 20, 3, 20 * 7, 3}, Row{Algorithm::tiled, 20, 99, 20, 99}}) {
    Query query = large(row.algorithm);
    query.options.tile = row.tile;
    query.options.rows_per_thread = row.rows_per_thread;
    Plan const plan = choose(gpu(), query);
    EXPECT_EQ(plan.refusal, "");
    EXPECT_EQ(plan.tile, row.tile);
    EXPECT_EQ(plan.team_size, row.team_size) << row.tile;
    EXPECT_EQ(plan.rows_per_thread, row.expected_rows) << row.tile;
  }
}

TEST(TransposePolicy, RefusalsNameTheLimit) {
  Query query = large(Algorithm::tiled);
  query.options.tile = 64;
  query.options.rows_per_thread = 1;
  EXPECT_EQ(choose(gpu(), query).refusal,
            "tile 64x64 with 1 rows per thread needs 4096 threads per team, the limit is 1024");
  EXPECT_EQ(choose(host(), query).refusal, "rows_per_thread is for devices: on hosts a thread moves whole tiles");
  query.options.rows_per_thread = 0;
  EXPECT_EQ(choose(host(), query).refusal, "");
  query.options.tile = 100;
  EXPECT_EQ(choose(gpu(), query).refusal,
            "tile 100x100 needs 80016 bytes of team scratch, the limit is 40000 at level 0");
  EXPECT_EQ(choose(host(), query).scratch_level, 1);
  query.options.tile = 2000;
  EXPECT_EQ(choose(host(), query).refusal,
            "tile 2000x2000 needs 32000016 bytes of team scratch, the limit is 20971520 at level 1");
  query.options.tile = 1 << 21;
  EXPECT_EQ(choose(host(), query).refusal, "tile edges must not exceed 1048576");
  EXPECT_EQ(choose(host(), large(static_cast<Algorithm>(5))).refusal,
            "algorithm must be automatic, naive, tiled, padded or blocked, not 5");
}

TEST(TransposePolicy, AChosenTileShrinksToMatrixAndScratch) {
  Query small = large(Algorithm::tiled);
  small.rows = 5;
  small.cols = 7;
  EXPECT_EQ(choose(gpu(), small).tile, 7);
  small.rows = small.cols = 0;
  EXPECT_EQ(choose(gpu(), small).tile, 1);
  EXPECT_EQ(choose(gpu(), small).tiles, 0);
  Machine tight = gpu();
  tight.scratch_limit[0] = 3000;
  Plan const plan = choose(tight, large());
  EXPECT_EQ(plan.refusal, "");
  EXPECT_EQ(plan.tile, 16);
  tight.scratch_limit[0] = 8;
  EXPECT_THAT(choose(tight, large()).refusal,
              HasSubstr("tile 1x1 needs 32 bytes of team scratch, the limit is 8 at level 0"));
}

TEST(TransposePolicy, SmallAndSkinnyMatricesAreNotStaged) {
  Query query = large();
  query.rows = 16;
  query.cols = 16;
  EXPECT_EQ(choose(host(), query).algorithm, Algorithm::naive);
  query.cols = 17;
  EXPECT_EQ(choose(host(), query).algorithm, Algorithm::padded);
  query.rows = 4;
  query.cols = 1 << 20;
  EXPECT_EQ(choose(gpu(), query).algorithm, Algorithm::naive);
  EXPECT_EQ(choose(gpu(), query).range_tile, (Extent2{4, 64})) << "256 threads along the target";
  EXPECT_EQ(choose(host(), query).algorithm, Algorithm::padded);
}

// What the caller has chosen is taken, or refused: no size of a matrix drops it.
TEST(TransposePolicy, TilesThatAreAskedForAreTaken) {
  for (Query const& sizes : {Query{.rows = 8192, .cols = 4096}, Query{.rows = 16, .cols = 16},
                             Query{.rows = 1, .cols = 1}, Query{.rows = 4, .cols = 1 << 20}}) {
    for (bool const blocked : {false, true}) {
      SCOPED_TRACE(std::to_string(sizes.rows) + "x" + std::to_string(sizes.cols) + (blocked ? " blocked" : ""));
      Query query = sizes;
      query.blocked = blocked;
      query.options.tile = 8;
      for (Machine const& machine : {host(), gpu()}) {
        EXPECT_EQ(choose(machine, query).algorithm, Algorithm::padded);
        EXPECT_EQ(choose(machine, query).tile, 8);
      }
      query.options = {.rows_per_thread = 2};
      EXPECT_EQ(choose(gpu(), query).algorithm, Algorithm::padded);
      EXPECT_EQ(choose(gpu(), query).rows_per_thread, 2);
      for (Algorithm const algorithm : {Algorithm::automatic, Algorithm::tiled, Algorithm::padded}) {
        query.options.algorithm = algorithm;
        EXPECT_EQ(choose(host(), query).refusal, "rows_per_thread is for devices: on hosts a thread moves whole tiles");
      }
    }
  }
}

TEST(TransposePolicy, HostsMoveInCacheAndStreamPastIt) {
  using pantile::impl::transpose::Path;
  Query query{.rows = 500, .cols = 700, .element_size = 4, .blocked = true, .streamed = {1024, 256}};
  query.cache_bytes = 16 << 20;
  Plan plan = choose(host(), query);
  EXPECT_EQ(plan.algorithm, Algorithm::blocked);
  EXPECT_EQ(plan.path, Path::move);
  EXPECT_EQ((Extent2{static_cast<int>(plan.rows.edge), static_cast<int>(plan.cols.edge)}), (Extent2{64, 64}));
  EXPECT_EQ(plan.tiles, 8 * 11);
  EXPECT_FALSE(plan.on_caller);
  query.close_rows = true;
  plan = choose(host(), query);
  EXPECT_EQ(plan.path, Path::stage);
  EXPECT_EQ(plan.cols.edge, 256 / 4);
  query.rows = query.cols = 100;
  EXPECT_EQ(choose(host(), query).path, Path::move) << "in the near caches all the same";
  EXPECT_TRUE(choose(host(), query).on_caller) << "little work";
  query.rows = 8191;
  query.cols = 8193;
  plan = choose(host(), query);
  EXPECT_EQ(plan.path, Path::stream);
  EXPECT_EQ(plan.cols.edge, 1024 / 4);
  EXPECT_EQ(plan.rows.edge % (256 / 4), 0);
  query.first_level_bytes = (48 << 10) - 1;
  EXPECT_EQ(choose(host(), query).cols.edge, 512 / 4) << "a small first level";
  query.streamed = {256, 512};
  EXPECT_EQ(choose(host(), query).cols.edge, 256 / 4) << "never wider than the kernel's";
  query.rows = 127;
  query.cols = 1 << 20;
  EXPECT_EQ(choose(host(), query).path, Path::move) << "rows of the target too short to be streamed";
  query.rows = 128;
  EXPECT_EQ(choose(host(), query).path, Path::stream);
}

TEST(TransposePolicy, HostsStreamFromHalfOfTheCacheOn) {
  using pantile::impl::transpose::Path;
  auto const path = [](std::int64_t edge, std::size_t element_size, bool close_rows) {
    Query query{.rows = edge, .cols = edge, .element_size = element_size, .blocked = true, .close_rows = close_rows};
    query.cache_bytes = 16 << 20;
    return choose(host(), query).path;
  };
  EXPECT_EQ(path(1024, 4, false), Path::move) << "half of it";
  EXPECT_EQ(path(1025, 4, false), Path::stream);
  EXPECT_EQ(path(512, 8, true), Path::stage) << "a quarter";
  EXPECT_EQ(path(513, 8, true), Path::stream);
  EXPECT_EQ(path(2500, 1, false), Path::move) << "bytes are slower to stream";
  EXPECT_EQ(path(2500, 1, true), Path::stage);
}

TEST(TransposePolicy, PiecesFollowEachOtherFromLineToLine) {
  for (std::int64_t const extent : {1, 7, 63, 64, 65, 71, 128, 500}) {
    for (std::int64_t const lack : {0, 1, 7, 15}) {
      for (std::int64_t const extra : {1, 8, 16}) {
        Pieces const pieces{extent, 64, lack, extra};
        ASSERT_GE(pieces.count(), 1);
        std::int64_t end = 0;
        for (std::int64_t i = 0; i < pieces.count(); ++i) {
          Piece const piece = pieces.at(i);
          EXPECT_EQ(piece.begin, end);
          EXPECT_GT(piece.extent, 0) << extent << " lacking " << lack << ", " << i;
          EXPECT_LT(piece.extent, 64 + extra);
          if (i > 0) {
            EXPECT_EQ((piece.begin + lack) % 64, 0);
          }
          end += piece.extent;
        }
        EXPECT_EQ(end, extent);
      }
    }
  }
}

TEST(TransposePolicy, HostsCutAtTheLinesOfTheTarget) {
  Query query{.rows = 500, .cols = 700, .element_size = 4, .row_place = 3, .col_place = 9};
  query.blocked = true;
  query.cache_bytes = 8 << 20;
  Plan const plan = choose(host(), query);
  EXPECT_EQ(plan.rows.at(1).begin, 64 - 3);
  EXPECT_EQ(plan.cols.at(1).begin, 64 - 9);
  EXPECT_EQ(plan.tiles, plan.rows.count() * plan.cols.count());
  query.rows = query.cols = 100;
  EXPECT_EQ(choose(host(), query).rows.at(1).begin, 64) << "in a near cache";
  query.in_place = true;
  query.rows = query.cols = 500;
  EXPECT_EQ(choose(host(), query).cols.at(1).begin, choose(host(), query).rows.edge - 3);
}

TEST(TransposePolicy, HostsStreamInPlaceWhereLinesAreWhole) {
  using pantile::impl::transpose::Path;
  Query query{.rows = 8192, .cols = 8192, .element_size = 8, .in_place = true, .blocked = true, .even_rows = true};
  Plan plan = choose(host(), query);
  EXPECT_EQ(plan.path, Path::stream);
  EXPECT_EQ(plan.rows.edge, 128);
  EXPECT_EQ(plan.tiles, 64 * 65 / 2);
  query.even_rows = false;
  plan = choose(host(), query);
  EXPECT_EQ(plan.path, Path::move);
  EXPECT_EQ(plan.rows.edge, 64);
  query.even_rows = true;
  query.rows = query.cols = 512;
  EXPECT_EQ(choose(host(), query).path, Path::move) << "in cache";
}

TEST(TransposePolicy, CopiesInDisguiseAreCopies) {
  for (Algorithm const algorithm : {Algorithm::automatic, Algorithm::naive, Algorithm::tiled, Algorithm::padded}) {
    Query query = large(algorithm);
    query.copy = true;
    Plan const plan = choose(gpu(), query);
    EXPECT_TRUE(plan.copy);
    EXPECT_EQ(plan.algorithm, Algorithm::naive);
    EXPECT_EQ(plan.range_tile, (Extent2{32, 8}));
    query.one_row = true;
    EXPECT_EQ(choose(gpu(), query).range_tile, (Extent2{256, 1}));
    EXPECT_EQ(choose(host(), query).range_tile, (Extent2{4096, 1}));
  }
  Query query{.rows = 128, .cols = 128, .copy = true};  // 256 KB read and written
  EXPECT_TRUE(choose(host(), query).on_caller);
  ++query.cols;
  EXPECT_FALSE(choose(host(), query).on_caller);
  query = large(static_cast<Algorithm>(-1));
  query.copy = true;
  EXPECT_NE(choose(gpu(), query).refusal, "");
}

TEST(TransposePolicy, InPlaceTakesTwoTilesAndHalfTheTeams) {
  Query query = large(Algorithm::tiled);
  query.cols = 8192;
  query.in_place = true;
  Plan const plan = choose(gpu(), query);
  EXPECT_EQ(plan.tiles, 256 * 257 / 2);
  EXPECT_EQ(plan.scratch_bytes, 2U * 32U * 32U * 8U + 16U);
}

TEST(TransposePolicy, MoreTilesThanAnIntHolds) {
  Query query = large(Algorithm::tiled);
  query.rows = query.cols = std::int64_t{1} << 31;
  query.options.tile = 1;
  EXPECT_EQ(choose(host(), query).tiles, std::int64_t{1} << 62);
}

TEST(TransposePolicy, RectangularInPlaceTakesScratchForARowAndGroupsOfColumns) {
  Machine roomy = gpu();
  roomy.scratch_limit[0] = 200'000;
  for (Machine const& machine : {host(), roomy}) {
    for (bool const tall : {false, true}) {
      Query query = large();
      query.in_place = true;
      query.rows = tall ? 4096 : 500;
      query.cols = tall ? 500 : 4096;
      Plan const plan = choose(machine, query);
      EXPECT_EQ(plan.refusal, "");
      EXPECT_TRUE(plan.permutes);
      EXPECT_EQ(plan.team_size, machine.device ? 256 : 1);
      EXPECT_EQ(plan.unit_cols, 32);
      EXPECT_EQ(plan.tiles, 500);
      EXPECT_EQ(plan.scratch_bytes, 500U * 32U * 8U + 16U);
      EXPECT_EQ(plan.scratch_level, 0);
    }
  }
}

TEST(TransposePolicy, RectangularInPlaceOnDevicesTakesFewerColumnsBeforeItIsRefused) {
  Query query = large();
  query.in_place = true;
  query.element_size = 4;
  query.rows = 1024;
  query.cols = 2048;
  Plan const plan = choose(gpu(), query);
  EXPECT_EQ(plan.refusal, "");
  EXPECT_EQ(plan.unit_cols, 8);
  EXPECT_EQ(plan.scratch_bytes, 1024U * 8U * 4U + 16U);
  query.cols = 11000;
  EXPECT_THAT(choose(gpu(), query).refusal, HasSubstr("a row of 11000 elements"));
}

TEST(TransposePolicy, RowsLongerThanScratchAreTakenByHostsAndRefusedOnDevices) {
  Query query = large();
  query.in_place = true;
  query.rows = 10'000'000;
  query.cols = 3;
  Plan const on_host = choose(host(), query);
  EXPECT_EQ(on_host.refusal, "") << "scratch of hosts is memory like any other";
  EXPECT_EQ(on_host.tiles, 3) << "no more teams than rows";
  EXPECT_EQ(on_host.scratch_bytes, 80'000'016U);
  EXPECT_THAT(choose(gpu(), query).refusal,
              HasSubstr("a row of 10000000 elements, transposed in place, needs 80000016 bytes of team scratch"));
}

}  // namespace
