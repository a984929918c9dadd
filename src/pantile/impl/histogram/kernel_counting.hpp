// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Kernels of hosts: check samples, count them into bins that a thread has for itself, count into copies.

#include <pantile/impl/arch/host/tuning/histogram.hpp>
#include <pantile/impl/arch/host/ukernel/histogram/table.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/histogram/kernel.hpp>
#include <pantile/impl/histogram/policy.hpp>
#include <pantile/impl/histogram/problem.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pantile::impl::histogram {

/// Counts that the host's kernels can make: of single indices, without weights, into bins that hold each sum of ones as
/// additions one by one would (float bins stop growing at 2^24).
template <class I, class W, class Word, int Rank>
inline constexpr bool counting_types = Rank == 1 && std::is_same_v<W, Absent> && std::is_integral_v<I> &&
                                       (std::is_integral_v<Word> || std::is_same_v<Word, double>);

/// The unsigned type of this width, as which host kernels take indices: negative ones are beyond the bound of any bins.
template <class I>
using SampleWord =
    std::conditional_t<sizeof(I) == 1, std::uint8_t,
                       std::conditional_t<sizeof(I) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(I) == 4, std::uint32_t, std::uint64_t>>>;

/// Bins of this extent that indices of this type can name: an index seen as unsigned is below if it is in range.
template <class I>
std::uint64_t sample_bound(Index extent) {
  auto const most = static_cast<std::uint64_t>(std::numeric_limits<I>::max());
  auto const bins = static_cast<std::uint64_t>(extent);
  return bins > most ? most + 1 : bins;
}

/// Can the counting kernels of this machine do it?
template <class Arch, class I, class W, class Word, int Rank>
bool counts([[maybe_unused]] Problem<I, W, Word, Rank> const& p) {
  if constexpr (!counting_types<I, W, Word, Rank>) {
    return false;
  } else if constexpr (Arch::device) {
    return p.indices.row_stride == 1 && reinterpret_cast<std::uintptr_t>(p.indices.data) % sizeof(I) == 0;
  } else {
    return p.indices.row_stride == 1 && arch::host_kernels<arch::HistogramKernels>() != nullptr;
  }
}

/// \brief  Are these samples known to be in range, since the host's kernels have looked at them? False also where they
///         cannot: of strided indices, or in a build without them.
template <class I, class Word, int Rank>
bool are_inside(arch::HistogramKernels const* kernels, Matrix<I const> const& indices, Bins<Word, Rank> const& bins,
                Index begin, Index end) {
  bool const reversed = Rank > 1 && indices.col_stride < 0;
  Index const step = reversed ? -indices.col_stride : indices.col_stride;
  bool const in_one_row = indices.row_stride == Rank && (Rank == 1 || step == 1);
  if (kernels == nullptr || !(in_one_row || indices.row_stride == 1)) return false;
  std::uint64_t bounds[Rank];
  for (int d = 0; d < Rank; ++d) bounds[reversed ? Rank - 1 - d : d] = sample_bound<I>(bins.extent[d]);
  auto const* const first = reinterpret_cast<SampleWord<I> const*>(indices.data) + begin * indices.row_stride -
                            (reversed ? (Rank - 1) * step : 0);
  auto* const inside = arch::kernel_for<SampleWord<I>>(*kernels).inside;
  if (in_one_row) return inside(first, (end - begin) * Rank, bounds, Rank);
  bool all = true;
  for (int d = 0; d < Rank; ++d) all = all && inside(first + d * step, end - begin, bounds + d, 1);
  return all;
}

/// \brief  Add the samples from begin to end to bins that this thread alone writes.
/// \tparam Fast  all are in range, and bins along the last index lie side by side
/// \return the number of samples out of range
template <bool Fast, class I, class W, class Word, int Rank>
std::uint64_t add_samples(Problem<I, W, Word, Rank> const& problem, Bins<Word, Rank> const& into, Index begin,
                          Index end) {
  // Values of its own: for all that a compiler knows, others change with any bin.
  Matrix<I const> const indices = problem.indices;
  Weights<W, Word> const weights = problem.weights;
  Bins<Word, Rank> bins = into;
  std::uint64_t outside = 0;
  auto const add = [&](Index s) {
    if constexpr (Fast) {
      Index place = static_cast<Index>(indices(s, Rank - 1));
      for (int d = 0; d + 1 < Rank; ++d) place += static_cast<Index>(indices(s, d)) * bins.stride[d];
      bins.data[place] += weights(s);
    } else if (Word* const bin = bins.find(indices, s)) {
      *bin += weights(s);
    } else {
      ++outside;
    }
  };
  constexpr int unrolled = 8;
  for (; begin + unrolled <= end; begin += unrolled) {
    // The next piece, in which it is looked for samples out of range before they are counted.
    if constexpr (Fast) __builtin_prefetch(indices.data + (begin + arch::host::tuple_piece) * indices.row_stride);
    PANTILE_UNROLL
    for (int k = 0; k < unrolled; ++k) add(begin + k);
  }
  for (; begin < end; ++begin) add(begin);
  return outside;
}

/// \brief  Add a share of the samples, in rising order, to bins that this thread alone writes. Tuples are looked at by
///         pieces: several comparisons of each cost more than the addition.
/// \return the number of samples out of range
template <class I, class W, class Word, int Rank>
std::uint64_t count_alone(arch::HistogramKernels const* kernels, Problem<I, W, Word, Rank> const& problem,
                          Bins<Word, Rank> const& bins, Share const& share) {
  if (Rank == 1 || bins.stride[Rank - 1] != 1) return add_samples<false>(problem, bins, share.begin, share.end);
  std::uint64_t outside = 0;
  for (Index begin = share.begin, end; begin < share.end; begin = end) {
    end = tile::smaller(begin + arch::host::tuple_piece, share.end);
    if (problem.known_inside || are_inside(kernels, problem.indices, bins, begin, end)) {
      add_samples<true>(problem, bins, begin, end);
    } else {
      outside += add_samples<false>(problem, bins, begin, end);
    }
  }
  return outside;
}

