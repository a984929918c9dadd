// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The blocked addition on devices: packs of 16 bytes, several of them in flight per thread.

#include <pantile/impl/add/kernel.hpp>
#include <pantile/impl/add/policy.hpp>
#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/tile/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace pantile::impl::add {

/// Elements in a pack of these three operands; 0 where packs of 16 bytes do not cover the same elements in each.
template <class TA, class TB, class TC>
inline constexpr int pack_of =
    sizeof(TA) == sizeof(TC) && sizeof(TB) == sizeof(TC) && 16 % sizeof(TC) == 0 ? 16 / static_cast<int>(sizeof(TC))
                                                                                 : 0;

/// \brief  How far the first element and the next row's first one lie behind a multiple of 16 bytes, in elements.
///         Operands that agree in both can be cut into packs at the same elements in every row.
struct Lead {
  bool packs = false;
  int first = 0;
  int step = 0;  ///< from row to row, modulo a pack
  friend bool operator==(Lead, Lead) = default;

  template <class T>
  static Lead of(Matrix<T> const& m) {
    constexpr int pack = 16 / static_cast<int>(sizeof(T));
    auto const address = reinterpret_cast<std::uintptr_t>(m.data);
    bool const packs = address % sizeof(T) == 0 && m.col_stride == 1;
    int const step = m.rows <= 1 ? 0 : static_cast<int>((m.row_stride % pack + pack) % pack);
    return {packs, static_cast<int>(address / sizeof(T) % pack), step};
  }
};

/// Where packs of the problem begin; `packs` is false where what is read and written cannot be cut alike.
template <class TA, class TB, class TC, class Accumulator>
Lead packed_lead(Problem<TA, TB, TC, Accumulator> const& p) {
  if constexpr (pack_of<TA, TB, TC> == 0) {
    return {};
  } else {
    Lead const lead = Lead::of(p.c);
    bool const alike = (!p.reads_a() || Lead::of(p.a) == lead) && (!p.reads_b() || Lead::of(p.b) == lead);
    return alike ? lead : Lead{};
  }
}

/// What the policy asks of them.
template <class TA, class TB, class TC, class Accumulator>
Packs packs_of(Problem<TA, TB, TC, Accumulator> const& p) {
  Lead const lead = packed_lead(p);
  int const size = lead.packs ? pack_of<TA, TB, TC> : 0;
  return {size, lead.step == 0 || p.is_one_row() ? lead.first : size - 1};
}

/// \brief  packs_per_thread packs of C, all of whose operands are loaded before the first sum is formed: below each
///         other, or packed_lanes apart in one row. Packs are cut at multiples of 16 bytes; those that an edge cuts
///         short go element by element.
template <class TA, class TB, class TC, class Accumulator>
struct PackedKernel : KernelBase<TA, TB, TC, Accumulator> {
  static constexpr arch::KernelTag tag{"add", "packs"};
  static constexpr int pack = pack_of<TA, TB, TC>;
  static constexpr int batch = arch::device::packs_per_thread;

  Lead lead;
  PackedRange range;
  Index step_a, step_b, step_c;  ///< elements from a pack to the thread's next one, the lead of rows aside

  PackedKernel(Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan)
      : KernelBase<TA, TB, TC, Accumulator>(p),
        lead(packed_lead(p)),
        range(plan.packed),
        step_a(range.down ? p.a.row_stride : stretch),
        step_b(range.down ? p.b.row_stride : stretch),
        step_c(range.down ? p.c.row_stride : stretch) {}

  KOKKOS_INLINE_FUNCTION void operator()(Index thread) const {
    Index const line = thread / range.width, place = thread - line * range.width;
    Index const row = range.down ? line * batch : line;
    Index const number = range.down ? place
                                    : place / arch::device::packed_lanes * (arch::device::packed_lanes * batch) +
                                          place % arch::device::packed_lanes;
    this->with_reads(
        [&](auto with_a, auto with_b) { this->template packs<with_a.value, with_b.value>(row, number * pack); });
  }

