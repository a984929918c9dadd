// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Histograms between inaccessible pages: the host's kernels for every remainder, and the face with every
///        algorithm, type of index and of weight.
#include <guarded/faces.hpp>

#include <pantile/histogram.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace pantile::testing {
namespace {

namespace arch = impl::arch;

/// The bin of sample s: all bins are hit, some more often.
std::size_t bin_of(std::size_t s, std::size_t bins) { return (s * s + s / 3) % bins; }

/// Bounds in turn for one number, two and three, each of them just kept, and not kept anywhere.
template <class Word>
void expect_looks_at_all(arch::CountKernel<Word> const& kernel, GuardedMatrix<Word>& numbers, std::size_t count) {
  constexpr std::uint64_t bounds[] = {13, 200, 90};
  numbers.fill([](std::size_t, std::size_t) { return Word(12); });
  for (std::size_t const turns : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    // The last numbers, so that the first is at any place and the last before the guard.
    std::size_t const whole = count - count % turns;
    auto const inside = [&] {
      return kernel.inside(numbers.data() + count % turns, static_cast<std::int64_t>(whole), bounds,
                           static_cast<int>(turns));
    };
    ASSERT_TRUE(inside()) << count << " in turns of " << turns;
    for (std::size_t bad = count % turns; bad < count; bad += bad < 40 || bad + 40 > count ? 1 : 23) {
      std::uint64_t const bound = bounds[(bad - count % turns) % turns];
      numbers.set(bad, 0, static_cast<Word>(bound - 1));
      ASSERT_TRUE(inside()) << bad << " of " << count << " in turns of " << turns;
      numbers.set(bad, 0, static_cast<Word>(bound));
      ASSERT_FALSE(inside()) << bad << " of " << count << " in turns of " << turns;
      numbers.set(bad, 0, Word(12));
    }
  }
}

template <class Word>
void expect_counting_keeps_out(arch::CountKernel<Word> const& kernel) {
  constexpr std::size_t bins = 13;
  for (std::size_t samples = 0; samples <= 600; samples += samples < 140 ? 1 : 57) {
    for (Guard const guard : both_guards) {
      GuardedMatrix<Word> indices("the samples", samples, 1, {1, 1}, guard);
      indices.fill([](std::size_t s, std::size_t) { return static_cast<Word>(bin_of(s, bins)); });
      for (int const number : {1, 4}) {
        auto const step = static_cast<std::size_t>(arch::counting::copy_step(bins));
        // Each copy ends with the bin for samples out of range.
        std::size_t const length = static_cast<std::size_t>(number - 1) * step + bins + 1;
        GuardedMatrix<std::uint32_t> copies("the copies", length, 1, {1, 1}, guard);
        copies.fill([](std::size_t, std::size_t) { return 0; });
        kernel.count({indices.data(), static_cast<std::int64_t>(samples), bins}, copies.data(), number);
        std::vector<std::uint32_t> wanted(bins + 1, 0), counted(bins + 1, 0);
        for (std::size_t s = 0; s < samples; ++s) ++wanted[bin_of(s, bins)];
        for (std::size_t k = 0; k < static_cast<std::size_t>(number); ++k) {
          for (std::size_t b = 0; b <= bins; ++b) counted[b] += copies(k * step + b, 0);
        }
        ASSERT_EQ(counted, wanted) << samples << " samples, " << to_string(guard);
        ASSERT_TRUE(copies.gaps_intact());
      }
      expect_looks_at_all(kernel, indices, samples);
    }
  }
}

class HistogramBetweenPages : public GuardedFaces {};

TEST_F(HistogramBetweenPages, EveryKernel) {
  auto const* const kernels = arch::host_kernels<arch::HistogramKernels>();
  if (kernels == nullptr) GTEST_SKIP() << "no host kernels in this build";
  expect_counting_keeps_out(kernels->bytes);
  expect_counting_keeps_out(kernels->halves);
  expect_counting_keeps_out(kernels->words);
  expect_counting_keeps_out(kernels->longs);
}

/// One thread and many, counting kernels and none, copies of the bins and none.
template <class I, class Bin, bool Weighted>
void expect_counts() {
  for (std::size_t const samples : {1U, 7U, 130U, 2049U, 20001U}) {
    for (std::size_t const bins : {1U, 5U, 100U}) {
      for (std::size_t const step : {1U, 3U}) {
        for (Guard const guard : both_guards) {
          for (HistogramAlgorithm const algorithm :
               {HistogramAlgorithm::automatic, HistogramAlgorithm::global_atomic, HistogramAlgorithm::scratch}) {
            for (int const teams : {0, 1, 3}) {
              GuardedMatrix<I> indices("the indices", samples, 1, {step, 1}, guard);
              GuardedMatrix<double> weights("the weights", samples, 1, {step, 1}, guard);
              GuardedMatrix<Bin> counts("the bins", bins, 1, {step, 1}, guard);
              indices.fill([&](std::size_t s, std::size_t) { return static_cast<I>(bin_of(s, bins)); });
              weights.fill([](std::size_t s, std::size_t) { return static_cast<double>(s % 4); });
              std::vector<Bin> wanted(bins, 0);
              for (std::size_t s = 0; s < samples; ++s) {
                Bin& bin = wanted[bin_of(s, bins)];
                bin = static_cast<Bin>(bin + static_cast<Bin>(Weighted ? s % 4 : 1));
              }
              HistogramOptions const options{.algorithm = algorithm, .teams = teams};
              if constexpr (Weighted) {
                histogram(Host{}, vector_view(indices), vector_view(weights), vector_view(counts), options);
              } else {
                histogram(Host{}, vector_view(indices), vector_view(counts), options);
              }
              Host{}.fence();
              for (std::size_t b = 0; b < bins; ++b) {
                ASSERT_EQ(counts(b, 0), wanted[b]) << samples << " in " << bins << " " << to_string(algorithm)
                                                   << " teams " << teams << ", " << to_string(guard);
              }
              ASSERT_TRUE(counts.gaps_intact());
            }
          }
        }
      }
    }
  }
}

TEST_F(HistogramBetweenPages, Counts) {
  expect_counts<std::int32_t, std::uint32_t, false>();
  expect_counts<std::uint8_t, std::int64_t, false>();
}
TEST_F(HistogramBetweenPages, Weights) { expect_counts<std::int32_t, double, true>(); }

// NaN, infinity and the smallest number: each in the bin that it belongs to; bins that are not added to are not read.
TEST_F(HistogramBetweenPages, WeightsThatAreNotFiniteStayInTheirBins) {
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  double const least = std::numeric_limits<double>::denorm_min();
  double const values[] = {nan, 1, infinity, 2, infinity, -infinity, least, least};
  std::int32_t const places[] = {0, 1, 2, 1, 3, 3, 4, 4};
  for (HistogramAlgorithm const algorithm :
       {HistogramAlgorithm::automatic, HistogramAlgorithm::global_atomic, HistogramAlgorithm::scratch}) {
    GuardedMatrix<std::int32_t> indices("the indices", 8, 1, {1, 1}, Guard::behind);
    GuardedMatrix<double> weights("the weights", 8, 1, {1, 1}, Guard::behind),
        bins("the bins", 5, 1, {1, 1}, Guard::behind);
    indices.fill([&](std::size_t s, std::size_t) { return places[s]; });
    weights.fill([&](std::size_t s, std::size_t) { return values[s]; });
    histogram(Host{}, vector_view(indices), vector_view(weights), vector_view(bins), {.algorithm = algorithm});
    Host{}.fence();
    EXPECT_TRUE(std::isnan(bins(0, 0)));
    EXPECT_EQ(bins(1, 0), 3);
    EXPECT_EQ(bins(2, 0), infinity);
    EXPECT_TRUE(std::isnan(bins(3, 0))) << "infinity less infinity";
    EXPECT_EQ(bins(4, 0), 2 * least);
  }
}

}  // namespace
}  // namespace pantile::testing
