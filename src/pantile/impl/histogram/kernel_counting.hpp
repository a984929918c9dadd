// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The host's own counting kernels (arch/host/ukernel/histogram/kernel.hpp), one share of the samples per team.

#include <pantile/impl/arch/host/ukernel/histogram/table.hpp>
#include <pantile/impl/histogram/kernel.hpp>
#include <pantile/impl/histogram/policy.hpp>
#include <pantile/impl/histogram/problem.hpp>
#include <pantile/impl/tile/team.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace pantile::impl::histogram {

/// Counts that the host's kernels can make: of single indices, without weights, into bins that hold each sum of ones as
/// additions one by one would (float bins stop growing at 2^24).
template <class I, class W, class Word, int Rank>
inline constexpr bool counting_types = Rank == 1 && std::is_same_v<W, Absent> && std::is_integral_v<I> &&
                                       (std::is_integral_v<Word> || std::is_same_v<Word, double>);

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

/// The samples from begin to end, as unsigned numbers of their width: negative ones are beyond the bound of any bins.
template <class I>
auto unsigned_samples(Matrix<I const> const& indices, Index begin, Index end, Index bins) {
  using Word = std::conditional_t<sizeof(I) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(I) == 2, std::uint16_t,
                                                     std::conditional_t<sizeof(I) == 4, std::uint32_t, std::uint64_t>>>;
  constexpr int bits = 8 * sizeof(I) - (std::is_signed_v<I> ? 1 : 0);
  auto bound = static_cast<std::uint64_t>(bins);
  if constexpr (bits < 63) bound = tile::smaller(bound, std::uint64_t{1} << bits);
  return arch::counting::Samples<Word>{reinterpret_cast<Word const*>(indices.data) + begin, end - begin, bound};
}

/// A team of one thread counts its share of the samples into 32-bit copies of the bins in its scratch.
template <class I, class Word>
struct CountingKernel {
  Problem<I, Absent, Word, 1> problem;
  arch::HistogramKernels const* kernels;
  int scratch_level;
  int copies;

  template <class Member>
  void operator()(Member const& member) const {
    constexpr Index most = Index{1} << 30;  // 32-bit counts
    Index const bins = problem.bins.count(),
                size = copies * arch::counting::copy_step(static_cast<std::uint64_t>(bins));
    auto* const storage = static_cast<std::uint32_t*>(tile::team_scratch(
        member, tile::scratch_bytes(static_cast<std::size_t>(size), sizeof(std::uint32_t)), scratch_level));
    Share const share = Share::of(member.league_rank(), member.league_size(), problem.samples(), false);
    for (Index begin = share.begin; begin < share.end; begin += most) {
      for (Index b = 0; b < size; ++b) storage[b] = 0;
      count(begin, tile::smaller(begin + most, share.end), storage);
    }
  }

 private:
  void count(Index begin, Index end, std::uint32_t* storage) const {
    auto const samples = unsigned_samples(problem.indices, begin, end, problem.bins.count());
    using Sample = std::remove_const_t<std::remove_pointer_t<decltype(samples.data)>>;
    arch::kernel_for<Sample>(*kernels).count(samples, storage, copies);
    auto const bound = static_cast<Index>(samples.bound);
    auto const sum = [&](Index bin) {
      std::uint32_t total = 0;
      for (int k = 0; k < copies; ++k) total += storage[k * arch::counting::copy_step(samples.bound) + bin];
      return total;
    };
    for (Index b = 0; b < bound; ++b) {
      if (std::uint32_t const total = sum(b)) kokkos_ext::atomic_add(&problem.bins.at(b), static_cast<Word>(total));
    }
    std::uint64_t const outside = sum(bound);
    if (outside != 0 && problem.ignored != nullptr) kokkos_ext::atomic_add(problem.ignored, outside);
  }
};

/// \brief  One share of the samples per worker, as an array reduction: bins, and one more for what is out of range. The
///         caller's bins are not touched, so that they can be refused after all samples were read once.
template <class I>
struct CountingSumKernel {
  using value_type = std::uint64_t[];
  Matrix<I const> indices;
  arch::HistogramKernels const* kernels;
  Index bins, workers;
  int copies;
  unsigned value_count;  // bins + 1

  void operator()(Index worker, std::uint64_t* sums) const {
    constexpr Index most = Index{1} << 30;  // 32-bit counts
    std::uint32_t storage[copies_size];
    Share const share = Share::of(worker, workers, indices.rows, false);
    for (Index begin = share.begin; begin < share.end; begin += most) {
      auto const samples = unsigned_samples(indices, begin, tile::smaller(begin + most, share.end), bins);
      using Sample = std::remove_const_t<std::remove_pointer_t<decltype(samples.data)>>;
      Index const step = arch::counting::copy_step(samples.bound);
      for (Index b = 0; b < copies * step; ++b) storage[b] = 0;
      arch::kernel_for<Sample>(*kernels).count(samples, storage, copies);
      auto const bound = static_cast<Index>(samples.bound);  // at most bins: what the type of indices can say
      for (int k = 0; k < copies; ++k) {
        for (Index b = 0; b < bound; ++b) sums[b] += storage[k * step + b];
        sums[bins] += storage[k * step + bound];
      }
    }
  }

  void init(std::uint64_t* sums) const {
    for (unsigned b = 0; b < value_count; ++b) sums[b] = 0;
  }
  void join(std::uint64_t* sums, std::uint64_t const* other) const {
    for (unsigned b = 0; b < value_count; ++b) sums[b] += other[b];
  }

 private:
  static constexpr Index copies_size = std::max(4 * arch::counting::copy_step(arch::host::histogram_copies_bins),
                                                arch::counting::copy_step(arch::host::stack_bins));
};

/// Position of the first sample out of range within a piece; the identity of the minimum if there is none.
template <class I, class Word, int Rank>
struct HostCheckKernel {
  Matrix<I const> indices;
  Bins<Word, Rank> bins;
  arch::HistogramKernels const* kernels;  ///< null where they do not know such samples
  Index piece;                            ///< so many samples

  void operator()(Index number, Index& first) const {
    Index const begin = number * piece, end = tile::smaller(begin + piece, indices.rows);
    if (begin >= first) return;
    if (kernels != nullptr) {
      auto const samples = unsigned_samples(indices, begin, end, bins.count());
      using Sample = std::remove_const_t<std::remove_pointer_t<decltype(samples.data)>>;
      if (arch::kernel_for<Sample>(*kernels).inside(samples)) return;
    }
    for (Index s = begin; s < end && s < first; ++s) {
      if (bins.find(indices, s) == nullptr) first = s;
    }
  }
};

}  // namespace pantile::impl::histogram
