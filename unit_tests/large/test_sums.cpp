// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  add, and matmul where it only scales, as a host does them by default: more than 2^31 elements, and rows far
/// apart.
#include <support/large.hpp>
#include <support/sparse.hpp>

#include <pantile/add.hpp>
#include <pantile/matmul.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace pantile::testing;
using Host = Kokkos::DefaultHostExecutionSpace;
using Right = Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host>;
using Left = Kokkos::View<std::int8_t**, Kokkos::LayoutLeft, Host>;
using Inner = Kokkos::View<std::int8_t**, Kokkos::LayoutStride, Host>;

constexpr std::int64_t rows = 47'400, cols = 47'401;  // the last 2000 rows begin beyond 2^31
static_assert((rows - 2000) * cols > (std::int64_t{1} << 31));

/// factor * large_value, modulo 2^8.
struct Times {
  int factor;
  KOKKOS_INLINE_FUNCTION std::int8_t operator()(std::int64_t i, std::int64_t j) const {
    return static_cast<std::int8_t>(factor * large_value(i, j));
  }
};

/// A matrix of which each row has five more elements.
Inner padded(Right const& whole) {
  return Kokkos::subview(whole, Kokkos::ALL, Kokkos::pair<std::int64_t, std::int64_t>(0, cols));
}

TEST(LargeAdd, RowsWithGaps) {
  auto const whole = large_matrix<Right>(rows, cols + 5, 1);
  if (whole.data() == nullptr) GTEST_SKIP() << "not enough memory";
  auto const c = padded(whole);
  large_fill(c, LargeValue{});
  pantile::add(Host{}, 2, c, 3, c, c);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(c, Times{5}), 0);
}

TEST(LargeAdd, OtherLayouts) {
  auto const a = large_matrix<Left>(rows, cols, 2);
  auto const c = a.data() == nullptr ? Right() : large_matrix<Right>(rows, cols, 1);
  if (c.data() == nullptr) GTEST_SKIP() << "not enough memory";
  large_fill(Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host, Kokkos::MemoryUnmanaged>(a.data(), cols, rows),
             LargeValueTransposed{});
  large_fill(c, LargeValue{});
  pantile::add(Host{}, 2, a, 3, c, c);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(c, Times{5}), 0);
}

TEST(LargeScale, BySumsAndByProducts) {
  auto const whole = large_matrix<Right>(rows, cols + 5, 1);
  if (whole.data() == nullptr) GTEST_SKIP() << "not enough memory";
  auto const c = padded(whole);
  large_fill(c, LargeValue{});
  pantile::add(Host{}, 0, c, 3, c, c);
  Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host> const a("A", rows, 1), b("B", 1, cols);
  pantile::matmul(Host{}, 0, a, b, 5, c);
  Host{}.fence();
  EXPECT_EQ(large_mismatches(c, Times{15}), 0);
}

template <class T>
class FarSums : public ::testing::Test {
 protected:
  static constexpr std::int64_t m = 67, n = 70, room = 96;
  SparseMemory const memory{far_span(n) * static_cast<std::int64_t>(sizeof(T))};
  using Matrix = Kokkos::View<T**, Kokkos::LayoutStride, Host>;

  [[nodiscard]] Matrix far(bool by_rows, int place) const {
    auto const layout = by_rows ? Kokkos::LayoutStride(m, far_apart, n, 1) : Kokkos::LayoutStride(m, 1, n, far_apart);
    Matrix const a(memory.as<T>() + place * room, layout);
    fill(a);
    return a;
  }
  [[nodiscard]] static Matrix dense() {
    Matrix const a = Kokkos::View<T**, Kokkos::LayoutRight, Host>("dense", m, n);
    fill(a);
    return a;
  }
  static T value(std::size_t i, std::size_t j) { return T(large_value(i, j) % 16); }
  static void fill(Matrix const& a) {
    for (std::size_t i = 0; i < a.extent(0); ++i) {
      for (std::size_t j = 0; j < a.extent(1); ++j) a(i, j) = value(i, j);
    }
  }
  static std::int64_t wrong(Matrix const& c, int factor) {
    Host{}.fence();
    std::int64_t count = 0;
    for (std::size_t i = 0; i < c.extent(0); ++i) {
      for (std::size_t j = 0; j < c.extent(1); ++j) count += c(i, j) == T(factor) * value(i, j) ? 0 : 1;
    }
    return count;
  }
};
using Elements = ::testing::Types<std::int32_t, float, double, Kokkos::complex<double>>;
TYPED_TEST_SUITE(FarSums, Elements);

TYPED_TEST(FarSums, OffsetsBeyond32BitsInEveryOperand) {
  if (!this->memory.template as<TypeParam>()) GTEST_SKIP() << "no address space";
  for (bool const by_rows : {true, false}) {
    SCOPED_TRACE(by_rows ? "by rows" : "by columns");
    for (int const far : {1, 2, 4, 7}) {
      auto const pick = [&](int bit) { return (far & bit) != 0 ? this->far(by_rows, bit) : this->dense(); };
      auto const a = pick(1), b = pick(2), c = pick(4);
      pantile::add(Host{}, 2, a, 3, b, c);
      EXPECT_EQ(this->wrong(c, 5), 0) << "far: " << far;
    }
    auto const c = this->far(by_rows, 0);
    pantile::add(Host{}, 2, c, 0, c, c);
    EXPECT_EQ(this->wrong(c, 2), 0);
    auto const none = this->dense();
    auto const a = Kokkos::subview(none, Kokkos::ALL, Kokkos::pair(0, 0)),
               b = Kokkos::subview(none, Kokkos::pair(0, 0), Kokkos::ALL);
    pantile::matmul(Host{}, 1, a, b, 3, c);
    EXPECT_EQ(this->wrong(c, 6), 0);
  }
}

}  // namespace
