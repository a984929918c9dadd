// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The hosts' counts of 32 bits are added to the bins before they overflow. Of more samples than there is
///        memory: the kernels of this test's instruction set take all samples for equal and look at none.
#include <pantile/histogram.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace {

using pantile::impl::Index;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace arch = pantile::impl::arch;
namespace histogram = pantile::impl::histogram;

/// Where the samples lie that were counted, and how many bytes.
std::map<std::uintptr_t, std::uintptr_t> counted;
std::mutex counted_mutex;

/// All samples in bin 1 of every copy in turn; the odd ones in the last. As many as the kernels' contract allows.
template <class Word>
void count_in_bin_1(arch::counting::Samples<Word> const& samples, std::uint32_t* copies, int number) {
  EXPECT_LT(samples.count, std::int64_t{1} << 32);
  {
    std::scoped_lock const lock(counted_mutex);
    auto const bytes = static_cast<std::uintptr_t>(samples.count) * sizeof(Word);
    EXPECT_TRUE(bytes == 0 || counted.emplace(reinterpret_cast<std::uintptr_t>(samples.data), bytes).second);
  }
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

TYPED_TEST(HistogramRounds, EndBeforeCountsOverflow) {
  using I = TypeParam;
  Exec const exec;
  I const no_samples[1] = {};
  for (Index const samples : numbers_of_samples) {
    for (int const copies : {1, 4}) {
      for (bool const accumulate : {false, true}) {
        std::uint64_t counts[3] = {100, 100, 100}, ignored = 7;
        histogram::Problem<I, histogram::Absent, std::uint64_t, 1> const p{
            {no_samples, samples, 1, 1, 0}, {}, {counts, {3}, {1}}, &ignored, accumulate};
        histogram::Plan plan;
        plan.teams = 2;
        plan.copies = copies;
        plan.scratch_bytes = 1024;
        counted.clear();
        EXPECT_TRUE(histogram::count_in_copies(exec, p, plan, &equal_samples, "rounds"));
        auto end = reinterpret_cast<std::uintptr_t>(no_samples);
        for (auto const& [begin, bytes] : counted) {
          EXPECT_EQ(begin, end) << "samples after those before";
          end = begin + bytes;
        }
        std::uint64_t const before = accumulate ? 100 : 0;
        EXPECT_EQ(counts[0], before);
        EXPECT_EQ(counts[1], before + static_cast<std::uint64_t>(samples)) << copies << " copies";
        EXPECT_EQ(counts[2], before);
        EXPECT_EQ(ignored, accumulate ? 7U : 0U);
      }
    }
  }
}

}  // namespace
