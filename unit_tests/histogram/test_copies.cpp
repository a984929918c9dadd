// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The devices' counting kernel with teams of host threads: interleaved copies of the bins, packs of samples
///        from any address on. The program is started with 16 threads, so that teams are real.
#include <histogram/samples.hpp>

#include <pantile/histogram.hpp>

#include <pantile/impl/arch/device_traits.hpp>
#include <pantile/impl/histogram/launch_device.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::HistogramAlgorithm;
using Exec = Kokkos::DefaultHostExecutionSpace;
using pantile::impl::arch::DeviceTraits;
using pantile::impl::arch::Machine;
namespace histogram = pantile::impl::histogram;

Machine const gpu{"cuda", true, 132 * 2048, 1024, {40936, 0}, 1};

/// Samples from `shift` elements behind a multiple of 64 bytes on, and counts.
template <class I, class Word>
struct Case {
  Kokkos::View<I*, Exec> memory;
  std::vector<Word> counts;
  std::uint64_t ignored = 1000;
  histogram::Problem<I, histogram::Absent, Word, 1> problem;

  Case(std::vector<I> const& samples, std::size_t bins, std::size_t shift)
      : memory("samples", samples.size() + shift), counts(bins, Word(3)) {
    for (std::size_t s = 0; s < samples.size(); ++s) memory(s + shift) = samples[s];
    auto const size = static_cast<pantile::impl::Index>(samples.size());
    problem = {{memory.data() + shift, size, 1, 1, 0},
               {},
               {counts.data(), {static_cast<std::int64_t>(bins)}, {1}},
               &ignored,
               true};
  }
};

template <class Word>
std::vector<Word> plus_three(std::vector<Word> counts) {
  for (Word& count : counts) count += Word(3);
  return counts;
}

/// Count with `teams` teams of four threads and this many copies.
template <class I, class Word>
void expect_counts(std::vector<I> const& samples, std::size_t bins, std::size_t shift, int teams, int copies,
                   std::int64_t round = 1 << 30) {
  Case<I, Word> c(samples, bins, shift);
  auto const expected = serial_histogram<Word>(samples, std::array{bins});
  histogram::DeviceCountingKernel<I, Word> kernel(c.problem, 1, copies);
  kernel.round = round;
  Exec const exec;
  Kokkos::TeamPolicy<Exec> policy(exec, teams, 4);
  policy.set_scratch_size(1, Kokkos::PerTeam(static_cast<int>((bins + 1) * 4 * static_cast<std::size_t>(copies) + 64)));
  Kokkos::parallel_for("copies", policy, kernel);
  exec.fence();
  EXPECT_EQ(c.counts, plus_three(expected.counts))
      << samples.size() << " samples from " << shift << " on, " << bins << " bins, " << teams << " teams, " << copies
      << " copies, rounds of " << round;
  EXPECT_EQ(c.ignored, 1000 + expected.ignored);
}

class HistogramCopies : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Exec{}.concurrency() < 16) GTEST_SKIP() << "needs 16 threads: --kokkos-num-threads=16";
  }
};

template <class I, class Word>
void expect_counts_everywhere() {
  for (std::size_t const bins : {1, 5, 100}) {
    for (std::size_t const size : {1, 3, 16, 17, 300, 9001}) {
      for (Distribution const distribution : all_distributions) {
        auto samples = random_indices<I>(size, bins + 1, distribution, size);
        if (std::numeric_limits<I>::is_signed) samples[size / 2] = std::numeric_limits<I>::min();
        for (std::size_t const shift : {0, 1, 3}) {
          expect_counts<I, Word>(samples, bins, shift, 3, 8);
          expect_counts<I, Word>(samples, bins, shift, 1, 1);
        }
      }
    }
  }
}

TEST_F(HistogramCopies, CountEverySampleOfEveryTypeOnce) {
  expect_counts_everywhere<std::int32_t, std::uint32_t>();
  expect_counts_everywhere<std::int8_t, std::uint64_t>();
  expect_counts_everywhere<std::uint16_t, double>();
  expect_counts_everywhere<std::int64_t, std::uint32_t>();
}