 private:
  static constexpr Index stretch = Index{arch::device::packed_lanes} * pack;

  /// Elements of a row's first pack that lie before the row.
  KOKKOS_INLINE_FUNCTION int before(Index row) const {
    return static_cast<int>(
        (static_cast<unsigned>(lead.first) + static_cast<unsigned>(row) * static_cast<unsigned>(lead.step)) % pack);
  }

  /// \param  place  column of the first pack, counted from where the row's first pack begins
  template <bool ReadsA, bool ReadsB>
  KOKKOS_INLINE_FUNCTION void packs(Index row, Index place) const {
    auto const& [a, b, c, alpha, beta, exchanged] = this->problem;
    Index const last_row = range.down ? row + batch - 1 : row,
                last = range.down ? place : place + (batch - 1) * stretch;
    bool const begins = place > 0 || (lead.first == 0 && lead.step == 0);
    if (begins && last_row < c.rows && last + pack <= c.cols) {
      tile::Pack<TA, pack> in_a[batch];
      tile::Pack<TB, pack> in_b[batch];
      int lag[batch];
      PANTILE_UNROLL
      for (int k = 0; k < batch; ++k) {
        lag[k] = before(range.down ? row + k : row);
        if constexpr (ReadsA)
          in_a[k] = tile::load_pack<pack>(a.data + (row * a.row_stride + place) + (k * step_a - lag[k]));
        if constexpr (ReadsB)
          in_b[k] = tile::load_pack<pack>(b.data + (row * b.row_stride + place) + (k * step_b - lag[k]));
      }
      // Members would be loaded anew after every store.
      auto const combination = this->combine;
      TC* const to = c.data + (row * c.row_stride + place);
      Index const step = step_c;
      PANTILE_UNROLL
      for (int k = 0; k < batch; ++k) {
        tile::store_pack(to + (k * step - lag[k]), sum<ReadsA, ReadsB>(combination, in_a[k], in_b[k]));
      }
      return;
    }
    for (int k = 0; k < batch; ++k) {
      Index const i = range.down ? row + k : row, j = (range.down ? place : place + k * stretch) - before(i);
      if (i < c.rows) cut<ReadsA, ReadsB>(i, j);
    }
  }

  template <bool ReadsA, bool ReadsB>
  KOKKOS_INLINE_FUNCTION static tile::Pack<TC, pack> sum(Combine<TA, TB, TC, Accumulator> const& combine,
                                                         tile::Pack<TA, pack> const& a, tile::Pack<TB, pack> const& b) {
    tile::Pack<TC, pack> result;
    PANTILE_UNROLL
    for (int v = 0; v < pack; ++v) result.value[v] = combine.template value<ReadsA, ReadsB>(&a.value[v], &b.value[v]);
    return result;
  }

  /// A pack of row i that begins at column j, which may lie before the row, and ends behind it.
  template <bool ReadsA, bool ReadsB>
  KOKKOS_INLINE_FUNCTION void cut(Index i, Index j) const {
    auto const& [a, b, c, alpha, beta, exchanged] = this->problem;
    for (int v = 0; v < pack; ++v, ++j) {
      if (j < 0 || j >= c.cols) continue;
      c.data[i * c.row_stride + j] = this->combine.template value<ReadsA, ReadsB>(
          ReadsA ? a.data + i * a.row_stride + j : nullptr, ReadsB ? b.data + i * b.row_stride + j : nullptr);
    }
  }
};

template <class Exec, class TA, class TB, class TC, class Accumulator>
void run_packed(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan,
                std::string const& name) {
  if constexpr (pack_of<TA, TB, TC> > 0) {
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>,
                                       Kokkos::LaunchBounds<arch::device::packed_block, arch::device::packed_blocks>>;
    Kokkos::parallel_for(name, Policy(exec, 0, plan.packed.threads), PackedKernel<TA, TB, TC, Accumulator>(p, plan));
  }
}

}  // namespace pantile::impl::add
