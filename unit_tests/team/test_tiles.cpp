// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/arrays.hpp>
#include <support/matcher.hpp>
#include <support/matrices.hpp>

#include <team/launch.hpp>

#include <pantile/team/load_store.hpp>
#include <pantile/team/loops.hpp>
#include <pantile/team/reverse.hpp>
#include <pantile/team/scratch_tile.hpp>
#include <pantile/team/transpose.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::team::ScratchTile;
using Complex = Kokkos::complex<float>;

template <class T>
using PlacedMatrix = Placed<T, TeamExec>;

TEST(ScratchTileBytes, AreWholeAlignmentsAndKnownToTheCompiler) {
  static_assert(ScratchTile<double>::bytes(32, 32, 1) == 32 * 33 * 8 + 16);
  static_assert(ScratchTile<std::int8_t>::bytes(3, 5) == 16 + 16);
  static_assert(ScratchTile<float>::bytes(0, 0) == 16);
}

/// Two tiles side by side: aligned, apart, row by row with padding.
struct UseTwoTiles {
  PlacedArray<int, TeamExec, 2>::View out;  // (teams, facts)
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    ScratchTile<std::int8_t> const first(member, 3, 5, 2);
    ScratchTile<double> const second(member, 4, 4, 1);
    pantile::team::team_for_2d(member, 3, 7, [&](int i, int j) { first(i, j) = static_cast<std::int8_t>(i + j); });
    pantile::team::team_for_2d(member, 4, 5, [&](int i, int j) { second(i, j) = i * j; });
    member.team_barrier();
    if (member.team_rank() != 0) return;
    auto const rest = [](void const* p) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) % 16); };
    auto const row = member.league_rank();
    out(row, 0) = rest(first.data()) + rest(second.data());
    out(row, 1) = first(2, 4) + 10 * static_cast<int>(second(3, 3));
    out(row, 2) = static_cast<int>(&first(1, 0) - &first(0, 0)) + 10 * static_cast<int>(&second(1, 0) - &second(0, 0));
    out(row, 3) = first.rows() * 1000 + first.cols() * 100 + first.ld() * 10 + (first.capacity() == 21 ? 1 : 0);
  }
};

TEST(ScratchTiles, LieAlignedSideBySide) {
  for (int const size : team_sizes()) {
    PlacedArray<int, TeamExec, 2> const out("out", {3, 4}, Placement::right);
    run_teams(3, size, ScratchTile<std::int8_t>::bytes(3, 5, 2) + ScratchTile<double>::bytes(4, 4, 1),
              UseTwoTiles{out.view()});
    EXPECT_EQ(out.values(), (std::vector<int>{0, 96, 57, 3571, 0, 96, 57, 3571, 0, 96, 57, 3571}));
  }
}

/// Copy source to target through a tile, one team for each.
template <class From, class To, class T>
struct CopyThroughTile {
  typename PlacedMatrix<From>::View source;
  typename PlacedMatrix<To>::View target;
  PlacedArray<int, TeamExec, 1>::View nonzero_padding;
  int rows, cols;

  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    ScratchTile<T> const tile(member, rows, cols, 1);
    int const across = (static_cast<int>(source.extent(1)) + cols - 1) / cols;
    std::int64_t const row = member.league_rank() / across * rows, col = member.league_rank() % across * cols;
    pantile::team::load_tile(member, source, row, col, tile);
    member.team_barrier();
    pantile::team::store_tile(member, tile, target, row, col);
    pantile::team::team_for_2d(member, rows, cols, [&](int i, int j) {
      bool const outside = row + i >= std::int64_t(source.extent(0)) || col + j >= std::int64_t(source.extent(1));
      if (outside && !(tile(i, j) == T(0))) Kokkos::atomic_inc(&nonzero_padding(0));
    });
  }
};

TEST(TileLoadsAndStores, KeepToTheEdges) {
  struct Shape {
    std::size_t rows, cols;
  };
  for (int const size : team_sizes()) {
    for (Shape const s : std::initializer_list<Shape>{{1, 1}, {7, 9}, {8, 8}, {9, 7}, {19, 23}}) {
      auto const values = random_matrix<float>(s.rows, s.cols, 4);
      HostMatrix<double> expected(s.rows, s.cols);
      for (std::size_t p = 0; p < values.values.size(); ++p) expected.values[p] = values.values[p];
      for (Placement const placement : all_placements) {
        PlacedMatrix<float> const source("A", values, Placement::padded_left);
        PlacedMatrix<double> const target("B", s.rows, s.cols, placement);
        PlacedArray<int, TeamExec, 1> const nonzero("nonzero", {1}, {0}, Placement::right);
        int const tile_rows = 8, tile_cols = 5;
        int const league = static_cast<int>((s.rows + 7) / 8 * ((s.cols + 4) / 5));
        run_teams(
            league, size, ScratchTile<double>::bytes(tile_rows, tile_cols, 1),
            CopyThroughTile<float, double, double>{source.view(), target.view(), nonzero.view(), tile_rows, tile_cols});
        EXPECT_TRUE(equal(target.values(), expected));
        EXPECT_TRUE(target.surroundings_intact());
        EXPECT_EQ(nonzero.values().front(), 0);
      }
    }
  }
}

