// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/arrays.hpp>
#include <support/spaces.hpp>

#include <histogram/samples.hpp>

#include <pantile/histogram.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::HistogramAlgorithm;
using pantile::HistogramOptions;

template <class W>
std::vector<W> random_weights(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<W> result(count);
  for (W& weight : result) weight = random_value<W>(generator);
  return result;
}

template <class TestCase>
class RealWeights : public ::testing::Test {};
using RealCases = CasesOf<float, double>;
TYPED_TEST_SUITE(RealWeights, RealCases);

TYPED_TEST(RealWeights, AreWithinTheBoundOfAnyOrderOfAdditions) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  for (std::size_t const bins : {1, 255, 4001}) {
    std::size_t const samples = 12007;
    auto const indices = random_indices<std::int32_t>(samples, bins, Distribution::skewed, bins);
    auto const weights = random_weights<T>(samples, 5);
    std::vector<long double> wide(bins, 0), magnitude(bins, 0), number(bins, 0);
    for (std::size_t s = 0; s < samples; ++s) {
      auto const bin = static_cast<std::size_t>(indices[s]);
      wide[bin] += weights[s];
      magnitude[bin] += std::abs(weights[s]);
      number[bin] += 1;
    }
    PlacedArray<std::int32_t, Exec, 1> const samples_view("indices", {samples}, indices, Placement::strided);
    PlacedArray<T, Exec, 1> const weights_view("weights", {samples}, weights, Placement::strided);
    for (int run = 0; run < 6; ++run) {
      HistogramAlgorithm const algorithm = all_algorithms[run % 3];
      PlacedArray<T, Exec, 1> const counts("counts", {bins}, Placement::strided);
      pantile::histogram(Exec{}, samples_view.view(), weights_view.view(), counts.view(),
                         {.algorithm = algorithm, .teams = run / 3 * 3});
      Kokkos::fence();
      auto const actual = counts.values();
      for (std::size_t b = 0; b < bins; ++b) {
        // Any order of n additions: |error| <= (n - 1) u sum |w|, to first order (Higham, section 4.2).
        auto const bound = (number[b] + 1) * std::numeric_limits<T>::epsilon() / 2 * magnitude[b] * 1.01L;
        ASSERT_LE(std::abs(actual[b] - wide[b]), bound) << "bin " << b << " of " << bins << to_string(algorithm);
      }
      EXPECT_TRUE(counts.surroundings_intact());
    }
  }
}

TYPED_TEST(RealWeights, OfOneHostThreadAreAddedInRisingOrder) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  if (pantile::impl::arch::Current<Exec>::device) GTEST_SKIP() << "a promise for hosts";
  std::size_t const samples = 30011;
  auto const indices = random_indices<std::int32_t>(samples, 17, Distribution::uniform, 1);
  auto const weights = random_weights<T>(samples, 2);
  auto const expected_of = [&](T initial) {
    return serial_histogram<T>(indices, std::array<std::size_t, 1>{17}, std::vector<T>(17, initial),
                               [&](T& bin, std::size_t s) { bin += weights[s]; })
        .counts;
  };
  PlacedArray<std::int32_t, Exec, 1> const samples_view("indices", {samples}, indices, Placement::right);
  PlacedArray<T, Exec, 1> const weights_view("weights", {samples}, weights, Placement::right);
  for (HistogramAlgorithm const algorithm : all_algorithms) {
    for (bool const accumulate : {false, true}) {
      PlacedArray<T, Exec, 1> const counts("counts", {17}, std::vector<T>(17, T(0.1)), Placement::right);
      pantile::histogram(samples_view.view(), weights_view.view(), counts.view(),
                         {.algorithm = algorithm, .accumulate = accumulate, .teams = 1});
      Kokkos::fence();
      EXPECT_EQ(counts.values(), expected_of(accumulate ? T(0.1) : T(0)));
    }
  }
}

TYPED_TEST(RealWeights, CarryNotANumberAndInfinity) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  T const nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  PlacedArray<std::int64_t, Exec, 1> const indices("indices", {4}, {0, 1, 2, 0}, Placement::right);
  PlacedArray<T, Exec, 1> const weights("weights", {4}, {nan, infinity, T(-1), T(1)}, Placement::right);
  for (int run = 0; run < 6; ++run) {
    PlacedArray<T, Exec, 1> const counts("counts", {4}, {nan, nan, nan, nan}, Placement::right);
    pantile::histogram(indices.view(), weights.view(), counts.view(),
                       {.algorithm = all_algorithms[run % 3], .teams = run / 3 * 4});
    Kokkos::fence();
    auto const actual = counts.values();
    EXPECT_TRUE(std::isnan(actual[0]));
    EXPECT_EQ(actual[1], infinity);
    EXPECT_EQ(actual[2], T(-1));
    EXPECT_EQ(actual[3], T(0));
  }
}

template <class TestCase>
class IntegerWeights : public ::testing::Test {};
using IntegerWeightCases = CasesOf<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(IntegerWeights, IntegerWeightCases);

TYPED_TEST(IntegerWeights, WrapAndAreExactWithIgnoredSamples) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  std::size_t const samples = 12007;
  auto const indices = random_indices<std::int32_t>(samples, 300, Distribution::uniform, 9);
  auto const weights = random_weights<T>(samples, 11);
  auto const expected = serial_histogram<T>(
      indices, std::array<std::size_t, 1>{257}, std::vector<T>(257, T(0)), [&](T& bin, std::size_t s) {
        bin = static_cast<T>(static_cast<std::uint64_t>(bin) + static_cast<std::uint64_t>(weights[s]));
      });
  PlacedArray<std::int32_t, Exec, 1> const samples_view("indices", {samples}, indices, Placement::right);
  PlacedArray<T, Exec, 1> const weights_view("weights", {samples}, weights, Placement::right);
  IgnoredCount<Exec> const ignored;
  for (int run = 0; run < 6; ++run) {
    PlacedArray<T, Exec, 1> const counts("counts", {257}, Placement::right);
    HistogramOptions options = ignored.options(all_algorithms[run % 3]);
    options.teams = run / 3 * 3;
    pantile::histogram(samples_view.view(), weights_view.view(), counts.view(), options);
    Kokkos::fence();
    EXPECT_EQ(ignored.value(), expected.ignored);
    EXPECT_EQ(counts.values(), expected.counts);
    EXPECT_TRUE(counts.surroundings_intact());
  }
}

TEST(MixedWeights, AreConvertedToTheCounts) {
  using Exec = Kokkos::DefaultExecutionSpace;
  PlacedArray<std::int32_t, Exec, 1> const indices("indices", {3}, {1, 0, 1}, Placement::right);
  PlacedArray<std::int8_t, Exec, 1> const bytes("weights", {3}, {-3, 100, 1}, Placement::right);
  PlacedArray<std::int64_t, Exec, 1> const integers("counts", {2}, Placement::right);
  pantile::histogram(indices.view(), bytes.view(), integers.view());
  PlacedArray<float, Exec, 1> const halves("weights", {3}, {0.5F, 2.F, 0.25F}, Placement::right);
  PlacedArray<double, Exec, 1> const reals("counts", {2}, {10., 20.}, Placement::right);
  pantile::histogram(indices.view(), halves.view(), reals.view(), {.accumulate = true});
  Kokkos::fence();
  EXPECT_EQ(integers.values(), (std::vector<std::int64_t>{100, -2}));
  EXPECT_EQ(reals.values(), (std::vector<double>{12., 20.75}));
}

}  // namespace
