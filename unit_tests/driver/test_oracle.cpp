// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --verify calls right and wrong, for results that no kernel gave.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "operations/matmul_oracle.hpp"

namespace pantile::driver {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float most = std::numeric_limits<float>::max();

template <class T>
Array array_of(std::vector<T> const& values, Shape const& shape) {
  Array array{element_type_of<T>, shape, Order::c, AlignedBytes(values.size() * sizeof(T))};
  std::memcpy(array.data(), values.data(), values.size() * sizeof(T));
  return array;
}

/// The verdict on `result` as the product of a row and a column.
template <class T>
Verification verdict(std::vector<T> const& row, std::vector<T> const& column, T result, Scalar alpha = 1) {
  using Element = std::conditional_t<std::is_same_v<T, std::complex<double>>, Kokkos::complex<double>, T>;
  Array const a = array_of(row, {1, row.size()}), b = array_of(column, {column.size(), 1});
  Array c = array_of<T>({result}, {1, 1});
  MatmulTask const task{.a = a, .b = b, .c_in = nullptr, .c = c, .alpha = alpha};
  return MatmulOracle<Element, Element, Element>(task).verify({});
}

bool right(Verification const& verification) { return verification.first_wrong.empty(); }

TEST(MatmulOracle, TakesWhatRoundingExplainsAndNoMore) {
  std::vector<float> const row{1, 1, 1}, ones{1, 1, 1};
  EXPECT_TRUE(right(verdict(row, ones, 3.f)));
  EXPECT_TRUE(right(verdict(row, ones, 3.f + 4e-7f)));
  EXPECT_FALSE(right(verdict(row, ones, 3.f + 4e-6f)));
  EXPECT_FALSE(right(verdict(row, ones, nan)));
  EXPECT_FALSE(right(verdict(row, ones, inf)));
  EXPECT_EQ(verdict(row, ones, 3.f + 4e-7f).unproved, 0);
}

TEST(MatmulOracle, TakesInfinitiesOnlyWhereASumMayOverflow) {
  std::vector<float> const ones{1, 1, 1};
  for (float const result : {0.f, inf, -inf, nan}) {
    Verification const overflowing = verdict<float>({most, most, -most}, ones, result);
    EXPECT_EQ(right(overflowing), result != 0.f) << result;
    EXPECT_EQ(overflowing.unproved, result == 0.f ? 0 : 1) << result;
    EXPECT_EQ(right(verdict<float>({most / 4, most / 4, -most / 4}, ones, result)), false) << result;
  }
  EXPECT_TRUE(right(verdict<float>({most, most, -most}, ones, most)));
  // The sum leaves the range, what alpha makes of it does not.
  EXPECT_TRUE(right(verdict<float>({most, most}, {1, 1}, inf, Scalar::parse("0.25"))));
  EXPECT_TRUE(right(verdict<float>({most, most}, {1, 1}, most / 2, Scalar::parse("0.25"))));
  EXPECT_FALSE(right(verdict<float>({most, most}, {1, 1}, most / 3, Scalar::parse("0.25"))));
}

TEST(MatmulOracle, WantsTheInfinitiesOfOperandsBack) {
  for (float const result : {1.f, inf, -inf, nan}) {
    EXPECT_EQ(right(verdict<float>({inf, 1}, {1, 1}, result)), result == inf) << result;
    EXPECT_EQ(right(verdict<float>({inf, 1}, {-1, 1}, result)), result == -inf) << result;
    EXPECT_EQ(right(verdict<float>({inf, -inf}, {1, 1}, result)), result != result) << result;
    EXPECT_EQ(right(verdict<float>({inf, 1}, {0, 1}, result)), result != result) << result;
  }
}

TEST(MatmulOracle, MultipliesComplexNumbersAsTheTextbookDoes) {
  using Complex = std::complex<double>;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  // (inf + i) (1 + 0 i) = (inf - 0) + (1 + 0 inf) i, of which alpha = 1 + 0 i leaves nothing but NaN.
  std::vector<Complex> const row{{infinity, 1}}, one{{1, 0}};
  EXPECT_TRUE(right(verdict<Complex>(row, one, {not_a_number, not_a_number})));
  EXPECT_FALSE(right(verdict<Complex>(row, one, {infinity, not_a_number})));
  EXPECT_FALSE(right(verdict<Complex>(row, one, {infinity, 1})));
  EXPECT_TRUE(right(verdict<Complex>(row, one, {not_a_number, not_a_number}, Scalar::parse("0,1"))));
  EXPECT_FALSE(right(verdict<Complex>(row, one, {not_a_number, infinity}, Scalar::parse("0,1"))));
}

TEST(MatmulOracle, ScalesTheSubnormalsByAlpha) {
  float const tiny = std::numeric_limits<float>::denorm_min();
  // tiny * 0.5 is lost in the sum, before alpha makes it a number that counts.
  EXPECT_TRUE(right(verdict<float>({tiny}, {0.5f}, 0.f, Scalar::parse("1e38"))));
  EXPECT_FALSE(right(verdict<float>({tiny}, {0.5f}, 1e-3f, Scalar::parse("1e38"))));
}

// Half precision: 11 bits, to which a sum in float is rounded once.
TEST(MatmulOracle, TakesARoundingToHalf) {
  if constexpr (has_half) {
    auto const said = [](std::vector<double> const& row, double column, double result) {
      auto const array = [](std::vector<double> const& values, Shape const& shape) {
        std::vector<Half> halves;
        for (double const value : values) halves.push_back(static_cast<Half>(static_cast<float>(value)));
        Array bytes{ElementType::float16, shape, Order::c, AlignedBytes(values.size() * sizeof(Half))};
        std::memcpy(bytes.data(), halves.data(), bytes.storage.size());
        return bytes;
      };
      Array const a = array(row, {1, row.size()}), b = array(std::vector(row.size(), column), {row.size(), 1});
      Array c = array({result}, {1, 1});
      return MatmulOracle<Half, Half, float>({.a = a, .b = b, .c_in = nullptr, .c = c}).verify({});
    };
    // 2049 lies between two neighbours; the next ones are more than a rounding away.
    EXPECT_TRUE(right(said({2048, 1}, 1, 2048)));
    EXPECT_TRUE(right(said({2048, 1}, 1, 2050)));
    EXPECT_FALSE(right(said({2048, 1}, 1, 2047)));
    EXPECT_FALSE(right(said({2048, 1}, 1, 2052)));
    EXPECT_FALSE(right(said({2048, 1}, 1, nan)));
    EXPECT_TRUE(right(said({inf, 1}, 1, inf)));
    EXPECT_TRUE(right(said({nan, 1}, 1, nan)));
    // Beyond 65504 the result is infinite, below 2^-24 the smallest number or nothing.
    EXPECT_TRUE(right(said({65504, 65504}, 1, inf)));
    EXPECT_FALSE(right(said({32768}, 1, inf)));
    EXPECT_TRUE(right(said({0x1p-24}, 0.5, 0)));
    EXPECT_FALSE(right(said({0x1p-24}, 0.5, 0x1p-20)));
  }
}

TEST(Compounded, IsTheBoundOfSoManyRoundingsForEveryNumberOfThem) {
  double const u = 0x1p-24;
  EXPECT_DOUBLE_EQ(compounded(1, u), u);
  EXPECT_NEAR(compounded(1000, u), 1000 * u, 1000 * 1000 * u * u);
  double before = 0;
  for (double n = 1; n <= 0x1p33; n *= 2) {
    EXPECT_GT(compounded(n, u), before);
    EXPECT_GE(compounded(n, u), n * u);
    before = compounded(n, u);
  }
  EXPECT_EQ(compounded(0x1p40, u), std::numeric_limits<double>::infinity());
}

TEST(Judge, SaysWhereNothingIsProved) {
  Verification verification;
  Judge<float> judge(verification);
  judge.compare(0, 0, 1.5f, 1.0, {1, 0.75, 0, most});
  EXPECT_EQ(verification.unproved, 0);
  judge.compare(0, 0, 1.5f, 1.0, {1, 1.5, 0, most});
  EXPECT_EQ(verification.unproved, 1);
  EXPECT_TRUE(right(verification));
  judge.compare(0, 0, 4.f, 1.0, {1, 1.5, 0, most});
  EXPECT_FALSE(right(verification));
}

}  // namespace
}  // namespace pantile::driver
