// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  transpose as a host does it by default: more than 2^31 elements, and rows far apart.
#include <support/large.hpp>
#include <support/sparse.hpp>

#include <pantile/transpose.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace {

using namespace pantile::testing;
using Host = Kokkos::DefaultHostExecutionSpace;
using Bytes = Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host>;
using Unmanaged = Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host, Kokkos::MemoryUnmanaged>;

constexpr std::int64_t edge = 47'400;  // its last 2000 rows begin beyond 2^31: several of any blocks
constexpr std::int64_t length = (std::int64_t{1} << 30) + 1;
static_assert(edge * (edge + 1) > (std::int64_t{1} << 31) && 2 * length > (std::int64_t{1} << 31));

void expect_transposed(std::int64_t rows, std::int64_t cols) {
  auto const a = large_matrix<Bytes>(rows, cols, 2);
  auto const b = a.data() == nullptr ? a : large_matrix<Bytes>(cols, rows, 1);
  if (b.data() == nullptr) GTEST_SKIP() << "not enough memory";
  large_fill(a, LargeValue{});
  pantile::transpose(Host{}, a, b);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(b, LargeValueTransposed{}), 0);
}

TEST(LargeTranspose, AlmostSquare) { expect_transposed(edge, edge + 1); }
TEST(LargeTranspose, Wide) { expect_transposed(2, length); }
TEST(LargeTranspose, Tall) { expect_transposed(length, 2); }

TEST(LargeTranspose, SquareInPlace) {
  auto const a = large_matrix<Bytes>(edge + 1, edge + 1, 1);
  if (a.data() == nullptr) GTEST_SKIP() << "not enough memory";
  large_fill(a, LargeValue{});
  pantile::transpose(Host{}, a);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(a, LargeValueTransposed{}), 0);
}

TEST(LargeTranspose, RectangleInPlace) {
  constexpr std::int64_t rows = 2049, cols = (1 << 20) + 1;  // permutations of long columns take much longer
  static_assert(rows * cols > std::int64_t{1} << 31);
  auto const a = large_matrix<Bytes>(rows, cols, 1);
  if (a.data() == nullptr) GTEST_SKIP() << "not enough memory";
  large_fill(a, LargeValue{});
  Unmanaged const b(a.data(), cols, rows);
  pantile::transpose(Host{}, a, b);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(b, LargeValueTransposed{}), 0);
}

template <class T>
class FarTranspose : public ::testing::Test {
 protected:
  static constexpr std::int64_t rows = 67, cols = 70, room = 96;  // of each matrix in a row of the memory
  SparseMemory const memory{far_span(cols) * static_cast<std::int64_t>(sizeof(T))};
  using Matrix = Kokkos::View<T**, Kokkos::LayoutStride, Host>;

  /// \param  place  which of the matrices side by side
  [[nodiscard]] Matrix far(std::int64_t m, std::int64_t n, bool by_rows, int place) const {
    auto const layout = by_rows ? Kokkos::LayoutStride(m, far_apart, n, 1) : Kokkos::LayoutStride(m, 1, n, far_apart);
    return Matrix(memory.as<T>() + place * room, layout);
  }
  [[nodiscard]] static Matrix dense(std::int64_t m, std::int64_t n) {
    return Kokkos::View<T**, Kokkos::LayoutRight, Host>("dense", m, n);
  }

  /// Few rows: nothing for threads.
  static void fill(Matrix const& a) {
    for (std::size_t i = 0; i < a.extent(0); ++i) {
      for (std::size_t j = 0; j < a.extent(1); ++j) a(i, j) = T(large_value(i, j));
    }
  }
  static std::int64_t wrong(Matrix const& transposed) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < transposed.extent(0); ++i) {
      for (std::size_t j = 0; j < transposed.extent(1); ++j) count += transposed(i, j) == T(large_value(j, i)) ? 0 : 1;
    }
    return count;
  }
  static void expect_right(Matrix const& a, Matrix const& b) {
    fill(a);
    pantile::transpose(Host{}, a, b);
    Host{}.fence();
    EXPECT_EQ(wrong(b), 0);
  }
};
using Elements = ::testing::Types<std::int8_t, float, double, Kokkos::complex<double>>;
TYPED_TEST_SUITE(FarTranspose, Elements);

TYPED_TEST(FarTranspose, OffsetsBeyond32BitsOnEitherSideAndOnBoth) {
  if (!this->memory.template as<TypeParam>()) GTEST_SKIP() << "no address space";
  auto const rows = this->rows, cols = this->cols;
  for (bool const by_rows : {true, false}) {
    SCOPED_TRACE(by_rows ? "by rows" : "by columns");
    this->expect_right(this->far(rows, cols, by_rows, 0), this->dense(cols, rows));
    this->expect_right(this->dense(rows, cols), this->far(cols, rows, by_rows, 1));
    this->expect_right(this->far(rows, cols, by_rows, 2), this->far(cols, rows, by_rows, 3));
    this->expect_right(this->far(rows, cols, by_rows, 4), this->far(cols, rows, !by_rows, 5));  // a plain copy
  }
}

TYPED_TEST(FarTranspose, InPlace) {
  if (!this->memory.template as<TypeParam>()) GTEST_SKIP() << "no address space";
  for (bool const by_rows : {true, false}) {
    auto const a = this->far(this->cols, this->cols, by_rows, 0);
    this->fill(a);
    pantile::transpose(Host{}, a);
    Host{}.fence();
    EXPECT_EQ(this->wrong(a), 0) << (by_rows ? "by rows" : "by columns");
  }
}

}  // namespace
