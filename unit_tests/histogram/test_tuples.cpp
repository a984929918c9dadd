// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/arrays.hpp>
#include <support/spaces.hpp>

#include <histogram/samples.hpp>

#include <pantile/histogram.hpp>

#include <pantile/impl/arch/device_traits.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::HistogramAlgorithm;

template <class TestCase>
class Tuples : public ::testing::Test {};
using TupleCases = CasesOf<std::uint32_t, std::int64_t, float>;
TYPED_TEST_SUITE(Tuples, TupleCases);

/// Tuples of which one in so many components is out of range, below or above; of none where that is zero.
template <class I, std::size_t Rank>
std::vector<I> random_tuples(std::size_t samples, std::array<std::size_t, Rank> const& extents, unsigned outside) {
  std::mt19937_64 generator(samples);
  std::vector<I> result(samples * Rank);
  for (std::size_t t = 0; t < result.size(); ++t) {
    auto const extent = static_cast<std::int64_t>(extents[t % Rank]);
    result[t] = static_cast<I>(std::uniform_int_distribution<std::int64_t>(0, extent - 1)(generator));
    if (outside != 0 && generator() % outside == 0) result[t] = static_cast<I>(generator() % 2 == 0 ? -1 : extent);
  }
  return result;
}

template <class Exec, class T, class I, std::size_t Rank>
void expect_serial_counts(std::size_t samples, std::array<std::size_t, Rank> const& extents, unsigned outside = 50) {
  auto const tuples = random_tuples<I>(samples, extents, outside);
  auto const expected = serial_histogram<T>(tuples, extents);
  IgnoredCount<Exec> const ignored;
  // Samples in range that lie side by side fall also into bins that do not.
  int turn = outside == 0 ? 1 : 0;
  for (Placement const placement : all_placements) {
    PlacedArray<I, Exec, 2> const indices("indices", {samples, Rank}, tuples, placement);
    PlacedArray<T, Exec, Rank> const counts("counts", extents, all_placements[turn++ * 2 % 5]);
    for (HistogramAlgorithm const algorithm : all_algorithms) {
      pantile::histogram(Exec{}, indices.view(), counts.view(), ignored.options(algorithm));
      Kokkos::fence();
      EXPECT_EQ(ignored.value(), expected.ignored);
      EXPECT_EQ(counts.values(), expected.counts) << to_string(algorithm);
      EXPECT_TRUE(counts.surroundings_intact());
    }
  }
}

TYPED_TEST(Tuples, FillTwoDimensionsInEveryPlacement) {
  expect_serial_counts<typename TypeParam::Exec, typename TypeParam::T, std::int32_t, 2>(5003, {7, 31});
  expect_serial_counts<typename TypeParam::Exec, typename TypeParam::T, std::int32_t, 2>(5003, {7, 31}, 0);
  expect_serial_counts<typename TypeParam::Exec, typename TypeParam::T, std::int32_t, 2>(100, {1, 1});
}

TYPED_TEST(Tuples, FillThreeDimensionsInEveryPlacement) {
  expect_serial_counts<typename TypeParam::Exec, typename TypeParam::T, std::int64_t, 3>(5003, {5, 3, 11});
  expect_serial_counts<typename TypeParam::Exec, typename TypeParam::T, std::int64_t, 3>(5003, {5, 3, 11}, 0);
}

/// More bins than one thread clears and adds up: shares begin and end within rows.
TYPED_TEST(Tuples, FillBinsThatThreadsShare) {
  if (pantile::impl::arch::Current<typename TypeParam::Exec>::device) GTEST_SKIP() << "of hosts";
  expect_serial_counts<typename TypeParam::Exec, typename TypeParam::T, std::int32_t, 2>(5003, {211, 331});
}

TEST(TupleColumns, MayBeOne) {
  using Exec = Kokkos::DefaultExecutionSpace;
  PlacedArray<std::int16_t, Exec, 2> const indices("indices", {3, 1}, {1, 1, 0}, Placement::right);
  PlacedArray<std::int32_t, Exec, 1> const counts("counts", {2}, Placement::right);
  pantile::histogram(indices.view(), counts.view());
  Kokkos::fence();
  EXPECT_EQ(counts.values(), (std::vector<std::int32_t>{1, 2}));
}

