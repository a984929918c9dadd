// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Views as users have them: every static layout, const, unmanaged, static extents, subviews of any rank.
#include <matmul/cases.hpp>

#include <utility>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using Exec = Kokkos::DefaultExecutionSpace;
using T = float;

/// Copy of a host matrix in any rank-2 View that the default space can write.
template <class View>
void assign(View const& view, HostMatrix<T> const& values) {
  auto const mirror = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < values.rows; ++i) {
    for (std::size_t j = 0; j < values.cols; ++j) mirror(i, j) = values(i, j);
  }
  Kokkos::deep_copy(view, mirror);
}

/// By way of contiguous memory of its own space: Kokkos copies nothing else from a device.
template <class View>
HostMatrix<T> values_of(View const& view) {
  HostMatrix<T> result(view.extent(0), view.extent(1));
  Kokkos::View<T**, Kokkos::LayoutRight, typename View::memory_space> const packed("packed", result.rows, result.cols);
  Kokkos::deep_copy(packed, view);
  auto const mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, packed);
  for (std::size_t i = 0; i < result.rows; ++i) {
    for (std::size_t j = 0; j < result.cols; ++j) result(i, j) = mirror(i, j);
  }
  return result;
}

Call<T> const& a_call() {
  static Call<T> const call({6, 8, 5});
  return call;
}

template <class ViewA, class ViewB, class ViewC>
void expect_right_on(ViewA const& a, ViewB const& b, ViewC const& c) {
  pantile::matmul(Exec{}, a_call().alpha, a, b, a_call().beta, c);
  Kokkos::fence();
  EXPECT_TRUE(within(values_of(c), a_call().reference.values, a_call().reference.bound));
}

template <class LayoutA, class LayoutB, class LayoutC>
void expect_right_with_layouts() {
  Kokkos::View<T**, LayoutA, Exec> const a("a", 6, 5);
  Kokkos::View<T**, LayoutB, Exec> const b("b", 5, 8);
  Kokkos::View<T**, LayoutC, Exec> const c("c", 6, 8);
  assign(a, a_call().a);
  assign(b, a_call().b);
  assign(c, a_call().c);
  expect_right_on(a, b, c);
}

TEST(MatmulViews, EveryTripleOfStaticLayouts) {
  using Right = Kokkos::LayoutRight;
  using Left = Kokkos::LayoutLeft;
  expect_right_with_layouts<Right, Right, Right>();
  expect_right_with_layouts<Right, Right, Left>();
  expect_right_with_layouts<Right, Left, Right>();
  expect_right_with_layouts<Right, Left, Left>();
  expect_right_with_layouts<Left, Right, Right>();
  expect_right_with_layouts<Left, Right, Left>();
  expect_right_with_layouts<Left, Left, Right>();
  expect_right_with_layouts<Left, Left, Left>();
}

class MatmulViewKinds : public ::testing::Test {
 protected:
  MatmulViewKinds() {
    assign(a, a_call().a);
    assign(b, a_call().b);
    assign(c, a_call().c);
  }
  Kokkos::View<T**, Exec> const a{"a", 6, 5}, b{"b", 5, 8}, c{"c", 6, 8};
};

TEST_F(MatmulViewKinds, ConstInputs) {
  expect_right_on(Kokkos::View<T const**, Exec>(a), Kokkos::View<T const**, Exec>(b), c);
}

TEST_F(MatmulViewKinds, RandomAccessInputs) {
  using Random = Kokkos::View<T const**, Exec, Kokkos::MemoryTraits<Kokkos::RandomAccess>>;
  expect_right_on(Random(a), Random(b), c);
}

TEST_F(MatmulViewKinds, UnmanagedViews) {
  using Unmanaged = Kokkos::View<T**, Exec, Kokkos::MemoryUnmanaged>;
  expect_right_on(Unmanaged(a.data(), 6, 5), Unmanaged(b.data(), 5, 8), Unmanaged(c.data(), 6, 8));
}

TEST_F(MatmulViewKinds, StaticExtents) {
  expect_right_on(Kokkos::View<T[6][5], Exec>(a), Kokkos::View<T* [8], Exec>(b), Kokkos::View<T[6][8], Exec>(c));
}

