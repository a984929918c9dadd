// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/arrays.hpp>
#include <support/spaces.hpp>

#include <histogram/samples.hpp>

#include <pantile/histogram.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::HistogramAlgorithm;
using pantile::HistogramOptions;

template <class TestCase>
class Counting : public ::testing::Test {};
using CountCases = CasesOf<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(Counting, CountCases);

TYPED_TEST(Counting, EqualsTheSerialCountsForEveryStrategyAndDistribution) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  Exec const exec;
  for (std::size_t const bins : {1, 2, 255, 256, 257, 100000}) {
    for (Distribution const distribution : all_distributions) {
      std::size_t const samples = bins == 100000 ? 40000 : 9001;
      auto const indices = random_indices<std::int32_t>(samples, bins, distribution, bins);
      auto const expected = serial_histogram<T>(indices, std::array{bins}).counts;
      PlacedArray<std::int32_t, Exec, 1> const samples_view("indices", {samples}, indices, Placement::right);
      for (HistogramAlgorithm const algorithm : all_algorithms) {
        PlacedArray<T, Exec, 1> const counts("counts", {bins}, Placement::right);
        bool const fits = !pantile::impl::arch::Current<Exec>::device || bins < 5000;
        if (algorithm == HistogramAlgorithm::scratch && !fits) continue;
        pantile::histogram(exec, samples_view.view(), counts.view(), {.algorithm = algorithm});
        exec.fence();
        EXPECT_EQ(counts.values(), expected) << bins << " bins, " << to_string(algorithm);
        EXPECT_TRUE(counts.surroundings_intact());
      }
    }
  }
}

TYPED_TEST(Counting, AddsToTheCountsWhenAsked) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  std::vector<std::int64_t> const indices{2, 0, 2, 2};
  PlacedArray<std::int64_t, Exec, 1> const samples("indices", {4}, indices, Placement::strided);
  for (HistogramAlgorithm const algorithm : all_algorithms) {
    PlacedArray<T, Exec, 1> const counts("counts", {3}, {T(5), T(6), T(7)}, Placement::strided);
    pantile::histogram(Exec{}, samples.view(), counts.view(), {.algorithm = algorithm, .accumulate = true});
    Kokkos::fence();
    EXPECT_EQ(counts.values(), (std::vector<T>{6, 6, 10}));
    EXPECT_TRUE(counts.surroundings_intact());
  }
}

TYPED_TEST(Counting, AddsToTheCountsInOnePassAndLeavesThemWhereASampleIsRefused) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  std::vector<std::int32_t> indices(90);
  for (std::size_t s = 0; s < indices.size(); ++s) indices[s] = static_cast<std::int32_t>(s % 3);
  PlacedArray<std::int32_t, Exec, 1> const good("indices", {indices.size()}, indices, Placement::right);
  indices.back() = 3;
  PlacedArray<std::int32_t, Exec, 1> const bad("indices", {indices.size()}, indices, Placement::right);
  PlacedArray<T, Exec, 1> const counts("counts", {3}, {T(5), T(6), T(7)}, Placement::strided);
  pantile::histogram(Exec{}, good.view(), counts.view(), {.accumulate = true});
  Kokkos::fence();
  EXPECT_EQ(counts.values(), (std::vector<T>{35, 36, 37}));
  EXPECT_THROW(pantile::histogram(Exec{}, bad.view(), counts.view()), pantile::Error);
  EXPECT_EQ(counts.values(), (std::vector<T>{35, 36, 37}));
  EXPECT_TRUE(counts.surroundings_intact());
}

TYPED_TEST(Counting, OfNoSamplesIsZeroOrWhatWasThere) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  Kokkos::View<std::int32_t*, Exec> const none("indices", 0);
  PlacedArray<T, Exec, 1> const counts("counts", {3}, {poison<T>(), poison<T>(), poison<T>()}, Placement::strided);
  pantile::histogram(none, counts.view());
  Kokkos::fence();
  EXPECT_EQ(counts.values(), (std::vector<T>{0, 0, 0}));
  PlacedArray<T, Exec, 1> const kept("counts", {2}, {T(4), T(9)}, Placement::right);
  pantile::histogram(none, kept.view(), {.accumulate = true});
  Kokkos::fence();
  EXPECT_EQ(kept.values(), (std::vector<T>{4, 9}));
  Kokkos::View<T*, Exec> const no_bins("counts", 0);
  EXPECT_NO_THROW(pantile::histogram(none, no_bins));
}