TEST_F(HistogramCopies, FlushBeforeTheirCountsOverflow) {
  auto const samples = random_indices<std::int32_t>(50'000, 40, Distribution::skewed, 11);
  for (std::int64_t const round : {16, 160, 5000})
    expect_counts<std::int32_t, std::uint64_t>(samples, 40, 1, 4, 32, round);
}

/// The first sample out of range, wherever it is.
template <class I>
void expect_first_outside(std::size_t size, std::size_t shift) {
  constexpr I bins = 50;
  std::vector<I> samples(size, I(bins - 1));
  Case<I, std::uint32_t> const c(samples, 50, shift);
  Exec const exec;
  auto const first = [&] {
    pantile::impl::Index result = -1;
    histogram::DeviceCheckKernel<I> const kernel(c.problem.indices, 50);
    Kokkos::parallel_reduce("check",
                            Kokkos::RangePolicy<Exec, Kokkos::IndexType<pantile::impl::Index>>(exec, 0, kernel.count()),
                            kernel, Kokkos::Min<pantile::impl::Index>(result));
    return static_cast<std::size_t>(result);
  };
  EXPECT_EQ(first(), static_cast<std::size_t>(histogram::all_in_range)) << size;
  for (std::size_t at = 0; at < size; at += at < 100 || at + 100 > size ? 1 : 61) {
    c.memory(shift + at) = bins;
    c.memory(shift + size - 1) = static_cast<I>(-1);
    ASSERT_EQ(first(), at) << "of " << size << " from " << shift << " on";
    c.memory(shift + at) = c.memory(shift + size - 1) = bins - 1;
  }
}

TEST(HistogramCheck, FindsTheFirstSampleOutOfRange) {
  for (std::size_t const size : {1, 2, 15, 16, 17, 100, 3000}) {
    for (std::size_t const shift : {0, 1, 3}) {
      expect_first_outside<std::int32_t>(size, shift);
      expect_first_outside<std::int8_t>(size, shift);
      expect_first_outside<std::uint16_t>(size, shift);
      expect_first_outside<std::int64_t>(size, shift);
    }
  }
}

// Negative numbers of 32 bits are refused where there are more bins than those count.
TEST(HistogramCheck, NegativeSamplesAreOutsideOfMoreThan32Bits) {
  std::vector<std::int32_t> const samples{7, std::numeric_limits<std::int32_t>::max(), -1, -5, 7, 7, 7, 7, 7};
  Case<std::int32_t, std::uint32_t> const c(samples, 50, 0);
  pantile::impl::Index first = -1;
  histogram::DeviceCheckKernel<std::int32_t> const kernel(c.problem.indices, std::uint64_t{1} << 33);
  Kokkos::parallel_reduce("check",
                          Kokkos::RangePolicy<Exec, Kokkos::IndexType<pantile::impl::Index>>(0, kernel.count()), kernel,
                          Kokkos::Min<pantile::impl::Index>(first));
  EXPECT_EQ(first, 2);
}

/// What the policy chooses, but for teams that a host can have.
TEST_F(HistogramCopies, PlansOfThePolicyRun) {
  using T = std::int32_t;
  for (std::size_t const bins : {2, 256, 1024, 9000}) {
    auto const samples = random_indices<T>(40'000, bins, Distribution::uniform, bins);
    Case<T, std::uint32_t> c(samples, bins, 0);
    ASSERT_TRUE(histogram::counts<DeviceTraits>(c.problem));
    auto plan = histogram::choose(
        gpu, {c.problem.samples(), c.problem.bins.count(), 4, {.algorithm = HistogramAlgorithm::scratch}, true, false});
    ASSERT_EQ(plan.refusal, "");
    ASSERT_GT(plan.copies, 0);
    plan.team_size = 16;
    plan.scratch_level = 1;
    Exec const exec;
    histogram::run<Exec, T, histogram::Absent, std::uint32_t, 1, DeviceTraits>(
        exec, c.problem, plan, histogram::labels<Exec, histogram::Absent, T>());
    exec.fence();
    auto const expected = serial_histogram<std::uint32_t>(samples, std::array{bins});
    EXPECT_EQ(c.counts, plus_three(expected.counts));
  }
}

/// Counted and checked in one pass: counts wait until it is known that no sample is out of range, in memory of the
/// caller's too.
TEST_F(HistogramCopies, CountsOfRefusedSamplesNeverArrive) {
  using T = std::int32_t;
  constexpr std::size_t bins = 300;
  for (bool const accumulate : {false, true}) {
    auto samples = random_indices<T>(20'000, bins, Distribution::skewed, 7);
    auto const expected = serial_histogram<std::uint64_t>(samples, std::array{bins});
    auto const count = [&](std::vector<T> const& these) {
      Case<T, std::uint64_t> c(these, bins, 1);
      c.problem.accumulate = accumulate;
      c.problem.ignored = nullptr;
      histogram::Query query{c.problem.samples(), c.problem.bins.count(), 8, {}, true, true};
      std::vector<std::byte> memory(histogram::choose(gpu, query).workspace_bytes);
      if (accumulate) query.options.workspace = {memory.data(), memory.size()};
      auto plan = histogram::choose(gpu, query);
      EXPECT_TRUE(plan.one_pass && plan.refusal.empty());
      plan.team_size = 16;
      plan.scratch_level = 1;
      Exec const exec;
      bool const all =
          histogram::run_checked<DeviceTraits>(exec, c.problem, plan, histogram::labels<Exec, histogram::Absent, T>());
      exec.fence();
      bool const worked_there = std::count(memory.begin(), memory.end(), std::byte{0}) < std::ssize(memory);
      EXPECT_EQ(worked_there, accumulate);
      return std::pair(all, c.counts);
    };
    auto const right = count(samples);
    EXPECT_TRUE(right.first);
    EXPECT_EQ(right.second, accumulate ? plus_three(expected.counts) : expected.counts);
    for (T const outside : {T{bins}, T{-1}}) {
      samples[12'345] = outside;
      auto const refused = count(samples);
      EXPECT_FALSE(refused.first);
      EXPECT_EQ(refused.second, std::vector<std::uint64_t>(bins, 3));
    }
  }
}

TEST(HistogramCopiesPolicy, TakesAsManyCopiesAsScratchAndBanksHave) {
  struct Row {
    std::int64_t bins;
    int copies;
    std::size_t bytes;
  };
  for (Row const& row : {Row{1, 32, 256}, Row{256, 32, 257 * 32 * 4}, Row{512, 16, 513 * 16 * 4},
                         Row{1024, 8, 1025 * 8 * 4}, Row{4096, 2, 32784}, Row{10000, 1, 40016}}) {
    auto const plan = histogram::choose(gpu, {1 << 28, row.bins, 8, {}, true, false});
    EXPECT_EQ(plan.algorithm, HistogramAlgorithm::scratch) << row.bins;
    EXPECT_EQ(plan.copies, row.copies) << row.bins;
    EXPECT_EQ(plan.scratch_bytes, row.bytes + 16) << row.bins << ": 32 bits, whatever the bins have";
    EXPECT_EQ(plan.team_size, 512);
    EXPECT_EQ(plan.teams, 132 * 4);
    EXPECT_FALSE(plan.one_pass);
    EXPECT_THAT(plan.reason, ::testing::StartsWith(row.copies > 1 ? "copies of the bins" : "a copy of the bins"));
  }
}

TEST(HistogramCopiesPolicy, LeavesTheRestToTheOthers) {
  auto plan = histogram::choose(gpu, {1 << 28, 256, 4, {}, false, false});
  EXPECT_EQ(plan.copies, 0) << "weights, tuples or strides";
  EXPECT_EQ(plan.team_size, 256);
  plan = histogram::choose(gpu, {1 << 28, 10228, 4, {}, true, false});
  EXPECT_EQ(plan.copies, 0) << "no room for one more bin";
  EXPECT_EQ(plan.algorithm, HistogramAlgorithm::scratch);
  plan = histogram::choose(gpu, {1 << 28, 20000, 4, {}, true, false});
  EXPECT_EQ(plan.algorithm, HistogramAlgorithm::global_atomic);
  EXPECT_EQ(plan.team_size, 256);
  EXPECT_EQ(plan.teams, 1056);
}

}  // namespace
