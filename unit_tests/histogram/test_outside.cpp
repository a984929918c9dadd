// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Samples out of range of single indices: every index type, kind and place, every algorithm of a host, refused
///        and counted.
#include <histogram/outside.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::HistogramAlgorithm;
using pantile::OutOfRange;
using ::testing::HasSubstr;
using Counts = Kokkos::View<std::int64_t*, HostExec>;

/// Samples next to each other, for which hosts have kernels of their own, or two apart.
template <class I>
struct Samples {
  Kokkos::View<I*, HostExec> memory;
  Kokkos::View<I*, Kokkos::LayoutStride, HostExec> view;

  explicit Samples(std::size_t step)
      : memory("samples", many_samples * step), view(memory.data(), Kokkos::LayoutStride(many_samples, step)) {}
  void fill(std::vector<I> const& values) const {
    for (std::size_t s = 0; s < many_samples; ++s) view(s) = values[s];
  }
};

/// Few bins, that one of many copies holds; one copy; more than the stack takes; more than 16 bits count.
constexpr std::size_t numbers_of_bins[] = {100, 200, 2500, 5000, 40000, 70000};

template <class I>
std::vector<I> samples_inside(std::size_t bins) {
  return random_indices<I>(
      many_samples,
      std::min(bins, static_cast<std::size_t>(std::min<std::uint64_t>(std::numeric_limits<I>::max(), 1 << 20))),
      Distribution::skewed, bins);
}

void reset(Counts const& counts) { Kokkos::deep_copy(counts, 7); }
bool untouched(Counts const& counts) {
  return std::all_of(counts.data(), counts.data() + counts.size(), [](std::int64_t count) { return count == 7; });
}

template <class I>
class SamplesOutside : public ::testing::Test {};
TYPED_TEST_SUITE(SamplesOutside, AllIndices);

TYPED_TEST(SamplesOutside, AreRefusedByNameWhereverTheyAre) {
  using I = TypeParam;
  for (std::size_t const step : {1, 2}) {
    Samples<I> const samples(step);
    for (std::size_t const bins : numbers_of_bins) {
      samples.fill(samples_inside<I>(bins));
      Counts const counts("counts", bins);
      auto const outside = samples_outside<I>(bins);
      auto const expect_refused = [&](std::size_t place, I sample, HistogramAlgorithm algorithm) {
        I const inside = samples.view(place);
        samples.view(place) = sample;
        reset(counts);
        std::string const text = refusal_of([&] {
          pantile::histogram(HostExec{}, samples.view, counts, {.algorithm = algorithm, .accumulate = place % 2 == 0});
        });
        ASSERT_THAT(text, HasSubstr(refusal_text<I>(place, {sample}, {bins}))) << to_string(algorithm);
        ASSERT_TRUE(untouched(counts)) << to_string(algorithm) << ", sample " << place;
        samples.view(place) = inside;
      };
      for (HistogramAlgorithm const algorithm : all_algorithms) {
        for (I const sample : outside) expect_refused(many_samples - 1, sample, algorithm);
        if (outside.empty()) continue;
        for (std::size_t const place : places_among_many) expect_refused(place, outside.front(), algorithm);
      }
    }
  }
}

/// Samples of a host are looked at by pieces: the last of these has one sample.
TYPED_TEST(SamplesOutside, AreRefusedAsTheOnlySampleOfAPiece) {
  using I = TypeParam;
  constexpr std::size_t piece = 1 << 15, count = 2 * piece + 1;
  Kokkos::View<I*, HostExec> const samples("samples", count);
  Counts const counts("counts", 100);
  samples(count - 1) = samples_outside<I>(100).front();
  for (HistogramAlgorithm const algorithm : all_algorithms) {
    reset(counts);
    EXPECT_THAT(refusal_of([&] { pantile::histogram(HostExec{}, samples, counts, {.algorithm = algorithm}); }),
                HasSubstr(refusal_text<I>(count - 1, {samples(count - 1)}, {100})));
    EXPECT_TRUE(untouched(counts));
  }
}

TYPED_TEST(SamplesOutside, TheFirstOfSeveralIsNamed) {
  using I = TypeParam;
  for (std::size_t const step : {1, 2}) {
    Samples<I> const samples(step);
    samples.fill(samples_inside<I>(100));
    Counts const counts("counts", 100);
    I const outside = samples_outside<I>(100).back();
    for (std::size_t const place : {many_samples - 1, many_samples - 3, many_samples / 2, std::size_t{11}}) {
      samples.view(place) = outside;
      reset(counts);
      EXPECT_THAT(refusal_of([&] { pantile::histogram(HostExec{}, samples.view, counts); }),
                  HasSubstr(refusal_text<I>(place, {outside}, {100})));
      EXPECT_TRUE(untouched(counts));
    }
  }
}

