// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The oracle against cases worked out by hand, and its bound against the theory.
#include <support/matcher.hpp>
#include <support/oracle.hpp>

namespace {

using namespace pantile::testing;

template <class T>
HostMatrix<T> matrix(std::size_t rows, std::size_t cols, std::vector<T> values) {
  HostMatrix<T> result(rows, cols);
  result.values = std::move(values);
  return result;
}

TEST(Oracle, RealByHand) {
  auto const a = matrix<double>(2, 3, {1, 2, 3, 4, 5, 6}), b = matrix<double>(3, 2, {7, 8, 9, 10, 11, 12}),
             c = matrix<double>(2, 2, {1, 2, 3, 4});
  auto const result = reference_matmul(2.0, a, b, -1.0, c);
  EXPECT_TRUE(equal(result.values, matrix<double>(2, 2, {115, 126, 275, 304})));
  // gamma_6 of (2 * 58 + 1).
  double const u = std::ldexp(1.0, -53);
  EXPECT_NEAR(result.bound(0, 0), 6 * u / (1 - 6 * u) * 117, 1e-20);
}

TEST(Oracle, ComplexByHand) {
  using C = Kokkos::complex<double>;
  auto const a = matrix<C>(1, 2, {C(1, 2), C(0, 1)}), b = matrix<C>(2, 1, {C(3, -1), C(2, 0)}),
             c = matrix<C>(1, 1, {C(1, 1)});
  // (1+2i)(3-i) + 2i = 5+7i; i (5+7i) = -7+5i; + 2 (1+i) = -5+7i
  EXPECT_TRUE(equal(reference_matmul(C(0, 1), a, b, C(2, 0), c).values, matrix<C>(1, 1, {C(-5, 7)})));
}

TEST(Oracle, IntegersWrap) {
  auto const most = std::numeric_limits<std::int32_t>::max();
  auto const a = matrix<std::int32_t>(1, 2, {most, most}), b = matrix<std::int32_t>(2, 1, {2, 1}),
             c = matrix<std::int32_t>(1, 1, {0});
  auto const result = reference_matmul<std::int32_t>(1, a, b, 0, c);
  EXPECT_EQ(result.values(0, 0), 2147483645);  // 3 (2^31 - 1) modulo 2^32
  EXPECT_EQ(result.bound(0, 0), 0);
}

TEST(Oracle, ReadsNothingThatTheContractForbids) {
  double const nan = poison<double>();
  auto const nans = matrix<double>(1, 1, {nan}), one = matrix<double>(1, 1, {1});
  EXPECT_EQ(reference_matmul(1.0, one, one, 0.0, nans).values(0, 0), 1);
  EXPECT_EQ(reference_matmul(0.0, nans, nans, 3.0, one).values(0, 0), 3);
  EXPECT_EQ(reference_matmul(nan, HostMatrix<double>(1, 0), HostMatrix<double>(0, 1), 3.0, one).values(0, 0), 3);
  EXPECT_TRUE(std::isnan(reference_matmul(1.0, nans, one, 0.0, one).values(0, 0)));
}

}  // namespace
