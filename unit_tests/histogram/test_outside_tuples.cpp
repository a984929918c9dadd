// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Samples out of range with weights and in two and three dimensions: a component of a tuple may lie outside
///        while the bin that it leads to would not.
#include <histogram/outside.hpp>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::HistogramAlgorithm;
using pantile::HistogramOptions;
using pantile::OutOfRange;
using ::testing::HasSubstr;

constexpr std::array<std::size_t, 3> all_extents{3, 4, 40};

/// Samples of Rank components in this layout with a weight each, and bins.
template <class I, std::size_t Rank, class Layout>
struct Tuples {
  using Bins = std::conditional_t<Rank == 1, double*, std::conditional_t<Rank == 2, double**, double***>>;
  std::array<std::size_t, Rank> extents;
  std::vector<I> values = std::vector<I>(many_samples * Rank);
  Kokkos::View<I**, Layout, HostExec> indices{"indices", many_samples, Rank};
  Kokkos::View<double*, HostExec> weights{"weights", many_samples};
  Kokkos::View<Bins, Kokkos::LayoutRight, HostExec> counts;
  Kokkos::View<std::uint64_t, HostExec> ignored{"ignored"};

  Tuples() {
    for (std::size_t d = 0; d < Rank; ++d) extents[d] = all_extents[3 - Rank + d];
    for (std::size_t s = 0; s < many_samples; ++s) {
      weights(s) = static_cast<double>(s % 7 + 1);
      for (std::size_t d = 0; d < Rank; ++d) put(s, d, static_cast<I>((s / (d + 1) * 13) % extents[d]));
    }
    if constexpr (Rank == 1) counts = decltype(counts)("counts", extents[0]);
    if constexpr (Rank == 2) counts = decltype(counts)("counts", extents[0], extents[1]);
    if constexpr (Rank == 3) counts = decltype(counts)("counts", extents[0], extents[1], extents[2]);
  }
  void put(std::size_t sample, std::size_t component, I value) {
    values[sample * Rank + component] = value;
    indices(sample, component) = value;
  }
  [[nodiscard]] std::vector<I> tuple(std::size_t sample) const {
    auto const first = values.begin() + static_cast<std::ptrdiff_t>(sample * Rank);
    return {first, first + Rank};
  }
  [[nodiscard]] std::vector<double> result() const { return {counts.data(), counts.data() + counts.size()}; }
};

template <class I, std::size_t Rank, class Layout, bool Weighted>
void expect_refused() {
  Tuples<I, Rank, Layout> t;
  std::vector<double> const before(t.counts.size(), 7);
  for (std::size_t d = 0; d < Rank; ++d) {
    auto const outside = samples_outside<I>(t.extents[d]);
    std::size_t turn = 0;
    for (std::size_t const place : places_among_many) {
      // Each kind at the last place, and one at each of the others.
      std::size_t const kinds = place == many_samples - 1 ? outside.size() : 1;
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        I const inside = t.values[place * Rank + d];
        t.put(place, d, outside[turn % outside.size()]);
        HistogramAlgorithm const algorithm = all_algorithms[turn++ % 3];
        Kokkos::deep_copy(t.counts, 7);
        std::string const text = refusal_of([&] {
          if constexpr (Weighted) {
            pantile::histogram(HostExec{}, t.indices, t.weights, t.counts, {.algorithm = algorithm});
          } else {
            pantile::histogram(HostExec{}, t.indices, t.counts, {.algorithm = algorithm});
          }
        });
        ASSERT_THAT(text, HasSubstr(refusal_text(place, t.tuple(place), {t.extents.begin(), t.extents.end()})));
        ASSERT_EQ(t.result(), before);
        t.put(place, d, inside);
      }
    }
  }
}

template <class I, std::size_t Rank, class Layout, bool Weighted>
void expect_counted() {
  Tuples<I, Rank, Layout> t;
  for (std::size_t turn = 0; turn < 6; ++turn) {
    for (std::size_t p = 0; p < std::size(places_among_many); ++p) {
      std::size_t const d = (p + turn) % Rank, place = places_among_many[p];
      for (std::size_t e = 0; e < Rank; ++e) t.put(place, e, I(1));
      auto const outside = samples_outside<I>(t.extents[d]);
      t.put(place, d, outside[(5 * p + turn) % outside.size()]);
    }
    auto const expected =
        serial_histogram<double>(t.values, t.extents, std::vector<double>(t.counts.size(), 0),
                                 [&](double& bin, std::size_t s) { bin += Weighted ? t.weights(s) : 1; });
    ASSERT_EQ(expected.ignored, std::size(places_among_many));
    for (HistogramAlgorithm const algorithm : all_algorithms) {
      for (int const teams : {0, 1, 3}) {
        HistogramOptions const options{
            .algorithm = algorithm, .out_of_range = OutOfRange::count, .ignored = t.ignored.data(), .teams = teams};
        if constexpr (Weighted) {
          pantile::histogram(HostExec{}, t.indices, t.weights, t.counts, options);
        } else {
          pantile::histogram(HostExec{}, t.indices, t.counts, options);
        }
        HostExec{}.fence();
        ASSERT_EQ(t.ignored(), expected.ignored) << to_string(algorithm) << ", teams " << teams;
        ASSERT_EQ(t.result(), expected.counts) << to_string(algorithm) << ", teams " << teams;
      }
    }
  }
}

template <class I>
class TuplesOutside : public ::testing::Test {};
TYPED_TEST_SUITE(TuplesOutside, AllIndices);

TYPED_TEST(TuplesOutside, AreRefusedWithWeights) { expect_refused<TypeParam, 1, Kokkos::LayoutRight, true>(); }
TYPED_TEST(TuplesOutside, AreRefusedInTwoDimensions) { expect_refused<TypeParam, 2, Kokkos::LayoutRight, false>(); }
TYPED_TEST(TuplesOutside, AreRefusedInThreeDimensions) { expect_refused<TypeParam, 3, Kokkos::LayoutLeft, true>(); }
TYPED_TEST(TuplesOutside, AreCountedWithWeights) { expect_counted<TypeParam, 1, Kokkos::LayoutRight, true>(); }
TYPED_TEST(TuplesOutside, AreCountedInTwoDimensions) { expect_counted<TypeParam, 2, Kokkos::LayoutLeft, true>(); }
TYPED_TEST(TuplesOutside, AreCountedInThreeDimensions) { expect_counted<TypeParam, 3, Kokkos::LayoutRight, false>(); }

}  // namespace
