// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The library's overlap checks against brute force over all small matrices.
#include <pantile/impl/view/overlap.hpp>

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace {

using pantile::impl::footprint;
using pantile::impl::has_distinct_elements;
using pantile::impl::Index;
using pantile::impl::Matrix;
using pantile::impl::may_overlap;

std::multiset<double const*> addresses(Matrix<double const> const& x) {
  std::multiset<double const*> result;
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) result.insert(x.data + i * x.row_stride + j * x.col_stride);
  }
  return result;
}

TEST(Overlap, DistinctElementsIsExact) {
  double const memory[1] = {};
  for (Index rows = 0; rows < 5; ++rows) {
    for (Index cols = 0; cols < 5; ++cols) {
      for (Index row_stride = 0; row_stride < 8; ++row_stride) {
        for (Index col_stride = 0; col_stride < 8; ++col_stride) {
          Matrix<double const> const x{memory, rows, cols, row_stride, col_stride};
          auto const all = addresses(x);
          bool const distinct = std::set<double const*>(all.begin(), all.end()).size() == all.size();
          EXPECT_EQ(has_distinct_elements(x), distinct) << rows << "x" << cols << " " << row_stride << " " << col_stride;
        }
      }
    }
  }
}

bool share(Matrix<double const> const& a, Matrix<double const> const& b) {
  auto const first = addresses(a), second = addresses(b);
  for (double const* const p : second) {
    if (first.count(p) > 0) return true;
  }
  return false;
}

// Never overlooks an overlap; exact for subviews of one parent, which all have its strides.
TEST(Overlap, SubviewsOfOneParentAreToldApartExactly) {
  std::mt19937 generator(5);
  auto const below = [&](Index n) { return static_cast<Index>(generator() % static_cast<unsigned>(n)); };
  std::vector<double> const memory(400);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    bool const left = below(2) == 0;
    auto const part = [&] {
      Index const i = below(9), j = below(9), rows = 1 + below(9 - i), cols = 1 + below(9 - j);
      return left ? Matrix<double const>{memory.data() + i + 11 * j, rows, cols, 1, 11}
                  : Matrix<double const>{memory.data() + 11 * i + j, rows, cols, 11, 1};
    };
    auto const a = part(), b = part();
    ASSERT_EQ(may_overlap(footprint(a), footprint(b)), share(a, b))
        << a.rows << "x" << a.cols << " at " << a.data - memory.data() << ", " << b.rows << "x" << b.cols << " at "
        << b.data - memory.data() << (left ? " left" : " right");
  }
}

TEST(Overlap, NoneIsOverlookedForAnyStrides) {
  std::mt19937 generator(6);
  auto const below = [&](Index n) { return static_cast<Index>(generator() % static_cast<unsigned>(n)); };
  std::vector<double> const memory(1000);
  int disjoint = 0, told_apart = 0;
  for (int repeat = 0; repeat < 50000; ++repeat) {
    auto const any = [&] {
      return Matrix<double const>{memory.data() + below(60), below(6), below(6), below(14), below(14)};
    };
    auto const a = any(), b = any();
    bool const says = may_overlap(footprint(a), footprint(b)), truth = share(a, b);
    ASSERT_TRUE(says || !truth) << a.rows << "x" << a.cols << " (" << a.row_stride << "," << a.col_stride << ") at "
                                << a.data - memory.data() << ", " << b.rows << "x" << b.cols << " (" << b.row_stride
                                << "," << b.col_stride << ") at " << b.data - memory.data();
    disjoint += truth ? 0 : 1;
    told_apart += says ? 0 : 1;
  }
  EXPECT_GT(told_apart, disjoint / 2);
}

}  // namespace