/// \brief  A worker counts its share of the samples into copies of the bins of its own, which merge() adds up: of
///         32 bits by the host's counting kernels, or one like the bins. The first worker's begins as the bins are
///         where they are added to, so that one worker alone adds in rising order.
template <class I, class W, class Word, int Rank>
struct CopiesKernel {
  /// Bytes in front of a worker's copies: the number of its samples out of range.
  static constexpr std::size_t counter_bytes = tile::scratch_alignment;
  Problem<I, W, Word, Rank> problem;
  arch::HistogramKernels const* kernels;
  int copies;  ///< by the counting kernels, which take fewer than 2^32 samples; 0 without them
  std::byte* storage;
  std::size_t stride;  ///< bytes from worker to worker
  Index workers;

  [[nodiscard]] std::uint64_t& outside(Index worker) const {
    return *reinterpret_cast<std::uint64_t*>(storage + static_cast<std::size_t>(worker) * stride);
  }
  template <class Count>
  [[nodiscard]] Count* counts(Index worker) const {
    return reinterpret_cast<Count*>(storage + static_cast<std::size_t>(worker) * stride + counter_bytes);
  }

  void operator()(Index worker) const {
    Share const share = Share::of(worker, workers, problem.samples(), false);
    if constexpr (counting_types<I, W, Word, Rank>) {
      if (copies > 0) return count(worker, share);
    }
    Bins<Word, Rank> const own = problem.bins.packed(counts<Word>(worker));
    bool const begins = problem.accumulate && worker == 0;
    if (begins) problem.bins.each(0, own.count(), [&](Word& bin, Index b) { own.data[b] = bin; });
    if (!begins) own.each(0, own.count(), [](Word& bin, Index) { bin = Word(0); });
    outside(worker) = count_alone(kernels, problem, own, share);
  }

  /// Bring a share of the bins to the caller.
  void merge(Index worker, Index all) const {
    Share const share = Share::of(worker, all, problem.bins.count(), false);
    if constexpr (counting_types<I, W, Word, Rank>) {
      if (copies > 0) return merge_counts(share);
    }
    problem.bins.each(share.begin, share.end, [&](Word& bin, Index b) {
      Word sum = counts<Word>(0)[b];
      for (Index w = 1; w < workers; ++w) {
        // Not "> 0": NaN must reach the bins, and so must negative weights.
        if (Word const part = counts<Word>(w)[b]; part != Word(0)) sum += part;
      }
      bin = sum;
    });
  }

 private:
  void count(Index worker, Share const& share) const {
    std::uint64_t const bound = sample_bound<I>(problem.bins.count());
    Index const step = arch::counting::copy_step(bound), last = static_cast<Index>(bound);
    auto* const own = counts<std::uint32_t>(worker);
    for (Index b = 0; b < copies * step; ++b) own[b] = 0;
    auto const* const samples = reinterpret_cast<SampleWord<I> const*>(problem.indices.data);
    arch::kernel_for<SampleWord<I>>(*kernels).count({samples + share.begin, share.end - share.begin, bound}, own,
                                                    copies);
    outside(worker) = 0;
    for (int k = 0; k < copies; ++k) outside(worker) += own[k * step + last];
  }

  void merge_counts(Share const& share) const {
    std::uint64_t const bound = sample_bound<I>(problem.bins.count());
    Index const step = arch::counting::copy_step(bound), last = static_cast<Index>(bound);
    constexpr Index piece = arch::host::merged_piece;
    for (Index begin = share.begin; begin < share.end; begin += piece) {
      Index const end = tile::smaller(begin + piece, share.end), counted = tile::smaller(end, last) - begin;
      std::uint64_t sums[piece] = {};
      for (Index w = 0; w < workers; ++w) {
        for (int k = 0; k < copies; ++k) {
          std::uint32_t const* const from = counts<std::uint32_t>(w) + k * step + begin;
          for (Index b = 0; b < counted; ++b) sums[b] += from[b];
        }
      }
      if (problem.accumulate) {
        problem.bins.each(begin, end, [&](Word& bin, Index b) { bin += static_cast<Word>(sums[b - begin]); });
      } else {
        problem.bins.each(begin, end, [&](Word& bin, Index b) { bin = static_cast<Word>(sums[b - begin]); });
      }
    }
  }
};

/// Position of the first sample out of range within a piece; the identity of the minimum if there is none.
template <class I, class Word, int Rank>
struct HostCheckKernel {
  Matrix<I const> indices;
  Bins<Word, Rank> bins;
  arch::HistogramKernels const* kernels;

  [[nodiscard]] Index pieces() const { return tile::ceil_div(indices.rows, Index{arch::host::check_piece}); }
  void operator()(Index number, Index& first) const {
    Index const begin = number * arch::host::check_piece;
    Index const end = tile::smaller(begin + arch::host::check_piece, indices.rows);
    if (begin >= first || are_inside(kernels, indices, bins, begin, end)) return;
    for (Index s = begin; s < end && s < first; ++s) {
      if (bins.find(indices, s) == nullptr) first = s;
    }
  }
};

}  // namespace pantile::impl::histogram
