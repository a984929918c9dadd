// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Counting on devices: samples by packs of 16 bytes, into interleaved copies of the bins in team scratch.

#include <pantile/element.hpp>
#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/histogram/kernel.hpp>
#include <pantile/impl/histogram/problem.hpp>
#include <pantile/impl/tile/pack.hpp>
#include <pantile/impl/tile/team.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace pantile::impl::histogram {

/// \brief  Samples cut at multiples of 16 bytes: those before the first pack, packs, and those behind the last one.
/// \tparam I  the type of indices, next to each other and at multiples of their size
template <class I>
struct PackedSamples {
  static constexpr int pack = 16 / static_cast<int>(sizeof(I));
  static constexpr int batch = arch::device::counted_packs;  ///< packs that a thread has in flight
  using Pack = tile::Pack<I, pack>;
  /// Samples as unsigned numbers: what is negative is beyond any number of bins.
  using Wide = std::conditional_t<sizeof(I) == 8, std::uint64_t, std::uint32_t>;

  I const* data;
  Index size, head, packs;

  explicit PackedSamples(Matrix<I const> const& indices) : data(indices.data), size(indices.rows) {
    auto const address = reinterpret_cast<std::uintptr_t>(data);
    head = tile::smaller<Index>(static_cast<Index>((16 - address % 16) % 16 / sizeof(I)), size);
    packs = (size - head) / pack;
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION Pack load(Index p) const {
    return tile::load_pack<pack>(data + head + p * pack);
  }

  /// f(position) for the share that one of `workers` has of the samples that are in no pack.
  template <class F>
  KOKKOS_INLINE_FUNCTION void ends(Index worker, Index workers, F const& f) const {
    for (Index s = worker; s < head; s += workers) f(s);
    for (Index s = head + packs * pack + worker; s < size; s += workers) f(s);
  }
};

/// \brief  Position of the first sample out of range among four packs, lanes apart, so that neighbouring iterations
///         read neighbouring packs; the identity of the minimum if there is none. The first iteration looks at both
///         ends.
template <class I>
struct DeviceCheckKernel {
  static constexpr arch::KernelTag tag{"histogram", "check"};
  using Samples = PackedSamples<I>;
  using Wide = typename Samples::Wide;
  static constexpr Index lanes = arch::device::checking_lanes;

  Samples samples;
  std::uint64_t bins;  ///< or fewer: all that the type counts to, so that what is negative is beyond them

  DeviceCheckKernel(Matrix<I const> const& indices, std::uint64_t bins_) : samples(indices), bins(bins_) {
    if constexpr (sizeof(I) < 8) bins = tile::smaller(bins, std::uint64_t{std::numeric_limits<I>::max()} + 1);
  }

  /// Iterations.
  [[nodiscard]] Index count() const {
    return tile::smaller<Index>(samples.size, (tile::ceil_div(samples.packs, lanes * Samples::batch) + 1) * lanes);
  }

