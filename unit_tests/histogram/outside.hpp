// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Samples out of range, of every kind that an index type has, and where among the others they are put.

#include <histogram/samples.hpp>

#include <pantile/histogram.hpp>

#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace pantile::testing {

using HostExec = Kokkos::DefaultHostExecutionSpace;
using AllIndices = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                    std::int64_t, std::uint64_t>;

/// Negative ones, the next and some beyond the extent, and those that fewer bits would take for samples in range.
template <class I>
std::vector<I> samples_outside(std::size_t extent) {
  auto const bins = static_cast<std::int64_t>(extent);
  std::int64_t const byte = 1 << 8, half = 1 << 16, word = std::int64_t{1} << 32;
  std::vector<I> found;
  for (std::int64_t const value : {std::int64_t{-1}, -bins, 3 - byte, -byte / 2, 3 - half, 100 - half, -half / 2,
                                   3 - word, bins, bins + 3, 3 + byte, 2 * byte, 3 + half, 2 * half, 3 + word,
                                   word * (word / 4) + 3, std::numeric_limits<std::int64_t>::min()}) {
    if (std::in_range<I>(value) && (value < 0 || value >= bins)) found.push_back(static_cast<I>(value));
  }
  if (static_cast<std::uint64_t>(std::numeric_limits<I>::max()) >= extent)
    found.push_back(std::numeric_limits<I>::max());
  if constexpr (sizeof(I) == 8 && !std::is_signed_v<I>) found.push_back((std::uint64_t{1} << 63) + 3);
  return found;
}

/// Samples that take every path of the kernels: whole registers, packs and pieces, and what is left behind them.
inline constexpr std::size_t many_samples = 70'003;

/// The first, the middle one, both sides of a piece's end, in the last thread's share, and late ones.
inline constexpr std::size_t places_among_many[] = {0,
                                                    many_samples / 2,
                                                    32'767,
                                                    32'768,
                                                    many_samples - many_samples / 4,
                                                    many_samples - 9,
                                                    many_samples - 2,
                                                    many_samples - 1};

/// The message of the refusal, or that there is none.
template <class F>
std::string refusal_of(F const& call) {
  try {
    call();
  } catch (pantile::Error const& error) {
    return error.what();
  }
  return "not refused";
}

/// "(3,-1)", as errors write it.
template <class I>
std::string text_of(std::vector<I> const& tuple) {
  std::string text;
  for (I const index : tuple) text += (text.empty() ? "(" : ",") + std::to_string(index);
  return text + ")";
}

/// "sample 7 has index (3,-1), which is outside the 2x5 bins".
template <class I>
std::string refusal_text(std::size_t sample, std::vector<I> const& tuple, std::vector<std::size_t> const& extents) {
  std::string bins;
  for (std::size_t const extent : extents) bins += (bins.empty() ? "" : "x") + std::to_string(extent);
  return "sample " + std::to_string(sample) + " has index " + text_of(tuple) + ", which is outside the " + bins +
         " bins";
}

}  // namespace pantile::testing