TEST_F(MatmulViewKinds, TheDefaultInstance) {
  pantile::matmul(a_call().alpha, a, b, a_call().beta, c);
  Kokkos::fence();
  EXPECT_TRUE(within(values_of(c), a_call().reference.values, a_call().reference.bound));
}

TEST_F(MatmulViewKinds, SubviewsOfALargerMatrix) {
  Kokkos::View<T**, Exec> const big("big", 20, 30);
  auto const part = [&](int i, int rows, int j, int cols) {
    return Kokkos::subview(big, std::pair(i, i + rows), std::pair(j, j + cols));
  };
  auto const pa = part(1, 6, 1, 5), pb = part(8, 5, 1, 8), pc = part(1, 6, 10, 8);
  Kokkos::deep_copy(pa, a);
  Kokkos::deep_copy(pb, b);
  Kokkos::deep_copy(pc, c);
  expect_right_on(pa, pb, pc);
  // What belongs to none of them stays as it is.
  auto const rest = values_of(big);
  EXPECT_EQ(rest(0, 0), 0);
  EXPECT_EQ(rest(1, 9), 0);
  EXPECT_EQ(rest(7, 10), 0);
  EXPECT_EQ(rest(1, 18), 0);
}

TEST_F(MatmulViewKinds, SlicesOfHigherRanks) {
  Kokkos::View<T***, Kokkos::LayoutRight, Exec> const stack("stack", 6, 3, 8);
  Kokkos::View<T***, Kokkos::LayoutLeft, Exec> const cube("cube", 4, 6, 8);
  auto const middle = Kokkos::subview(stack, Kokkos::ALL, 1, Kokkos::ALL);  // rows 24 apart
  auto const strided = Kokkos::subview(cube, 2, Kokkos::ALL, Kokkos::ALL);  // neither direction contiguous
  pantile::matmul(1, a, b, 0, middle);
  pantile::matmul(1, a, b, 0, strided);
  pantile::matmul(1, a, b, 0, c);
  Kokkos::View<T**, Exec> const packed("packed", 6, 8);
  Kokkos::deep_copy(packed, middle);
  EXPECT_TRUE(equal(values_of(packed), values_of(c)));
  Kokkos::deep_copy(packed, strided);
  EXPECT_TRUE(equal(values_of(packed), values_of(c)));
  auto const below = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, stack);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 8; ++j) EXPECT_TRUE(below(i, 0, j) == 0 && below(i, 2, j) == 0);
  }
}

/// Parts of larger matrices, down to one row or column of them: the product is right, and nothing beside C is written.
template <class LayoutA, class LayoutB, class LayoutC>
void expect_parts_right() {
  auto const value = [](std::size_t i, std::size_t j) { return T(static_cast<int>((i * 7 + j * 3) % 5) - 2); };
  auto const fill = [&](auto const& view) {
    auto const host = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      for (std::size_t j = 0; j < host.extent(1); ++j) host(i, j) = value(i, j);
    }
    Kokkos::deep_copy(view, host);
  };
  for (int const m : {1, 2, 5, 17, 40}) {
    for (int const n : {1, 2, 5, 17, 40}) {
      for (int const k : {1, 3, 20}) {
        Kokkos::View<T**, LayoutA, Exec> const as("A", m + 3, k + 2);
        Kokkos::View<T**, LayoutB, Exec> const bs("B", k + 3, n + 2);
        Kokkos::View<T**, LayoutC, Exec> const cs("C", m + 3, n + 2);
        fill(as);
        fill(bs);
        fill(cs);
        auto const part = [](auto const& view, int rows, int cols) {
          return Kokkos::subview(view, std::pair(2, 2 + rows), std::pair(1, 1 + cols));
        };
        pantile::matmul(T(1), part(as, m, k), part(bs, k, n), T(1), part(cs, m, n));
        Kokkos::fence();
        auto const result = values_of(cs);
        for (int i = 0; i < m + 3; ++i) {
          for (int j = 0; j < n + 2; ++j) {
            T expected = value(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
            bool const inside = i >= 2 && i < 2 + m && j >= 1 && j < 1 + n;
            for (int p = 0; inside && p < k; ++p) {
              expected += value(static_cast<std::size_t>(i), static_cast<std::size_t>(p + 1)) *
                          value(static_cast<std::size_t>(p + 2), static_cast<std::size_t>(j));
            }
            ASSERT_EQ(result(static_cast<std::size_t>(i), static_cast<std::size_t>(j)), expected)
                << m << "x" << n << "x" << k << " at " << i << ", " << j;
          }
        }
      }
    }
  }
}

