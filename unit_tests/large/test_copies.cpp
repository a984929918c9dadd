// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  copy, to_device with another layout, fill and reverse as a host does them by default: more than 2^31
///        elements, and rows far apart.
#include <support/large.hpp>
#include <support/sparse.hpp>

#include <pantile/fill.hpp>
#include <pantile/reverse.hpp>
#include <pantile/transfer.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::FillAlgorithm;
using Host = Kokkos::DefaultHostExecutionSpace;
using Right = Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host>;
using Left = Kokkos::View<std::int8_t**, Kokkos::LayoutLeft, Host>;
using Vector = Kokkos::View<std::int8_t*, Kokkos::LayoutRight, Host, Kokkos::MemoryUnmanaged>;

constexpr std::int64_t rows = 47'400, cols = 47'401, count = rows * cols;
static_assert(count > (std::int64_t{1} << 31));

TEST(LargeCopy, BetweenLayouts) {
  auto const a = large_matrix<Right>(rows, cols, 2);
  if (a.data() == nullptr) GTEST_SKIP() << "not enough memory";
  large_fill(a, LargeValue{});
  auto const b = pantile::to_device<Kokkos::LayoutLeft>(Host{}, a);
  Host{}.fence();
  ASSERT_NE(static_cast<void const*>(b.data()), a.data());
  // Seen by rows, as it lies in memory.
  EXPECT_EQ(large_mismatches(Kokkos::View<std::int8_t const**, Kokkos::LayoutRight, Host, Kokkos::MemoryUnmanaged>(
                                 b.data(), cols, rows),
                             LargeValueTransposed{}),
            0);
}

TEST(LargeCopy, OfRowsWithGapsAndOfOneRow) {
  auto const whole = large_matrix<Right>(rows, cols + 5, 2);
  auto const b = whole.data() == nullptr ? whole : large_matrix<Right>(rows, cols, 1);
  if (b.data() == nullptr) GTEST_SKIP() << "not enough memory";
  auto const a = Kokkos::subview(whole, Kokkos::ALL, Kokkos::pair<std::int64_t, std::int64_t>(3, 3 + cols));
  large_fill(a, LargeValue{});
  pantile::copy(Host{}, b, a);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(b, LargeValue{}), 0);
  Vector const from(b.data(), count), to(whole.data(), count);
  pantile::copy(Host{}, to, from);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(
                Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host, Kokkos::MemoryUnmanaged>(to.data(), rows, cols),
                LargeValue{}),
            0);
}

TEST(LargeFill, ByPlaceAndByValue) {
  auto const a = large_matrix<Right>(rows, cols, 1);
  if (a.data() == nullptr) GTEST_SKIP() << "not enough memory";
  pantile::fill(Host{}, a, LargeValue{});
  Host{}.fence();
  EXPECT_EQ(large_mismatches(a, LargeValue{}), 0);
  pantile::fill(Host{}, a, 7);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(a, [](std::int64_t, std::int64_t) { return std::int8_t{7}; }), 0);
}

/// The elements in falling order.
struct Backwards {
  std::int8_t operator()(std::int64_t i, std::int64_t j) const { return large_value(rows - 1 - i, cols - 1 - j); }
};

TEST(LargeReverse, ElsewhereAndInPlace) {
  auto const a = large_matrix<Right>(rows, cols, 2);
  auto const b = a.data() == nullptr ? a : large_matrix<Right>(rows, cols, 1);
  if (b.data() == nullptr) GTEST_SKIP() << "not enough memory";
  large_fill(a, LargeValue{});
  Vector const x(a.data(), count), y(b.data(), count);
  pantile::reverse(Host{}, x, y);
  pantile::reverse(Host{}, x);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(a, Backwards{}), 0);
  EXPECT_EQ(large_mismatches(b, Backwards{}), 0);
}

template <class T>
class FarCopies : public ::testing::Test {
 protected:
  static constexpr std::int64_t m = 67, n = 70, room = 96;
  SparseMemory const memory{far_span(n) * static_cast<std::int64_t>(sizeof(T))};
  using Matrix = Kokkos::View<T**, Kokkos::LayoutStride, Host>;
  using Numbers = Kokkos::View<T*, Kokkos::LayoutStride, Host>;