TEST(WeightedTuples, AddTheirWeights) {
  using Exec = Kokkos::DefaultExecutionSpace;
  PlacedArray<std::int32_t, Exec, 2> const indices("indices", {4, 2}, {1, 0, 0, 2, 1, 0, 0, 0}, Placement::left);
  PlacedArray<double, Exec, 1> const weights("weights", {4}, {1.5, 2.5, 4., -1.}, Placement::strided);
  for (HistogramAlgorithm const algorithm : all_algorithms) {
    PlacedArray<double, Exec, 2> const counts("counts", {2, 3}, Placement::padded_left);
    pantile::histogram(indices.view(), weights.view(), counts.view(), {.algorithm = algorithm});
    Kokkos::fence();
    EXPECT_EQ(counts.values(), (std::vector<double>{-1., 0., 2.5, 5.5, 0., 0.}));
  }
}

/// The kernels as devices run them, several threads to a team and interleaved samples, on whatever space there is.
TEST(DeviceKernels, CountTheSameOnAnySpace) {
  namespace impl = pantile::impl;
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  std::array<std::size_t, 2> const extents{9, 14};
  auto const tuples = random_tuples<std::int32_t>(7001, extents, 50);
  auto const expected = serial_histogram<std::uint32_t>(tuples, extents);
  PlacedArray<std::int32_t, Exec, 2> const indices("indices", {7001, 2}, tuples, Placement::right);
  PlacedArray<std::uint32_t, Exec, 2> const counts("counts", extents, Placement::strided);
  IgnoredCount<Exec> const ignored;
  auto const problem = impl::histogram::checked_problem<Exec>(
      impl::histogram::Call{indices.view(), counts.view(), ignored.options(), std::source_location::current()});
  impl::arch::Machine machine = impl::arch::machine(exec);
  machine.device = true;
  for (HistogramAlgorithm const algorithm : {HistogramAlgorithm::global_atomic, HistogramAlgorithm::scratch}) {
    auto plan = impl::histogram::choose(machine, {7001, 126, 4, {.algorithm = algorithm, .teams = 3}});
    ASSERT_EQ(plan.refusal, "");
    plan.team_size = std::min(exec.concurrency(), 2);
    impl::histogram::run<Exec, std::int32_t, impl::histogram::Absent, std::uint32_t, 2, impl::arch::DeviceTraits>(
        exec, problem, plan, impl::histogram::labels<Exec, impl::histogram::Absent, std::uint32_t>());
    Kokkos::fence();
    EXPECT_EQ(ignored.value(), expected.ignored);
    EXPECT_EQ(counts.values(), expected.counts);
    EXPECT_TRUE(counts.surroundings_intact());
  }
}

/// Samples that lie 2^31 elements apart.
TEST(LargeOffsets, AreTakenIn64Bits) {
  using Exec = Kokkos::DefaultExecutionSpace;
  using View = Kokkos::View<std::uint8_t*, Kokkos::LayoutStride, typename Exec::memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  std::size_t const span = (std::size_t{1} << 32) + 16;
  // Untouched pages cost nothing on hosts; on devices this is 4 GB.
  auto const storage = Kokkos::View<std::uint8_t*, typename Exec::memory_space>(
      Kokkos::view_alloc("storage", Kokkos::WithoutInitializing), span);
  std::size_t const stride = std::size_t{1} << 31;
  View const indices(storage.data(), Kokkos::LayoutStride(3, stride));
  for (std::uint8_t s = 0; s < 3; ++s) {
    Kokkos::deep_copy(Kokkos::subview(storage, s * stride), std::uint8_t(s + 1));
  }
  PlacedArray<std::int32_t, Exec, 1> const counts("counts", {5}, Placement::right);
  pantile::histogram(indices, counts.view());
  Kokkos::fence();
  EXPECT_EQ(counts.values(), (std::vector<std::int32_t>{0, 1, 1, 1, 0}));
}

}  // namespace
