// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Addition between inaccessible pages: the host's kernels for every remainder, and the face on every algorithm,
///        with NaN where nothing is read and subnormal numbers.
#include <guarded/faces.hpp>

#include <pantile/add.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pantile::testing {
namespace {

namespace arch = impl::arch;

/// Elements of Parts numbers; c = alpha a + beta b with real factors.
template <class Real, int Parts>
void expect_rows_keep_out(void (*kernel)(arch::adding::Rows<Real> const&)) {
  for (std::size_t cols = 1; cols <= 70; cols += cols < 36 ? 1 : 11) {
    for (Guard const guard : both_guards) {
      for (bool const reads_b : {true, false}) {
        for (bool const past : {true, false}) {
          constexpr std::size_t rows = 3;
          std::size_t const ld = cols + 2;
          Strides const strides{ld * Parts, 1};
          GuardedMatrix<Real> a("A", rows, cols * Parts, strides, guard), b("B", rows, cols * Parts, strides, guard),
              c("C", rows, cols * Parts, strides, guard);
          auto const left = [](std::size_t i, std::size_t j) { return static_cast<Real>(i * 7 + j % 5); };
          auto const right = [](std::size_t i, std::size_t j) { return static_cast<Real>(i + j % 3); };
          a.fill(left);
          b.fill(right);
          auto const step = static_cast<std::int64_t>(ld);
          kernel({a.data(),
                  reads_b ? b.data() : nullptr,
                  c.data(),
                  step,
                  step,
                  step,
                  rows,
                  static_cast<std::int64_t>(cols),
                  {Real(3), Real(0)},
                  {Real(5), Real(0)},
                  past});
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < cols * Parts; ++j) {
              Real const wanted = static_cast<Real>(3 * left(i, j) + (reads_b ? 5 * right(i, j) : 0));
              ASSERT_EQ(c(i, j), wanted) << i << " " << j << " of " << cols << ", " << to_string(guard);
            }
          }
          ASSERT_TRUE(c.gaps_intact()) << cols << ", " << to_string(guard);
        }
      }
    }
  }
}

class AddKernelsBetweenPages : public GuardedFaces {};
TEST_F(AddKernelsBetweenPages, EveryKernel) {
  auto const* const kernels = arch::host_kernels<arch::AddKernels>();
  if (kernels == nullptr) GTEST_SKIP() << "no host kernels in this build";
  expect_rows_keep_out<float, 1>(kernels->float_rows);
  expect_rows_keep_out<double, 1>(kernels->double_rows);
  expect_rows_keep_out<float, 2>(kernels->complex_float_rows);
  expect_rows_keep_out<double, 2>(kernels->complex_double_rows);
  expect_rows_keep_out<std::uint32_t, 1>(kernels->word_rows);
  expect_rows_keep_out<std::uint64_t, 1>(kernels->long_rows);
}

template <class T>
class AddBetweenPages : public GuardedFaces {
 protected:
  using Real = typename impl::RealOf<T>::type;
  static constexpr bool real = !is_integer_v<T>;
  static T poison() {
    if constexpr (real) return T(std::numeric_limits<Real>::quiet_NaN());
    return T(99);
  }
  static T least(int times) {
    if constexpr (real) return T(std::numeric_limits<Real>::denorm_min() * static_cast<Real>(times));
    return T(times);
  }
};
using FaceElements = ::testing::Types<float, Kokkos::complex<double>, std::int64_t>;
TYPED_TEST_SUITE(AddBetweenPages, FaceElements);

