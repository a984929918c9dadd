// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  reverse, fill, copy and the transposition of rectangles in place, between inaccessible pages.
#include <guarded/faces.hpp>

#include <pantile/fill.hpp>
#include <pantile/reverse.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transpose.hpp>

#include <complex>
#include <cstdint>
#include <utility>

namespace pantile::testing {
namespace {

template <class T>
T number(std::size_t i) {
  return T(static_cast<std::int8_t>(i * 37 % 101));
}

template <class T>
class OthersBetweenPages : public GuardedFaces {};
using FaceElements = ::testing::Types<std::int8_t, float, Kokkos::complex<double>>;
TYPED_TEST_SUITE(OthersBetweenPages, FaceElements);

TYPED_TEST(OthersBetweenPages, Reverse) {
  using T = TypeParam;
  for (std::size_t const count : {0U, 1U, 2U, 3U, 63U, 64U, 65U, 1000U, 5001U}) {
    for (std::size_t const step : {1U, 3U}) {
      for (int const tile : {0, 1, 7, 64}) {
        for (Guard const guard : both_guards) {
          GuardedMatrix<T> x("x", count, 1, {step, 1}, guard), y("y", count, 1, {step, 1}, guard);
          x.fill([](std::size_t i, std::size_t) { return number<T>(i); });
          reverse(Host{}, vector_view(x), vector_view(y), {.tile = tile});
          reverse(Host{}, vector_view(x), {.tile = tile});
          Host{}.fence();
          for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(y(i, 0), number<T>(count - 1 - i)) << i << " of " << count << ", " << to_string(guard);
            ASSERT_EQ(x(i, 0), number<T>(count - 1 - i))
                << "in place " << i << " of " << count << ", " << to_string(guard);
          }
          ASSERT_TRUE(x.gaps_intact() && y.gaps_intact());
        }
      }
    }
  }
}

TYPED_TEST(OthersBetweenPages, FillAndCopy) {
  using T = TypeParam;
  for (auto const& [rows, cols] : {std::pair<std::size_t, std::size_t>{1, 1}, {3, 5}, {1, 67}, {67, 1}, {65, 130}}) {
    for (Strides const& strides : all_strides(rows, cols)) {
      for (Guard const guard : both_guards) {
        GuardedMatrix<T> c("C", rows, cols, strides, guard);
        std::size_t const width = cols;
        auto const explained = [&](FillAlgorithm x) { explain::fill(Host{}, view(c), T(1), {.algorithm = x}); };
        for (FillAlgorithm const algorithm : accepted<FillAlgorithm>(explained)) {
          fill(Host{}, view(c), T(5), {.algorithm = algorithm});
          Host{}.fence();
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < cols; ++j) {
              ASSERT_EQ(c(i, j), T(5)) << to_string(algorithm) << ", " << to_string(guard);
            }
          }
          ASSERT_TRUE(c.gaps_intact());
        }
        GuardedMatrix<T> d("D", rows, cols, strides, guard);
        c.fill([&](std::size_t i, std::size_t j) { return number<T>(i * width + j); });
        copy(Host{}, view(d), view(c));
        Host{}.fence();
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t j = 0; j < cols; ++j) {
            ASSERT_EQ(d(i, j), number<T>(i * width + j)) << "copy, " << to_string(guard);
          }
        }
        ASSERT_TRUE(d.gaps_intact());
      }
    }
  }
}

// The memory of a rectangle holds its transpose afterwards: read back by other extents.
TYPED_TEST(OthersBetweenPages, RectanglesAreTransposedInPlace) {
  using T = TypeParam;
  constexpr std::pair<std::size_t, std::size_t> shapes[] = {{1, 7},   {7, 1},    {2, 3},   {17, 65},
                                                            {65, 17}, {40, 301}, {128, 96}};
  for (auto const& [rows, cols] : shapes) {
    for (Guard const guard : both_guards) {
      GuardedMatrix<T> a("A", rows * cols, 1, {1, 1}, guard);
      a.fill([](std::size_t i, std::size_t) { return number<T>(i); });
      using Rows = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      transpose(Host{}, Rows(a.data(), rows, cols), Rows(a.data(), cols, rows));
      Host{}.fence();
      for (std::size_t i = 0; i < cols; ++i) {
        for (std::size_t j = 0; j < rows; ++j) {
          ASSERT_EQ(a(i * rows + j, 0), number<T>(j * cols + i))
              << i << " " << j << " of " << rows << "x" << cols << ", " << to_string(guard);
        }
      }
      ASSERT_TRUE(a.gaps_intact());
    }
  }
}

}  // namespace
}  // namespace pantile::testing