TEST(MatmulViews, PartsDownToOneRowOrColumn) {
  using Right = Kokkos::LayoutRight;
  using Left = Kokkos::LayoutLeft;
  expect_parts_right<Right, Right, Right>();
  expect_parts_right<Right, Left, Left>();
  expect_parts_right<Left, Right, Left>();
  expect_parts_right<Left, Left, Right>();
  expect_parts_right<Left, Left, Left>();
}

// One row of A and one column of B used again and again: strides of zero are fine for what is only read.
TEST(MatmulViews, BroadcastInputs) {
  Kokkos::View<T*, Exec> const x("x", 4);
  Kokkos::deep_copy(x, T(2));
  Kokkos::View<T const**, Kokkos::LayoutStride, Exec> const rows(x.data(), Kokkos::LayoutStride(3, 0, 4, 1));
  Kokkos::View<T const**, Kokkos::LayoutStride, Exec> const cols(x.data(), Kokkos::LayoutStride(4, 1, 5, 0));
  Kokkos::View<T**, Exec> const c("c", 3, 5);
  for (Algorithm const algorithm : own_algorithms) {
    pantile::matmul(1, rows, cols, 0, c, {.algorithm = algorithm});
    Kokkos::fence();
    HostMatrix<T> expected(3, 5);
    for (T& value : expected.values) value = T(16);
    EXPECT_TRUE(equal(values_of(c), expected));
  }
}

// One column of A, one row of B used for every step of k; tiny, small and larger.
TEST(MatmulViews, BroadcastAlongTheSum) {
  for (int const n : {1, 3, 20, 60, 130}) {
    int const m = n + 1, k = n + 4;
    Kokkos::View<T*, Exec> const x("x", m);
    Kokkos::deep_copy(x, T(2));
    Kokkos::View<T**, Kokkos::LayoutRight, Exec> const b("b", k, n), c("c", m, n);
    Kokkos::View<T**, Kokkos::LayoutLeft, Exec> const left("c", n, m);
    Kokkos::deep_copy(b, T(3));
    Kokkos::View<T const**, Kokkos::LayoutStride, Exec> const column(x.data(), Kokkos::LayoutStride(m, 1, k, 0));
    Kokkos::View<T const**, Kokkos::LayoutStride, Exec> const row(x.data(), Kokkos::LayoutStride(k, 0, m, 1));
    pantile::matmul(1, column, b, 0, c);
    pantile::matmul(1, b, row, 0, left, {.op_a = pantile::Op::transpose});
    Kokkos::fence();
    for (T const value : values_of(c).values) ASSERT_EQ(value, T(6 * k)) << n;
    for (T const value : values_of(left).values) ASSERT_EQ(value, T(6 * k)) << n;
  }
}

TEST(MatmulViews, EmptyResultsAreNoError) {
  Kokkos::View<T**, Exec> const a("a", 0, 4), b("b", 4, 0), tall("tall", 5, 4), wide("wide", 4, 5);
  Kokkos::View<T**, Exec> const c0("c", 0, 5), c1("c", 5, 0), c2("c", 0, 0);
  EXPECT_NO_THROW(pantile::matmul(1, a, wide, 0, c0));
  EXPECT_NO_THROW(pantile::matmul(1, tall, b, 0, c1));
  EXPECT_NO_THROW(pantile::matmul(1, a, b, 0, c2));
  EXPECT_NO_THROW(
      pantile::matmul(1, Kokkos::View<T**, Exec>(), Kokkos::View<T**, Exec>(), 0, Kokkos::View<T**, Exec>()));
}

}  // namespace
