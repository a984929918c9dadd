// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The hosts' counts of 32 bits are added to the bins before they overflow. Of more samples than there is
///        memory: the kernels of this test's instruction set take all samples for equal and look at none.
#include <pantile/histogram.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace {

using pantile::impl::Index;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace arch = pantile::impl::arch;
namespace histogram = pantile::impl::histogram;

/// All samples in bin 1 of every copy in turn; the odd ones in the last. As many as the kernels' contract allows.
template <class Word>
void count_in_bin_1(arch::counting::Samples<Word> const& samples, std::uint32_t* copies, int number) {
  EXPECT_LT(samples.count, std::int64_t{1} << 32);
  for (int k = 0; k < number; ++k) {
    std::int64_t const share = samples.count / number + (k == number - 1 ? samples.count % number : 0);
    copies[k * arch::counting::copy_step(samples.bound) + 1] += static_cast<std::uint32_t>(share);
  }
}
template <class Word>
constexpr arch::CountKernel<Word> in_bin_1{&count_in_bin_1<Word>, nullptr};

arch::HistogramKernels const equal_samples{in_bin_1<std::uint8_t>, in_bin_1<std::uint16_t>, in_bin_1<std::uint32_t>,
                                           in_bin_1<std::uint64_t>};

/// Samples of one worker: a few, just below and above 32 bits, many times as many.
constexpr Index numbers_of_samples[] = {5, (Index{1} << 31) + 1, (Index{1} << 32) - 1, (Index{1} << 32) + 7,
                                        (Index{1} << 35) + 3};

template <class I>
class HistogramRounds : public ::testing::Test {};
using IndexTypes = ::testing::Types<std::int8_t, std::uint16_t, std::int32_t, std::uint64_t>;
TYPED_TEST_SUITE(HistogramRounds, IndexTypes);

TYPED_TEST(HistogramRounds, EndBeforeCountsInScratchOverflow) {
  using I = TypeParam;
  I const no_samples[1] = {};
  for (Index const samples : numbers_of_samples) {
    for (int const copies : {1, 4}) {
      std::uint64_t counts[3] = {100, 100, 100}, ignored = 0;
      histogram::Problem<I, histogram::Absent, std::uint64_t, 1> const p{
          {no_samples, 2 * samples, 1, 1, 0}, {}, {counts, {3}, {1}}, &ignored, true};
      Kokkos::TeamPolicy<Exec> policy(Exec{}, 2, 1);
      policy.set_scratch_size(1, Kokkos::PerTeam(1024));
      Kokkos::parallel_for("rounds", policy, histogram::CountingKernel<I, std::uint64_t>{p, &equal_samples, 1, copies});
      Exec{}.fence();
      EXPECT_EQ(counts[0], 100U);
      EXPECT_EQ(counts[1], 100 + 2 * static_cast<std::uint64_t>(samples)) << copies << " copies";
      EXPECT_EQ(counts[2], 100U);
      EXPECT_EQ(ignored, 0U);
    }
  }
}

TYPED_TEST(HistogramRounds, EndBeforeCountsOfOnePassOverflow) {
  using I = TypeParam;
  I const no_samples[1] = {};
  for (Index const samples : numbers_of_samples) {
    for (int const copies : {1, 4}) {
      std::uint64_t sums[4] = {};
      Kokkos::View<std::uint64_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const result(sums, 4);
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>> const workers(Exec{}, 0, 2);
      histogram::CountingSumKernel<I> const kernel{{no_samples, 2 * samples, 1, 1, 0}, &equal_samples, 3, 2, copies, 4};
      Kokkos::parallel_reduce("rounds", workers, kernel, result);
      Exec{}.fence();
      EXPECT_EQ(sums[0], 0U);
      EXPECT_EQ(sums[1], 2 * static_cast<std::uint64_t>(samples)) << copies << " copies";
      EXPECT_EQ(sums[2] + sums[3], 0U);
    }
  }
}

}  // namespace
