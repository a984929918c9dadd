// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Samples of several distributions, and the serial histogram that they must give.

#include <support/arrays.hpp>

#include <pantile/policy.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace pantile::testing {

enum class Distribution { uniform, all_equal, skewed };
inline constexpr Distribution all_distributions[] = {Distribution::uniform, Distribution::all_equal,
                                                     Distribution::skewed};
inline constexpr HistogramAlgorithm all_algorithms[] = {HistogramAlgorithm::automatic,
                                                        HistogramAlgorithm::global_atomic, HistogramAlgorithm::scratch};

/// The counter of ignored samples, and its value on the host.
template <class Exec>
class IgnoredCount {
 public:
  /// Options of a call that counts into it.
  [[nodiscard]] HistogramOptions options(HistogramAlgorithm algorithm = HistogramAlgorithm::automatic) const {
    return {.algorithm = algorithm, .out_of_range = OutOfRange::count, .ignored = m_one.view().data()};
  }
  /// Call after a fence.
  [[nodiscard]] std::uint64_t value() const { return m_one.values().front(); }

 private:
  PlacedArray<std::uint64_t, Exec, 1> m_one{"ignored", {1}, Placement::right};
};

/// One index below bins per sample; skewed: most of them in the first few bins.
template <class I>
std::vector<I> random_indices(std::size_t samples, std::size_t bins, Distribution distribution, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<I> result(samples);
  for (I& index : result) {
    double const u = unit(generator);
    double const place = distribution == Distribution::uniform ? u : std::pow(u, 12);
    index = distribution == Distribution::all_equal ? static_cast<I>(bins - 1)
                                                    : static_cast<I>(place * static_cast<double>(bins));
  }
  return result;
}

template <class T>
struct SerialHistogram {
  std::vector<T> counts;  ///< row-major
  std::uint64_t ignored = 0;
};

/// \brief  Samples (row-major, samples by extents.size()) into bins, one after the other. add(counts, bin, sample).
template <class T, class I, std::size_t Rank, class Add>
SerialHistogram<T> serial_histogram(std::vector<I> const& indices, std::array<std::size_t, Rank> const& extents,
                                    std::vector<T> initial, Add const& add) {
  SerialHistogram<T> result{std::move(initial)};
  for (std::size_t s = 0; s * Rank < indices.size(); ++s) {
    std::size_t flat = 0;
    bool inside = true;
    for (std::size_t d = 0; d < Rank; ++d) {
      I const index = indices[s * Rank + d];
      inside = inside && !(index < I(0)) && static_cast<std::uint64_t>(index) < extents[d];
      if (inside) flat = flat * extents[d] + static_cast<std::size_t>(index);
    }
    if (inside) {
      add(result.counts[flat], s);
    } else {
      ++result.ignored;
    }
  }
  return result;
}

/// Counting.
template <class T, class I, std::size_t Rank>
SerialHistogram<T> serial_histogram(std::vector<I> const& indices, std::array<std::size_t, Rank> const& extents) {
  std::size_t bins = 1;
  for (std::size_t const extent : extents) bins *= extent;
  return serial_histogram<T>(indices, extents, std::vector<T>(bins, T(0)), [](T& bin, std::size_t) { bin += T(1); });
}

}  // namespace pantile::testing