/// A tile that lies wholly beyond the matrix.
struct LoadBeyond {
  PlacedMatrix<float>::View source;
  PlacedArray<int, TeamExec, 1>::View zeroes;
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    ScratchTile<float> const tile(member, 2, 2);
    pantile::team::load_tile(member, source, 5, 0, tile);
    member.team_barrier();
    pantile::team::store_tile(member, tile, source, 0, 9);
    pantile::team::team_for_2d(member, 2, 2, [&](int i, int j) {
      if (tile(i, j) == 0.F) Kokkos::atomic_inc(&zeroes(0));
    });
  }
};

TEST(TileLoadsAndStores, BeyondTheMatrixAreZeroAndNothing) {
  for (int const size : team_sizes()) {
    PlacedMatrix<float> const source("A", 3, 3, Placement::strided);
    PlacedArray<int, TeamExec, 1> const zeroes("zeroes", {1}, {0}, Placement::right);
    run_teams(1, size, ScratchTile<float>::bytes(2, 2), LoadBeyond{source.view(), zeroes.view()});
    EXPECT_EQ(zeroes.values().front(), 4);
    EXPECT_TRUE(source.surroundings_intact());
    for (float const value : source.values().values) EXPECT_EQ(value, 77.F);
  }
}

struct Transpose {
  PlacedMatrix<Complex>::View a, b;
  int rows, cols;
  bool conjugated;
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    ScratchTile<Complex> const tile(member, rows, cols, 1);
    pantile::team::transpose(member, a, b, tile, {.conjugate = conjugated});
  }
};

TEST(TeamTranspose, IsRightForEveryShapeTeamAndTile) {
  struct Shape {
    std::size_t rows, cols;
  };
  for (int const size : team_sizes()) {
    for (Shape const s : std::initializer_list<Shape>{{0, 3}, {1, 1}, {4, 4}, {8, 3}, {9, 11}}) {
      auto const values = random_matrix<Complex>(s.rows, s.cols, 6);
      for (bool const conjugated : {false, true}) {
        HostMatrix<Complex> expected(s.cols, s.rows);
        for (std::size_t i = 0; i < s.rows; ++i) {
          for (std::size_t j = 0; j < s.cols; ++j) {
            expected(j, i) = conjugated ? Kokkos::conj(values(i, j)) : values(i, j);
          }
        }
        for (Placement const placement : all_placements) {
          PlacedMatrix<Complex> const a("A", values, Placement::right), b("B", s.cols, s.rows, placement);
          run_teams(1, size, ScratchTile<Complex>::bytes(8, 5, 1), Transpose{a.view(), b.view(), 8, 5, conjugated});
          EXPECT_TRUE(equal(b.values(), expected)) << s.rows << "x" << s.cols;
          EXPECT_TRUE(b.surroundings_intact());
        }
      }
    }
  }
}

/// Reverse x into y, and z in place. The course notebook's swap_with_shared with four numbers.
struct ReverseBoth {
  PlacedArray<int, TeamExec, 1>::View x, y, z;
  int capacity;
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    ScratchTile<int> const buffer(member, 1, capacity);
    pantile::team::reverse(member, x, y, buffer);
    pantile::team::reverse(member, z, buffer);
  }
};

TEST(TeamReverse, TurnsEveryLengthAround) {
  for (int const size : team_sizes()) {
    for (std::size_t const n : {0, 1, 2, 3, 4, 15, 16, 17, 33, 211}) {
      std::vector<int> values(n);
      for (std::size_t p = 0; p < n; ++p) values[p] = static_cast<int>(3 * p + 1);
      PlacedArray<int, TeamExec, 1> const x("x", {n}, values, Placement::right), y("y", {n}, Placement::strided),
          z("z", {n}, values, Placement::strided);
      run_teams(1, size, ScratchTile<int>::bytes(1, 16), ReverseBoth{x.view(), y.view(), z.view(), 16});
      std::reverse(values.begin(), values.end());
      EXPECT_EQ(y.values(), values) << n;
      EXPECT_EQ(z.values(), values) << n;
      EXPECT_TRUE(y.surroundings_intact() && z.surroundings_intact());
    }
  }
}

}  // namespace
