// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi/ranks.hpp>

#include <pantile/mpi/distribution.hpp>

#include <gmock/gmock.h>

#include <vector>

namespace pantile::testing {
namespace {

using mpi::Distribution;
using mpi::LocalExtents;
using mpi::ProcessGrid;

TEST(MpiGrid, PlacesRanksByRows) {
  for (ProcessGrid const& grid : all_grids()) {
    EXPECT_TRUE(grid.contains_this_rank());
    EXPECT_EQ(grid.row() * grid.cols() + grid.col(), world_rank());
    EXPECT_LT(grid.col(), grid.cols());
  }
}

TEST(MpiGrid, RanksBehindItAreOutside) {
  ProcessGrid const grid(MPI_COMM_WORLD, 1, 1);
  EXPECT_EQ(grid.contains_this_rank(), world_rank() == 0);
  EXPECT_EQ(grid.row(), world_rank() == 0 ? 0 : -1);
  EXPECT_EQ(Distribution(grid, 5, 6, {2, 2}).local_extents(),
            world_rank() == 0 ? (LocalExtents{5, 6}) : LocalExtents{});
}

TEST(MpiGrid, EqualToCopiesAndToItsLike) {
  ProcessGrid const grid(MPI_COMM_WORLD, 1, world_size()), like(MPI_COMM_WORLD, 1, world_size()),
      alone(MPI_COMM_SELF, 1, 1);
  EXPECT_EQ(grid, like);
  EXPECT_EQ(ProcessGrid(grid), grid);
  EXPECT_EQ(grid == alone, world_size() == 1);
  int relation = MPI_IDENT;
  MPI_Comm_compare(grid.communicator(), MPI_COMM_WORLD, &relation);
  EXPECT_EQ(relation, MPI_CONGRUENT);
}

// Against the definition: block I of a direction belongs to place I % places, and parts keep their order.
TEST(MpiDistribution, DealsBlocksInTurn) {
  for (ProcessGrid const& grid : all_grids()) {
    for (std::int64_t const extent : {0, 1, 2, 5, 12, 13, 100}) {
      for (int const block : {1, 2, 3, 7, 1000}) {
        Distribution const d(grid, extent, extent + 1, {block, block + 1});
        std::vector<std::int64_t> rows, cols;
        for (std::int64_t i = 0; i < d.rows(); ++i) {
          if (i / block % grid.rows() == grid.row()) rows.push_back(i);
        }
        for (std::int64_t j = 0; j < d.cols(); ++j) {
          if (j / (block + 1) % grid.cols() == grid.col()) cols.push_back(j);
        }
        ASSERT_EQ(d.local_extents(), (LocalExtents{rows.size(), cols.size()})) << d.description();
        for (std::size_t l = 0; l < rows.size(); ++l) EXPECT_EQ(d.global_row(l), rows[l]);
        for (std::size_t l = 0; l < cols.size(); ++l) EXPECT_EQ(d.global_col(l), cols[l]);
      }
    }
  }
}

TEST(MpiDistribution, PartsOfAllPlacesAreTheWhole) {
  ProcessGrid const grid(MPI_COMM_WORLD, 1, world_size());
  Distribution const d(grid, 31, 29, {3, 2});
  std::size_t cols = 0;
  for (int place = 0; place < world_size(); ++place) cols += d.local_extents(0, place).cols;
  EXPECT_EQ(cols, 29U);
  EXPECT_EQ(d.local_extents(0, world_size()), LocalExtents{});
  EXPECT_EQ(d.local_extents(-1, 0), LocalExtents{});
}

}  // namespace
}  // namespace pantile::testing