  void SetUp() override {
    if (!memory.template as<T>()) GTEST_SKIP() << "no address space";
  }
  [[nodiscard]] Matrix far(bool by_rows, int place) const {
    auto const layout = by_rows ? Kokkos::LayoutStride(m, far_apart, n, 1) : Kokkos::LayoutStride(m, 1, n, far_apart);
    return Matrix(memory.as<T>() + place * room, layout);
  }
  [[nodiscard]] Numbers far_numbers(int place) const {
    return Numbers(memory.as<T>() + place * room, Kokkos::LayoutStride(m, far_apart));
  }
  [[nodiscard]] static Matrix dense(bool by_rows) {
    if (by_rows) return Kokkos::View<T**, Kokkos::LayoutRight, Host>("dense", m, n);
    return Kokkos::View<T**, Kokkos::LayoutLeft, Host>("dense", m, n);
  }
  static void fill(Matrix const& a) {
    for (std::size_t i = 0; i < a.extent(0); ++i) {
      for (std::size_t j = 0; j < a.extent(1); ++j) a(i, j) = T(large_value(i, j));
    }
  }
  template <class View>
  static std::int64_t wrong(View const& a) {
    Host{}.fence();
    std::int64_t found = 0;
    for (std::size_t i = 0; i < a.extent(0); ++i) {
      for (std::size_t j = 0; j < a.extent(1); ++j) found += a(i, j) == T(large_value(i, j)) ? 0 : 1;
    }
    return found;
  }
};
using Elements = ::testing::Types<std::int8_t, float, double, Kokkos::complex<double>>;
TYPED_TEST_SUITE(FarCopies, Elements);

TYPED_TEST(FarCopies, CopyFromThereAndTo) {
  for (bool const by_rows : {true, false}) {
    SCOPED_TRACE(by_rows ? "by rows" : "by columns");
    auto const a = this->far(by_rows, 0), b = this->far(by_rows, 1);
    this->fill(a);
    for (bool const dense_by_rows : {true, false}) {
      auto const dense = this->dense(dense_by_rows);
      pantile::copy(Host{}, dense, a);
      EXPECT_EQ(this->wrong(dense), 0);
      Kokkos::deep_copy(b, TypeParam(1));
      pantile::copy(Host{}, b, dense);
      EXPECT_EQ(this->wrong(b), 0);
    }
    EXPECT_EQ(this->wrong(pantile::device_copy(Host{}, a)), 0);
    EXPECT_EQ(this->wrong(pantile::to_device<Kokkos::LayoutLeft>(Host{}, a)), 0);
  }
}

TYPED_TEST(FarCopies, Fill) {
  for (bool const by_rows : {true, false}) {
    for (Algorithm const algorithm : {Algorithm::automatic, Algorithm::grid_stride}) {
      auto const a = this->far(by_rows, 2);
      Kokkos::deep_copy(a, TypeParam(1));
      pantile::fill(Host{}, a, [](std::int64_t i, std::int64_t j) { return TypeParam(large_value(i, j)); },
                    {.algorithm = algorithm});
      EXPECT_EQ(this->wrong(a), 0) << to_string(algorithm);
    }
  }
}

TYPED_TEST(FarCopies, Reverse) {
  using T = TypeParam;
  auto const x = this->far_numbers(3), y = this->far_numbers(4);
  auto const last = x.extent(0) - 1;
  for (std::size_t p = 0; p <= last; ++p) x(p) = T(large_value(static_cast<std::int64_t>(p), 5));
  pantile::reverse(Host{}, x, y);
  pantile::reverse(Host{}, x);
  Host{}.fence();
  for (std::size_t p = 0; p <= last; ++p) {
    T const expected(large_value(static_cast<std::int64_t>(last - p), 5));
    ASSERT_EQ(x(p), expected) << p;
    ASSERT_EQ(y(p), expected) << p;
  }
}

}  // namespace