  KOKKOS_INLINE_FUNCTION void operator()(Index unit, Index& first) const {
    if (unit == 0) samples.ends(0, 1, [&](Index s) { look(s, samples.data[s], first); });
    Index const begin = unit / lanes * (lanes * Samples::batch) + unit % lanes;
    typename Samples::Pack in[Samples::batch] = {};
    PANTILE_UNROLL
    for (int k = 0; k < Samples::batch; ++k) {
      if (begin + k * lanes < samples.packs) in[k] = samples.load(begin + k * lanes);
    }
    Wide most = 0;
    PANTILE_UNROLL
    for (int k = 0; k < Samples::batch; ++k) {
      PANTILE_UNROLL
      for (int v = 0; v < Samples::pack; ++v) {
        auto const sample = static_cast<Wide>(in[k].value[v]);
        most = sample > most ? sample : most;
      }
    }
    if (most < bins) return;
    for (int k = 0; k < Samples::batch; ++k) {
      Index const p = begin + k * lanes;
      if (p >= samples.packs) break;
      for (int v = 0; v < Samples::pack; ++v) {
        Index const s = samples.head + p * Samples::pack + v;
        look(s, samples.data[s], first);
      }
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION void look(Index s, I sample, Index& first) const {
    if (s < first && !(static_cast<Wide>(sample) < bins)) first = s;
  }
};

/// \brief  A team counts its share into 32-bit copies of the bins, interleaved so that neighbouring threads with equal
///         samples neither wait for each other nor meet in a bank; one more bin is for samples out of range. Source:
///         NVIDIA/cccl issue 4219, several copies per block for skewed samples.
template <class I, class Word>
struct DeviceCountingKernel {
  static constexpr arch::KernelTag tag{"histogram", "count", element_name_v<Word>};
  using Samples = PackedSamples<I>;
  using Pack = typename Samples::Pack;
  using Wide = typename Samples::Wide;
  static constexpr int pack = Samples::pack, batch = Samples::batch;

  Problem<I, Absent, Word, 1> problem;
  Samples samples;
  int scratch_level;
  int copies;                    ///< a power of two
  Index round = Index{1} << 30;  ///< samples that a team counts at most before it flushes: 32-bit counts

  DeviceCountingKernel(Problem<I, Absent, Word, 1> const& p, int level, int copies_)
      : problem(p), samples(p.indices), scratch_level(level), copies(copies_) {}

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    auto const bins = static_cast<Wide>(problem.bins.count());  // as many as scratch holds
    auto const size = static_cast<int>(bins + 1) * copies;
    std::size_t const bytes = tile::scratch_bytes(static_cast<std::size_t>(size), 4);
    auto* const storage = static_cast<std::uint32_t*>(tile::team_scratch(member, bytes, scratch_level));
    int const rank = member.team_rank(), threads = member.team_size();
    Index const worker = Index{member.league_rank()} * threads + rank, workers = Index{member.league_size()} * threads;
    std::uint32_t* const mine = storage + (rank & (copies - 1));
    Index const most = tile::smaller(samples.packs, round / (Index{threads} * pack) * workers);
    Index begin = 0;
    do {
      for (int b = rank; b < size; b += threads) storage[b] = 0;
      member.team_barrier();
      if (begin == 0) samples.ends(worker, workers, [&](Index s) { count(samples.data[s], bins, mine); });
      count_packs(begin + worker, tile::smaller(begin + most, samples.packs), workers, bins, mine);
      member.team_barrier();
      flush(rank, threads, storage);
      member.team_barrier();
      begin += most;
    } while (begin < samples.packs);
  }

 private:
  KOKKOS_INLINE_FUNCTION void count(I sample, Wide bins, std::uint32_t* mine) const {
    auto const bin = static_cast<Wide>(sample);
    auto const place = static_cast<std::uint32_t>(bin < bins ? bin : bins);
    kokkos_ext::scratch_increment(mine + place * static_cast<std::uint32_t>(copies));
  }

  KOKKOS_INLINE_FUNCTION void count_packs(Index first, Index end, Index step, Wide bins, std::uint32_t* mine) const {
    Index at = first;
    for (; at + (batch - 1) * step < end; at += batch * step) {
      Pack in[batch];
      PANTILE_UNROLL
      for (int k = 0; k < batch; ++k) in[k] = samples.load(at + k * step);
      PANTILE_UNROLL
      for (int k = 0; k < batch; ++k) {
        PANTILE_UNROLL
        for (int v = 0; v < pack; ++v) count(in[k].value[v], bins, mine);
      }
    }
    for (; at < end; at += step) {
      Pack const in = samples.load(at);
      PANTILE_UNROLL
      for (int v = 0; v < pack; ++v) count(in.value[v], bins, mine);
    }
  }

  /// Add the sums over the copies to the bins. Threads begin at different copies: none meets another one in a bank.
  KOKKOS_INLINE_FUNCTION void flush(int rank, int threads, std::uint32_t const* storage) const {
    auto const bins = static_cast<int>(problem.bins.count());
    for (int b = rank; b <= bins; b += threads) {
      std::uint32_t total = 0;
      for (int k = 0; k < copies; ++k) total += storage[b * copies + ((k + rank) & (copies - 1))];
      if (total == 0) continue;
      if (b < bins) {
        kokkos_ext::global_add(&problem.bins.at(b), static_cast<Word>(total));
      } else if (problem.ignored != nullptr) {
        kokkos_ext::global_add(problem.ignored, std::uint64_t{total});
      }
    }
  }
};

/// Counts that waited, into the caller's bins.
template <class Word>
struct ArriveKernel {
  Bins<Word, 1> bins;
  Word const* counts;
  bool accumulate;

  KOKKOS_INLINE_FUNCTION void operator()(Index b) const {
    Word& bin = bins.at(b);
    bin = accumulate ? static_cast<Word>(bin + counts[b]) : counts[b];
  }
};

}  // namespace pantile::impl::histogram
