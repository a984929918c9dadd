// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Histograms on hosts of more samples than 32 bits count, most of them zeroes that no memory was given to, and
///        of bins and samples far apart.
#include <support/sparse.hpp>

#include <pantile/histogram.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::HistogramAlgorithm;
using ::testing::HasSubstr;
using Host = Kokkos::DefaultHostExecutionSpace;

template <class T>
using Numbers = Kokkos::View<T*, Kokkos::LayoutRight, Host, Kokkos::MemoryUnmanaged>;

constexpr std::int64_t beyond_31 = (std::int64_t{1} << 31) + 9, beyond_32 = (std::int64_t{1} << 32) + 5;

/// Zeroes but for a one behind 2^31 samples, a two behind 2^32 and a three at the end.
class ManySamples : public ::testing::Test {
 protected:
  SparseMemory const memory{beyond_32};
  std::uint8_t* const data = memory.as<std::uint8_t>();

  void SetUp() override {
    if (data == nullptr) GTEST_SKIP() << "no address space";
    data[beyond_31 - 2] = 1;
    data[beyond_32 - 3] = 2;
    data[beyond_32 - 1] = 3;
  }
};

// Bins of 32 bits wrap, and a sample that late is refused by its position.
TEST_F(ManySamples, WrapBinsOf32BitsAndAreRefusedByAllTheirDigits) {
  Numbers<std::uint8_t> const samples(data, beyond_32);
  Kokkos::View<std::uint32_t*, Host> const counts("counts", 4);
  pantile::histogram(Host{}, samples, counts);
  Host{}.fence();
  EXPECT_EQ(counts(0), 2U);
  for (std::size_t b = 1; b < 4; ++b) EXPECT_EQ(counts(b), 1U);
  std::string text = "not refused";
  try {
    pantile::histogram(Host{}, samples, Kokkos::subview(counts, Kokkos::pair(0, 3)));
  } catch (pantile::Error const& error) {
    text = error.what();
  }
  EXPECT_THAT(text, HasSubstr("sample 4294967300 has index (3), which is outside the 3 bins"));
  EXPECT_EQ(counts(0), 2U);
}

// Weights take the kernels for everything. Weights of zero but for the samples told apart, which so come to three.
void expect_weighted(std::uint8_t* data, HistogramAlgorithm algorithm, int teams) {
  SparseMemory const weights(beyond_31);
  auto* const weight = weights.as<std::int8_t>();
  ASSERT_NE(weight, nullptr);
  weight[0] = 5;
  weight[beyond_31 - 2] = 7;
  weight[beyond_31 - 1] = 11;
  Numbers<std::int8_t> const all_weights(weight, beyond_31);
  Numbers<std::uint8_t> const samples(data, beyond_31);
  Kokkos::View<std::int64_t*, Host> const counts("counts", 2);
  Kokkos::View<std::uint64_t, Host> const ignored("ignored");
  pantile::histogram(
      Host{}, samples, all_weights, counts,
      {.algorithm = algorithm, .out_of_range = pantile::OutOfRange::count, .ignored = ignored.data(), .teams = teams});
  Host{}.fence();
  EXPECT_EQ(counts(0), 16);
  EXPECT_EQ(counts(1), 7);
  EXPECT_EQ(ignored(), 0U);
}
TEST_F(ManySamples, WithWeightsInScratch) { expect_weighted(data, HistogramAlgorithm::scratch, 0); }
TEST_F(ManySamples, WithWeightsInTheBinsThemselves) { expect_weighted(data, HistogramAlgorithm::global_atomic, 1); }

/// Bins of any rank whose dimensions in turn are far apart, and pairs of indices, and weights.
TEST(FarHistogram, BinsSamplesAndWeightsBeyond32BitOffsets) {
  constexpr std::int64_t extent = 66, samples = 67, step = far_apart;
  SparseMemory const memory(far_span(70) * 8), bins(far_span(70) * 8);
  if (memory.as<double>() == nullptr || bins.as<double>() == nullptr) GTEST_SKIP() << "no address space";
  using Strided1 = Kokkos::View<double*, Kokkos::LayoutStride, Host>;
  using Strided2 = Kokkos::View<double**, Kokkos::LayoutStride, Host>;
  using Indices = Kokkos::View<std::int64_t*, Kokkos::LayoutStride, Host>;
  using Tuples = Kokkos::View<std::int64_t**, Kokkos::LayoutStride, Host>;
  using Words = Kokkos::View<std::int64_t*, Kokkos::LayoutStride, Host>;
  Kokkos::View<std::int64_t**, Kokkos::LayoutRight, Host> const near("indices", samples, 2);
  Tuples const far_tuples(memory.as<std::int64_t>() + 100, Kokkos::LayoutStride(samples, step, 2, 1));
  Indices const far_indices(memory.as<std::int64_t>() + 200, Kokkos::LayoutStride(samples, step));
  Words const far_weights(memory.as<std::int64_t>() + 300, Kokkos::LayoutStride(samples, step));
  Words const counts(bins.as<std::int64_t>(), Kokkos::LayoutStride(extent, step));
  std::vector<std::int64_t> expected(extent, 0);
  std::vector<double> sums(extent, 0);
  for (std::size_t s = 0; s < samples; ++s) {
    auto const bin = static_cast<std::int64_t>(s * 7 % extent);
    near(s, 0) = far_tuples(s, 0) = far_indices(s) = bin;
    near(s, 1) = far_tuples(s, 1) = bin % 3;
    far_weights(s) = static_cast<std::int64_t>(s) + 1;
    ++expected[static_cast<std::size_t>(bin)];
    sums[static_cast<std::size_t>(bin)] += static_cast<double>(s) + 1;
  }
  for (HistogramAlgorithm const algorithm :
       {HistogramAlgorithm::automatic, HistogramAlgorithm::global_atomic, HistogramAlgorithm::scratch}) {
    SCOPED_TRACE(to_string(algorithm));
    pantile::histogram(Host{}, Kokkos::subview(near, Kokkos::ALL, 0), counts, {.algorithm = algorithm});
    Host{}.fence();
    for (std::size_t b = 0; b < extent; ++b) ASSERT_EQ(counts(b), expected[b]) << b;
    pantile::histogram(Host{}, far_indices, counts, {.algorithm = algorithm});
    Host{}.fence();
    for (std::size_t b = 0; b < extent; ++b) ASSERT_EQ(counts(b), expected[b]) << b;
    Strided1 const far_sums(bins.as<double>(), Kokkos::LayoutStride(extent, step));
    pantile::histogram(Host{}, far_indices, far_weights, far_sums, {.algorithm = algorithm});
    Host{}.fence();
    for (std::size_t b = 0; b < extent; ++b) ASSERT_EQ(far_sums(b), sums[b]) << b;
    for (bool const first_is_far : {true, false}) {
      Strided2 const pairs(bins.as<double>(), first_is_far ? Kokkos::LayoutStride(extent, step, 3, 1)
                                                           : Kokkos::LayoutStride(extent, 1, 3, 30 * step));
      pantile::histogram(Host{}, far_tuples, far_weights, pairs, {.algorithm = algorithm});
      Host{}.fence();
      for (std::size_t b = 0; b < extent; ++b) ASSERT_EQ(pairs(b, b % 3), sums[b]) << b;
    }
  }
}

}  // namespace