/// Where many are out of range, the pieces behind are counted without branches, until one has few of them.
TYPED_TEST(SamplesOutside, AreCountedWhereStretchesHaveMany) {
  using I = TypeParam;
  Kokkos::View<std::uint64_t, HostExec> const ignored("ignored");
  for (std::size_t const bins : {100, 2500}) {
    auto const outside = samples_outside<I>(bins);
    if (outside.empty()) continue;
    auto values = samples_inside<I>(bins);
    for (std::size_t s = 10'000; s < 40'000; ++s) {
      if (s % 3 != 0) values[s] = outside[s % outside.size()];
    }
    auto const expected = serial_histogram<std::int64_t>(values, std::array{bins});
    Samples<I> const samples(1);
    samples.fill(values);
    Counts const counts("counts", bins);
    for (int const teams : {1, 3}) {
      pantile::histogram(HostExec{}, samples.view, counts,
                         {.algorithm = HistogramAlgorithm::scratch,
                          .out_of_range = OutOfRange::count,
                          .ignored = ignored.data(),
                          .teams = teams});
      HostExec{}.fence();
      EXPECT_EQ(ignored(), expected.ignored) << bins << " bins, " << teams << " teams";
      EXPECT_TRUE(std::equal(expected.counts.begin(), expected.counts.end(), counts.data()))
          << bins << " bins, " << teams << " teams";
    }
  }
}

TYPED_TEST(SamplesOutside, AreCountedWhereverTheyAre) {
  using I = TypeParam;
  Kokkos::View<std::uint64_t, HostExec> const ignored("ignored");
  for (std::size_t const bins : numbers_of_bins) {
    auto values = samples_inside<I>(bins);
    auto const outside = samples_outside<I>(bins);
    for (std::size_t turn = 0; turn <= outside.size(); ++turn) {
      for (std::size_t p = 0; !outside.empty() && p < std::size(places_among_many); ++p) {
        values[places_among_many[p]] = outside[(p + turn) % outside.size()];
      }
      auto const expected = serial_histogram<std::int64_t>(values, std::array{bins});
      ASSERT_EQ(expected.ignored, outside.empty() ? 0 : std::size(places_among_many));
      for (std::size_t const step : {1, 2}) {
        Samples<I> const samples(step);
        samples.fill(values);
        Counts const counts("counts", bins);
        for (HistogramAlgorithm const algorithm : all_algorithms) {
          for (int const teams : {0, 1, 3}) {
            pantile::histogram(
                HostExec{}, samples.view, counts,
                {.algorithm = algorithm, .out_of_range = OutOfRange::count, .ignored = ignored.data(), .teams = teams});
            HostExec{}.fence();
            ASSERT_EQ(ignored(), expected.ignored) << bins << " bins, " << to_string(algorithm) << ", teams " << teams;
            ASSERT_TRUE(std::equal(expected.counts.begin(), expected.counts.end(), counts.data()))
                << bins << " bins, " << to_string(algorithm) << ", teams " << teams;
          }
        }
      }
    }
  }
}

TYPED_TEST(SamplesOutside, AreLeftOutWhereTheyAreIgnored) {
  using I = TypeParam;
  for (std::size_t const bins : numbers_of_bins) {
    auto values = samples_inside<I>(bins);
    auto const outside = samples_outside<I>(bins);
    for (std::size_t p = 0; !outside.empty() && p < std::size(places_among_many); ++p) {
      values[places_among_many[p]] = outside[p % outside.size()];
    }
    auto const expected = serial_histogram<std::int64_t>(values, std::array{bins});
    Samples<I> const samples(1);
    samples.fill(values);
    Counts const counts("counts", bins);
    for (HistogramAlgorithm const algorithm : all_algorithms) {
      for (int const teams : {0, 1, 3}) {
        pantile::histogram(HostExec{}, samples.view, counts,
                           {.algorithm = algorithm, .out_of_range = OutOfRange::ignore, .teams = teams});
        HostExec{}.fence();
        ASSERT_TRUE(std::equal(expected.counts.begin(), expected.counts.end(), counts.data()))
            << bins << " bins, " << to_string(algorithm) << ", teams " << teams;
      }
    }
  }
}

}  // namespace