TYPED_TEST(Counting, CountsIgnoredSamplesAndWritesThemNowhere) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  Exec const exec;
  auto const low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> indices = random_indices<std::int64_t>(9001, 24, Distribution::uniform, 7);
  for (std::int64_t& index : indices) index -= 2;
  for (std::size_t s = 0; s < indices.size(); s += 97) indices[s] = s % 2 == 0 ? low : high;
  auto const expected = serial_histogram<T>(indices, std::array<std::size_t, 1>{20});
  PlacedArray<std::int64_t, Exec, 1> const samples("indices", {indices.size()}, indices, Placement::strided);
  IgnoredCount<Exec> const ignored;
  for (HistogramAlgorithm const algorithm : all_algorithms) {
    for (Placement const placement : {Placement::right, Placement::strided}) {
      PlacedArray<T, Exec, 1> const counts("counts", {20}, placement);
      for (std::uint64_t const times : {1, 2}) {
        HistogramOptions options = ignored.options(algorithm);
        options.accumulate = times == 2;
        pantile::histogram(exec, samples.view(), counts.view(), options);
        Kokkos::fence();
        EXPECT_EQ(ignored.value(), times * expected.ignored);
      }
      std::vector<T> twice = expected.counts;
      for (T& count : twice) count += count;
      EXPECT_EQ(counts.values(), twice);
      EXPECT_TRUE(counts.surroundings_intact());
    }
  }
}

TYPED_TEST(Counting, OfFewerSamplesThanThreads) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  // Behind the samples lie others: each element of the row is one.
  PlacedArray<std::int32_t, Exec, 1> const row("indices", {5}, {1, 0, 1, 2, 2}, Placement::strided);
  auto const samples = Kokkos::subview(row.view(), std::pair(0, 3));
  for (HistogramAlgorithm const algorithm : all_algorithms) {
    for (int const teams : {0, 1, 3, 4}) {
      PlacedArray<T, Exec, 1> const counts("counts", {3}, Placement::right);
      pantile::histogram(samples, counts.view(), {.algorithm = algorithm, .teams = teams});
      Kokkos::fence();
      EXPECT_EQ(counts.values(), (std::vector<T>{1, 2, 0})) << to_string(algorithm) << ", " << teams << " teams";
    }
  }
}

/// All bins that there are for it, and more.
template <class I, class Exec, class T>
void expect_largest_index_counted() {
  auto const most = static_cast<std::size_t>(std::numeric_limits<I>::max());
  std::vector<I> values(100, I(1));
  for (std::size_t const s : {std::size_t{0}, std::size_t{50}, std::size_t{99}}) values[s] = static_cast<I>(most);
  PlacedArray<I, Exec, 1> const samples("indices", {values.size()}, values, Placement::right);
  IgnoredCount<Exec> const ignored;
  for (std::size_t const bins : {most + 1, most + 2, most + 60}) {
    std::vector<T> expected(bins, T(0));
    expected[1] = T(97);
    expected[most] = T(3);
    bool const fits = !pantile::impl::arch::Current<Exec>::device || bins < 5000;
    for (HistogramAlgorithm const algorithm : all_algorithms) {
      if (algorithm == HistogramAlgorithm::scratch && !fits) continue;
      for (HistogramOptions const& options : {HistogramOptions{.algorithm = algorithm}, ignored.options(algorithm)}) {
        PlacedArray<T, Exec, 1> const counts("counts", {bins}, Placement::right);
        pantile::histogram(samples.view(), counts.view(), options);
        Kokkos::fence();
        EXPECT_EQ(counts.values(), expected) << bins << " bins, " << to_string(algorithm);
      }
      EXPECT_EQ(ignored.value(), 0u);
    }
  }
}

TYPED_TEST(Counting, TakesTheLargestIndexOfItsType) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  expect_largest_index_counted<std::int8_t, Exec, T>();
  expect_largest_index_counted<std::uint8_t, Exec, T>();
  expect_largest_index_counted<std::int16_t, Exec, T>();
}

TYPED_TEST(Counting, IntoNoBinsIgnoresEverySample) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  PlacedArray<std::int32_t, Exec, 1> const samples("indices", {3}, {0, 1, 2}, Placement::right);
  Kokkos::View<T*, Exec> const counts("counts", 0);
  IgnoredCount<Exec> const ignored;
  for (HistogramAlgorithm const algorithm : all_algorithms) {
    pantile::histogram(samples.view(), counts, ignored.options(algorithm));
    Kokkos::fence();
    EXPECT_EQ(ignored.value(), 3u);
  }
}

TYPED_TEST(Counting, WrapsIntegersAndRepeatsItself) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  if constexpr (pantile::is_integer_v<T>) {
    PlacedArray<std::int32_t, Exec, 1> const one("indices", {1}, {0}, Placement::right);
    PlacedArray<T, Exec, 1> const full("counts", {1}, {std::numeric_limits<T>::max()}, Placement::right);
    pantile::histogram(one.view(), full.view(), {.accumulate = true});
    Kokkos::fence();
    EXPECT_EQ(full.values().front(), std::numeric_limits<T>::min());
  }
  auto const indices = random_indices<std::uint8_t>(50000, 200, Distribution::skewed, 3);
  auto const expected = serial_histogram<T>(indices, std::array<std::size_t, 1>{200}).counts;
  PlacedArray<std::uint8_t, Exec, 1> const samples("indices", {indices.size()}, indices, Placement::right);
  PlacedArray<T, Exec, 1> const counts("counts", {200}, Placement::right);
  for (int run = 0; run < 20; ++run) {
    auto const algorithm = all_algorithms[run % 3];
    pantile::histogram(samples.view(), counts.view(), {.algorithm = algorithm, .teams = run / 3});
    Kokkos::fence();
    EXPECT_EQ(counts.values(), expected) << "run " << run;
  }
}

}  // namespace
