// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Maps from league ranks and threads to tiles and elements: each exactly once.
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace {

namespace tile = pantile::impl::tile;

TEST(TrianglePair, GivesEveryTileOnOrAboveTheDiagonalOnce) {
  for (std::int64_t tiles = 0; tiles <= 40; ++tiles) {
    std::map<std::pair<std::int64_t, std::int64_t>, int> seen;
    for (std::int64_t t = 0; t < tile::triangle_count(tiles); ++t) {
      tile::TilePair const pair = tile::triangle_pair(t, tiles);
      ASSERT_LE(0, pair.row);
      ASSERT_LE(pair.row, pair.col) << t << " of " << tiles;
      ASSERT_LT(pair.col, tiles);
      ++seen[{pair.row, pair.col}];
    }
    ASSERT_EQ(static_cast<std::int64_t>(seen.size()), tiles * (tiles + 1) / 2);
    for (auto const& [where, times] : seen) ASSERT_EQ(times, 1) << where.first << "," << where.second;
  }
}

TEST(TrianglePair, CountsBeyond32Bits) {
  std::int64_t const tiles = 3'000'000'001;
  std::int64_t const count = tile::triangle_count(tiles);
  EXPECT_EQ(count, (tiles + 1) / 2 * tiles);
  tile::TilePair const last = tile::triangle_pair(count - 1, tiles);
  EXPECT_LE(last.row, last.col);
  EXPECT_LT(last.col, tiles);
}

TEST(TrianglePair, InSquaresGivesEveryTileOnOrAboveTheDiagonalOnce) {
  for (int const edge : {1, 3, 4}) {
    for (int tiles = 1; tiles <= 13; ++tiles) {
      std::map<std::pair<std::int64_t, std::int64_t>, int> seen;
      auto const count = static_cast<int>(tile::squared_triangle_count(tiles, edge));
      for (int t = 0; t < count; ++t) {
        tile::TilePair const pair = tile::squared_triangle_pair(t, tiles, edge);
        ASSERT_LE(0, pair.row);
        if (pair.row <= pair.col && pair.col < tiles) ++seen[{pair.row, pair.col}];
      }
      ASSERT_EQ(static_cast<int>(seen.size()), tiles * (tiles + 1) / 2) << edge;
      for (auto const& [where, times] : seen) ASSERT_EQ(times, 1) << where.first << "," << where.second;
    }
  }
}

TEST(Banded, GivesEveryTileOnceAndGoesDownABandFirst) {
  for (int const down : {1, 7, 16, 17, 50}) {
    int const band = std::min(16, down), across = 5;
    std::map<std::pair<std::int64_t, std::int64_t>, int> seen;
    for (int t = 0; t < down * across; ++t) {
      tile::TilePair const at = tile::banded(t, down, across, band);
      ASSERT_LT(at.row, down);
      ASSERT_LT(at.col, across);
      ++seen[{at.row, at.col}];
    }
    ASSERT_EQ(static_cast<int>(seen.size()), down * across);
    EXPECT_EQ(tile::banded(band - 1, down, across, band), (tile::TilePair{band - 1, 0}));
  }
}

/// As much of a team member as for_each_line asks for.
struct Member {
  int rank, size;
  [[nodiscard]] int team_rank() const { return rank; }
  [[nodiscard]] int team_size() const { return size; }
};

template <bool Device>
std::vector<int> visits(int team_size, int lanes, int lines, int positions) {
  std::vector<int> seen(static_cast<std::size_t>(lines * positions), 0);
  for (int rank = 0; rank < team_size; ++rank) {
    tile::for_each_line<Device>(Member{rank, team_size}, lanes, lines, positions, [&](int line, int position) {
      ++seen.at(static_cast<std::size_t>(line * positions + position));
    });
  }
  return seen;
}

TEST(ForEachLine, VisitsEveryElementOnce) {
  for (int lines : {0, 1, 7, 20, 33}) {
    for (int positions : {0, 1, 5, 20, 41}) {
      std::vector<int> const once(static_cast<std::size_t>(lines * positions), 1);
      for (int lanes : {1, 4, 20, 32}) {
        for (int depth : {1, 3, 8}) {
          EXPECT_EQ(visits<true>(lanes * depth, lanes, lines, positions), once) << lanes << "x" << depth;
        }
      }
      EXPECT_EQ(visits<false>(1, 32, lines, positions), once);
      EXPECT_EQ(visits<false>(3, 32, lines, positions), once);
    }
  }
}

TEST(ForEachLine, GivesNeighboursToNeighbouringThreads) {
  std::vector<int> first(64, -1);
  for (int rank = 0; rank < 64; ++rank) {
    tile::for_each_line<true>(Member{rank, 64}, 32, 32, 32, [&](int line, int position) {
      if (first[static_cast<std::size_t>(rank)] < 0) first[static_cast<std::size_t>(rank)] = line * 32 + position;
    });
  }
  for (int rank = 0; rank < 64; ++rank) EXPECT_EQ(first[static_cast<std::size_t>(rank)], rank);
}

}  // namespace
