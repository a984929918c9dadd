// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Placements have the strides they promise, and a write beside the View is seen.
#include <support/matcher.hpp>
#include <support/matrices.hpp>

#include <set>

namespace {

using namespace pantile::testing;
using Host = Kokkos::DefaultHostExecutionSpace;
using Matrix = Placed<double, Host>;

TEST(Placed, StridesAreThoseOfThePlacement) {
  struct Row {
    Placement placement;
    std::size_t row_stride, col_stride;
  };
  for (Row const& row : {Row{Placement::right, 5, 1}, Row{Placement::left, 1, 4}, Row{Placement::padded_right, 8, 1},
                         Row{Placement::padded_left, 1, 7}, Row{Placement::strided, 30, 3}}) {
    Matrix const m("m", 4, 5, row.placement);
    EXPECT_EQ(m.view().extent(0), 4U);
    EXPECT_EQ(m.view().extent(1), 5U);
    EXPECT_EQ(m.view().stride(0), row.row_stride) << static_cast<int>(row.placement);
    EXPECT_EQ(m.view().stride(1), row.col_stride) << static_cast<int>(row.placement);
  }
}

TEST(Placed, PaddedAndStridedViewsAreMisaligned) {
  for (Placement const placement : {Placement::padded_right, Placement::padded_left, Placement::strided}) {
    Matrix const m("m", 4, 5, placement);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.view().data()) % 16, 8U);
  }
}

TEST(Placed, ValuesComeBackAsTheyWentIn) {
  for (Placement const placement : all_placements) {
    auto const values = random_matrix<double>(7, 3, 1);
    Matrix const m("m", values, placement);
    EXPECT_TRUE(equal(m.values(), values));
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(m.view()(i, j), values(i, j));
    }
  }
}

TEST(Placed, WritesThroughTheViewAreSeen) {
  for (Placement const placement : all_placements) {
    Matrix const m("m", HostMatrix<double>(3, 4), placement);
    m.view()(2, 1) = 9;
    EXPECT_EQ(m.values()(2, 1), 9);
    EXPECT_TRUE(m.surroundings_intact());
  }
}

TEST(Placed, WritesBesideTheViewAreSeen) {
  for (Placement const placement : {Placement::padded_right, Placement::padded_left, Placement::strided}) {
    Matrix const before("m", 3, 4, placement), behind("m", 3, 4, placement);
    before.view().data()[-1] = 0;
    EXPECT_FALSE(before.surroundings_intact());
    bool const left = placement == Placement::padded_left;
    behind.view().data()[left ? 3 : placement == Placement::strided ? 1 : 4] = 0;  // first gap
    EXPECT_FALSE(behind.surroundings_intact());
  }
}

TEST(Placed, EmptyMatricesWork) {
  for (Placement const placement : all_placements) {
    Matrix const rows("m", 0, 4, placement), cols("m", 3, 0, placement);
    EXPECT_TRUE(rows.surroundings_intact());
    EXPECT_TRUE(cols.surroundings_intact());
    EXPECT_EQ(cols.values().rows, 3U);
  }
}

TEST(RandomMatrix, IsReproducibleAndUsesTheRange) {
  EXPECT_TRUE(equal(random_matrix<float>(5, 5, 3), random_matrix<float>(5, 5, 3)));
  EXPECT_FALSE(equal(random_matrix<float>(5, 5, 3), random_matrix<float>(5, 5, 4)));
  bool negative = false, large = false;
  for (std::int32_t const value : random_matrix<std::int32_t>(10, 10, 1).values) {
    negative |= value < 0;
    large |= value > (1 << 29);
  }
  EXPECT_TRUE(negative && large);
  for (double const value : random_matrix<double>(10, 10, 1).values) EXPECT_LT(std::abs(value), 1.0);
}

}  // namespace
