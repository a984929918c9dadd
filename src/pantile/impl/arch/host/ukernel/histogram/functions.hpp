// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the host kernels of counting histograms take, and the table of them for one instruction set.

#include <cstdint>

namespace pantile::impl::arch {

namespace counting {

/// Bin numbers next to each other, seen as unsigned ones: what is not below the bound is out of range.
template <class Word>
struct Samples {
  Word const* data;
  std::int64_t count;
  std::uint64_t bound;
};

/// Bins from copy to copy: odd, so that equal bins of two copies never agree in the address bits by which loads are
/// held against earlier stores (perf_tests/notes/tuning.md).
constexpr std::int64_t copy_step(std::uint64_t bound) { return static_cast<std::int64_t>((bound + 1) | 1); }

}  // namespace counting

/// Kernels of one instruction set for one width of bin numbers.
template <class Word>
struct CountKernel {
  /// copies[k * copy_step(bound) + bin] += 1 for each sample, for copies of the bins k = 0 ... number - 1 (one, or
  /// histogram_copies); samples out of range go to bin number bound. Fewer than 2^32 samples.
  void (*count)(counting::Samples<Word> const&, std::uint32_t* copies, int number);
  /// Is each of the numbers below its bound? Bounds are in turn for neighbours, 1 to 3; count is a multiple of those.
  bool (*inside)(Word const* numbers, std::int64_t count, std::uint64_t const* bounds, int bounded);
};

/// Kernels of one instruction set.
struct HistogramKernels {
  CountKernel<std::uint8_t> bytes;
  CountKernel<std::uint16_t> halves;
  CountKernel<std::uint32_t> words;
  CountKernel<std::uint64_t> longs;
};

/// The kernels for bin numbers of this type.
template <class Word>
CountKernel<Word> const& kernel_for(HistogramKernels const& kernels) {
  if constexpr (sizeof(Word) == 1)
    return kernels.bytes;
  else if constexpr (sizeof(Word) == 2)
    return kernels.halves;
  else if constexpr (sizeof(Word) == 4)
    return kernels.words;
  else
    return kernels.longs;
}

}  // namespace pantile::impl::arch