// Small multiples of the smallest number. Where a factor is zero the operand holds NaN, and C always does before.
TYPED_TEST(AddBetweenPages, EveryAlgorithm) {
  using T = TypeParam;
  constexpr std::pair<std::size_t, std::size_t> shapes[] = {{1, 1}, {3, 5}, {1, 67}, {67, 1}, {33, 129}, {201, 303}};
  for (auto const& [rows, cols] : shapes) {
    std::size_t turn = 0;
    for (Strides const& strides : all_strides(rows, cols)) {
      for (Strides const& of_c : all_strides(rows, cols)) {
        Guard const guard = turn++ % 2 == 0 ? Guard::behind : Guard::before;
        int const alpha = turn % 3 == 0 ? 0 : 3, beta = turn % 3 == 1 ? 0 : -2;
        GuardedMatrix<T> a("A", rows, cols, strides, guard), b("B", rows, cols, strides, guard);
        auto const left = [](std::size_t i, std::size_t j) { return static_cast<int>(i % 7 + j % 5); };
        auto const right = [](std::size_t i, std::size_t j) { return static_cast<int>(i % 3 + j % 11); };
        a.fill([&](std::size_t i, std::size_t j) { return alpha == 0 ? this->poison() : this->least(left(i, j)); });
        b.fill([&](std::size_t i, std::size_t j) { return beta == 0 ? this->poison() : this->least(right(i, j)); });
        auto const explained = [&](AddAlgorithm x) {
          GuardedMatrix<T> const c("C", rows, cols, of_c, guard);
          explain::add(Host{}, T(alpha), view(a), T(beta), view(b), view(c), {.algorithm = x});
        };
        for (AddAlgorithm const algorithm : accepted<AddAlgorithm>(explained)) {
          GuardedMatrix<T> c("C", rows, cols, of_c, guard);
          add(Host{}, T(alpha), view(a), T(beta), view(b), view(c), {.algorithm = algorithm});
          Host{}.fence();
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < cols; ++j) {
              int const wanted = alpha * left(i, j) + beta * right(i, j);
              ASSERT_EQ(c(i, j), this->least(wanted))
                  << i << " " << j << " " << to_string(algorithm) << ", " << to_string(guard);
            }
          }
          ASSERT_TRUE(c.gaps_intact()) << to_string(algorithm);
        }
      }
    }
  }
}

TYPED_TEST(AddBetweenPages, NumbersThatAreNotFinitePropagate) {
  using T = TypeParam;
  if constexpr (TestFixture::real) {
    using Real = typename TestFixture::Real;
    T const infinite(std::numeric_limits<Real>::infinity());
    for (AddAlgorithm const algorithm : {AddAlgorithm::automatic, AddAlgorithm::naive, AddAlgorithm::grid_stride,
                                         AddAlgorithm::tiled, AddAlgorithm::blocked}) {
      GuardedMatrix<T> a("A", 5, 37, {37, 1}, Guard::behind), b("B", 5, 37, {37, 1}, Guard::before),
          c("C", 5, 37, {37, 1}, Guard::behind);
      a.fill([&](std::size_t, std::size_t j) { return j == 36 ? infinite : j == 0 ? this->poison() : T(1); });
      b.fill([&](std::size_t i, std::size_t j) {
        return i == 4 && j == 36 ? infinite : i == 2 && j == 9 ? this->poison() : T(2);
      });
      add(Host{}, T(1), view(a), T(-1), view(b), view(c), {.algorithm = algorithm});
      Host{}.fence();
      auto const part = [&](std::size_t i, std::size_t j) {
        if constexpr (is_complex_v<T>)
          return c(i, j).real();
        else
          return c(i, j);
      };
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_TRUE(std::isnan(part(i, 0))) << to_string(algorithm);
        EXPECT_FALSE(std::isfinite(part(i, 36))) << to_string(algorithm);
        EXPECT_EQ(part(i, 5), Real(-1)) << to_string(algorithm);
      }
      EXPECT_TRUE(std::isnan(part(4, 36))) << "infinity less infinity, " << to_string(algorithm);
      EXPECT_TRUE(std::isnan(part(2, 9))) << to_string(algorithm);
    }
  }
}

}  // namespace
}  // namespace pantile::testing
