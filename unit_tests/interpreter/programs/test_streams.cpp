// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Additions and histograms of more elements than their launches have threads: what an interpreter counts here
///        is the work of the kernels' loops.
#include <add/cases.hpp>
#include <histogram/samples.hpp>

#include <pantile/histogram.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace {

using namespace pantile::testing;
using pantile::AddAlgorithm;
using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
class AddStreams : public ::testing::Test {};
using Elements = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double, Kokkos::complex<float>,
                                  Kokkos::complex<double>>;
TYPED_TEST_SUITE(AddStreams, Elements);

TYPED_TEST(AddStreams, OfWholePacks) {
  auto const a = random_matrix<TypeParam>(64, 1024, 1), b = random_matrix<TypeParam>(64, 1024, 2);
  expect_sum(Exec{}, Sum<TypeParam>(scalar<TypeParam>(2, 1), a, scalar<TypeParam>(3, 2), b),
             {.algorithm = AddAlgorithm::blocked});
}

constexpr std::size_t bins = 256, samples = std::size_t{1} << 16;

template <class I, class Word>
void expect_counted(pantile::HistogramAlgorithm algorithm) {
  auto const indices = random_indices<I>(4 * samples, bins, Distribution::uniform, 1);
  PlacedArray<I, Exec, 1> const samples_view("indices", {indices.size()}, indices, Placement::right);
  PlacedArray<Word, Exec, 1> const counts("counts", {bins}, Placement::right);
  pantile::histogram(Exec{}, samples_view.view(), counts.view(), {.algorithm = algorithm});
  Exec{}.fence();
  EXPECT_EQ(counts.values(), (serial_histogram<Word>(indices, std::array{bins}).counts));
}

template <class Word>
class CountingStreams : public ::testing::Test {};
using Words = ::testing::Types<std::uint32_t, std::uint64_t, double>;
TYPED_TEST_SUITE(CountingStreams, Words);

TYPED_TEST(CountingStreams, OfSamplesInEitherWidth) {
  for (auto const algorithm : {pantile::HistogramAlgorithm::scratch, pantile::HistogramAlgorithm::global_atomic}) {
    expect_counted<std::int32_t, TypeParam>(algorithm);
    expect_counted<std::int64_t, TypeParam>(algorithm);
  }
}

/// Pairs of indices, which the counting kernels do not take.
TEST(TupleStreams, OfPairsInBinsOf64Bits) {
  for (auto const algorithm : {pantile::HistogramAlgorithm::scratch, pantile::HistogramAlgorithm::global_atomic}) {
    auto const indices = random_indices<std::int32_t>(2 * samples, 16, Distribution::uniform, 1);
    PlacedArray<std::int32_t, Exec, 2> const samples_view("indices", {samples, 2}, indices, Placement::right);
    PlacedArray<std::uint64_t, Exec, 2> const counts("counts", {16, 16}, Placement::right);
    pantile::histogram(Exec{}, samples_view.view(), counts.view(), {.algorithm = algorithm});
    Exec{}.fence();
    std::array<std::size_t, 2> const extents{16, 16};
    EXPECT_EQ(counts.values(), (serial_histogram<std::uint64_t>(indices, extents).counts));
  }
}

}  // namespace
