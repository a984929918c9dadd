// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Kernels that a device can run: clear, check, count into the bins, count into copies in team scratch.

#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/histogram/problem.hpp>
#include <pantile/impl/kokkos_ext/atomic_add.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::impl::histogram {

/// \brief  The samples of one of several workers. Interleaved: neighbours at a time, as devices read best; otherwise
///         one block each, as hosts do.
struct Share {
  Index begin, end, step;

  KOKKOS_INLINE_FUNCTION static Share of(Index worker, Index workers, Index samples, bool interleaved) {
    if (interleaved) return {worker, samples, workers};
    Index const block = samples / workers, rest = samples % workers;
    Index const begin = worker * block + tile::smaller(worker, rest);
    return {begin, begin + block + (worker < rest ? 1 : 0), 1};
  }
};

/// Count a share of the samples into bins that other threads add to, the problem's own or a copy of them.
template <class I, class W, class Word, int Rank>
KOKKOS_INLINE_FUNCTION void count_share(Problem<I, W, Word, Rank> const& problem, Bins<Word, Rank> const& bins,
                                        Share const& share) {
  std::uint64_t outside = 0;
  for (Index s = share.begin; s < share.end; s += share.step) {
    if (Word* const bin = bins.find(problem.indices, s)) {
      kokkos_ext::atomic_add(bin, problem.weights(s));
    } else {
      ++outside;
    }
  }
  if (outside != 0 && problem.ignored != nullptr) kokkos_ext::atomic_add(problem.ignored, outside);
}

/// Zero all bins, shared by the workers, and the counter of ignored samples, for whose sake there is one at least.
template <class Word, int Rank>
struct ClearKernel {
  Bins<Word, Rank> bins;
  std::uint64_t* ignored;
  Index workers;

  KOKKOS_INLINE_FUNCTION void operator()(Index worker) const {
    Share const share = Share::of(worker, workers, bins.count(), true);
    for (Index flat = share.begin; flat < share.end; flat += share.step) bins.at(flat) = Word(0);
    if (worker == 0 && ignored != nullptr) *ignored = 0;
  }
};

/// Position of the first sample that is out of range; the identity of the minimum if there is none.
template <class I, class Word, int Rank>
struct CheckKernel {
  Matrix<I const> indices;
  Bins<Word, Rank> bins;

  KOKKOS_INLINE_FUNCTION void operator()(Index s, Index& first) const {
    if (s < first && bins.find(indices, s) == nullptr) first = s;
  }
};

/// Brings one index to the host, for an error text.
template <class I, class Wide>
struct ReadKernel {
  I const* index;
  KOKKOS_INLINE_FUNCTION void operator()(Index, Wide& value) const { value = static_cast<Wide>(*index); }
};

/// \brief  Every worker strides over the samples and adds into the bins themselves.
///         Source: Numba CUDA user guide, fill_bins and atomic.add with a tuple index.
template <class I, class W, class Word, int Rank>
struct GlobalKernel {
  /// Where a bin that was looked for lies, nvcc no longer knows.
  static constexpr arch::KernelTag tag{"untuned", "any_address"};
  Problem<I, W, Word, Rank> problem;
  Index workers;
  bool interleaved;

  KOKKOS_INLINE_FUNCTION void operator()(Index worker) const {
    count_share(problem, problem.bins, Share::of(worker, workers, problem.samples(), interleaved));
  }
};

/// \brief  Every team counts into a copy of the bins in its scratch and adds that to the bins at the end.
///         Source: Numba CUDA user guide, atomic.add on shared arrays.
template <class I, class W, class Word, int Rank>
struct ScratchKernel {
  static constexpr arch::KernelTag tag{"untuned", "any_address"};
  Problem<I, W, Word, Rank> problem;
  int scratch_level;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    Index const count = problem.bins.count();
    auto* const storage = static_cast<Word*>(
        tile::team_scratch(member, tile::scratch_bytes(static_cast<std::size_t>(count), sizeof(Word)), scratch_level));
    Index const rank = member.team_rank(), size = member.team_size();
    for (Index b = rank; b < count; b += size) storage[b] = Word(0);
    member.team_barrier();
    Index const worker = Index{member.league_rank()} * size + rank, workers = Index{member.league_size()} * size;
    count_share(problem, problem.bins.packed(storage), Share::of(worker, workers, problem.samples(), true));
    member.team_barrier();
    for (Index b = rank; b < count; b += size) {
      // Not "> 0": NaN must reach the bins, and so must negative weights.
      if (storage[b] != Word(0)) kokkos_ext::atomic_add(&problem.bins.at(b), storage[b]);
    }
  }
};

}  // namespace pantile::impl::histogram
