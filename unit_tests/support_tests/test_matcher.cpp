// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The matcher that all tests rely on: it must see every kind of difference and name it.
#include <support/matcher.hpp>

#include <gmock/gmock.h>

#include <limits>
#include <string>

namespace {

using namespace pantile::testing;
using ::testing::HasSubstr;
using ::testing::Not;

template <class T>
HostMatrix<T> filled(std::size_t rows, std::size_t cols, T value) {
  HostMatrix<T> result(rows, cols);
  for (T& element : result.values) element = value;
  return result;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

TEST(Matcher, AcceptsEqualMatrices) {
  EXPECT_TRUE(equal(filled(3, 4, 1.5), filled(3, 4, 1.5)));
  EXPECT_TRUE(equal(HostMatrix<double>(0, 5), HostMatrix<double>(0, 5)));
}

TEST(Matcher, NamesIndicesValuesAndBoundOfADifference) {
  auto const expected = filled(3, 4, 1.0);
  auto actual = expected;
  actual(2, 1) = 1.25;
  auto const result = within(actual, expected, filled(3, 4, 0.125));
  EXPECT_FALSE(result);
  EXPECT_STREQ(result.message(), "1 of 12 elements differ:\n  (2,1): 1.25 instead of 1, bound 0.125");
}

TEST(Matcher, ListsTheFirstFiveOfManyDifferences) {
  auto const result = equal(filled(4, 4, 2.0), filled(4, 4, 1.0));
  EXPECT_THAT(result.message(), HasSubstr("16 of 16 elements differ:\n  (0,0)"));
  EXPECT_THAT(result.message(), HasSubstr("(1,0)"));
  EXPECT_THAT(result.message(), Not(HasSubstr("(1,1)")));
}

TEST(Matcher, TheBoundIsPerElementAndIncluded) {
  auto const expected = filled(1, 2, 1.0);
  auto actual = expected;
  actual(0, 1) = 1.5;
  HostMatrix<double> bound(1, 2);
  bound(0, 1) = 0.5;
  EXPECT_TRUE(within(actual, expected, bound));
  bound(0, 1) = 0.25;
  bound(0, 0) = 100;
  EXPECT_FALSE(within(actual, expected, bound));
}

TEST(Matcher, NanEqualsNanOnly) {
  auto const huge = filled(1, 1, inf);
  EXPECT_TRUE(equal(filled(1, 1, nan), filled(1, 1, nan)));
  EXPECT_FALSE(within(filled(1, 1, nan), filled(1, 1, 1.0), huge));
  EXPECT_FALSE(within(filled(1, 1, 1.0), filled(1, 1, nan), huge));
  EXPECT_FALSE(within(filled(1, 1, nan), filled(1, 1, inf), filled(1, 1, 1.0)));
}

TEST(Matcher, ANanBoundAcceptsNothing) {
  EXPECT_FALSE(within(filled(1, 1, 1.0), filled(1, 1, 2.0), filled(1, 1, nan)));
}

TEST(Matcher, InfinitiesEqualThemselvesOnly) {
  EXPECT_TRUE(equal(filled(1, 1, inf), filled(1, 1, inf)));
  EXPECT_FALSE(within(filled(1, 1, inf), filled(1, 1, -inf), filled(1, 1, 1.0)));
  EXPECT_FALSE(within(filled(1, 1, inf), filled(1, 1, 1e308), filled(1, 1, 1e308)));
}

TEST(Matcher, ExtentsMustAgree) {
  EXPECT_STREQ(equal(HostMatrix<double>(2, 3), HostMatrix<double>(3, 2)).message(), "extents 2x3 instead of 3x2");
  EXPECT_FALSE(equal(HostMatrix<double>(0, 3), HostMatrix<double>(0, 2)));
}

TEST(Matcher, IntegersDifferByOne) {
  auto const result = equal(filled(1, 1, std::numeric_limits<std::int64_t>::max()),
                            filled(1, 1, std::numeric_limits<std::int64_t>::max() - 1));
  EXPECT_THAT(result.message(), HasSubstr("9223372036854775807 instead of 9223372036854775806"));
  EXPECT_THAT(equal(filled<std::int8_t>(1, 1, 65), filled<std::int8_t>(1, 1, 66)).message(),
              HasSubstr("65 instead of 66"));
}

TEST(Matcher, ComplexDifferInEitherPart) {
  using C = Kokkos::complex<float>;
  EXPECT_TRUE(equal(filled(1, 1, C(1, 2)), filled(1, 1, C(1, 2))));
  EXPECT_THAT(equal(filled(1, 1, C(1, 2)), filled(1, 1, C(1, 3))).message(), HasSubstr("(1,2) instead of (1,3)"));
  EXPECT_FALSE(equal(filled(1, 1, C(1, 2)), filled(1, 1, C(2, 2))));
  EXPECT_TRUE(within(filled(1, 1, C(3, 4)), filled(1, 1, C(0, 0)), filled(1, 1, 5.0)));
  C const half_nan(1, std::numeric_limits<float>::quiet_NaN());
  EXPECT_FALSE(within(filled(1, 1, half_nan), filled(1, 1, C(1, 0)), filled(1, 1, inf)));
}

}  // namespace
