// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The host's own kernels (arch/host/ukernel/transpose/kernel.hpp), shared among its threads unit by unit.

#include <pantile/impl/arch/host/ukernel/transpose/table.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/transpose/policy.hpp>
#include <pantile/impl/transpose/problem.hpp>

#include <cstddef>
#include <type_traits>

namespace pantile::impl::transpose {

/// The host's kernels for elements T, null where it has none.
template <class T>
arch::TransposeKernel const* host_kernel(bool conjugates) {
  using Real = typename RealOf<T>::type;
  constexpr bool known_complex = std::is_same_v<Real, float> || std::is_same_v<Real, double>;
  bool const flips = is_complex_v<T> && conjugates;
  arch::TransposeKernels const* const all = arch::host_kernels<arch::TransposeKernels>();
  if (all == nullptr || !std::is_trivially_copyable_v<T> || (flips && !known_complex)) return nullptr;
  return arch::find_transpose_kernel(*all, sizeof(T), flips);
}

/// One unit of rows x cols of the source, which is contiguous along rows as the target is along columns.
struct BlockedKernel {
  arch::TransposeKernel kernel;
  arch::transposing::Move whole;
  Way way;
  Pieces rows, cols;
  Index size;

  void operator()(Index unit) const {
    // Rows of the target begin and end within cache lines; in cache all of one is left to one thread, lest lines
    // travel.
    bool const down = way != Way::stream;
    Piece const row = rows.at(down ? unit % rows.count() : unit / cols.count());
    Piece const col = cols.at(down ? unit / rows.count() : unit % cols.count());
    arch::transposing::Move const part{whole.source + row.begin * whole.source_ld + col.begin * size,
                                       whole.source_ld,
                                       whole.target + col.begin * whole.target_ld + row.begin * size,
                                       whole.target_ld,
                                       row.extent,
                                       col.extent};
    switch (way) {
      case Way::move: return kernel.move(part);
      case Way::stage: return kernel.stage(part);
      case Way::stream: return kernel.stream(part);
    }
  }
};

/// In place: a tile above the diagonal and its mirror image, or one on the diagonal.
struct BlockedPairKernel {
  void (*exchange)(arch::transposing::Exchange const&);
  std::byte* data;
  Index ld;
  Pieces pieces;
  Index size;

  std::byte* at(Index row, Index col) const { return data + pieces.at(row).begin * ld + pieces.at(col).begin * size; }

  void operator()(Index unit) const {
    Index const across = pieces.count();
    tile::TilePair const pair = tile::triangle_pair(unit, across);
    bool const last = unit + 1 == tile::triangle_count(across);
    tile::TilePair const next = last ? pair : tile::triangle_pair(unit + 1, across);
    exchange({at(pair.row, pair.col), at(pair.col, pair.row), ld, pieces.at(pair.row).extent,
              pieces.at(pair.col).extent, at(next.row, next.col), at(next.col, next.row)});
  }
};

/// The whole matrix.
template <class T>
arch::transposing::Move whole_move(Problem<T> const& p) {
  constexpr Index size = sizeof(T);
  return {reinterpret_cast<std::byte const*>(p.source.data),
          p.source.row_stride * size,
          reinterpret_cast<std::byte*>(p.target.data),
          p.target.col_stride * size,
          p.source.rows,
          p.source.cols};
}

template <class T>
BlockedPairKernel pairs_of(Problem<T> const& p, Plan const& plan) {
  constexpr Index size = sizeof(T);
  arch::TransposeKernel const& kernel = *host_kernel<T>(p.conjugates);
  return {plan.way == Way::stream ? kernel.stream_exchange : kernel.exchange,
          reinterpret_cast<std::byte*>(p.target.data), p.target.row_stride * size, plan.rows, size};
}

/// In place, on the calling thread.
template <class T>
void exchange_alone(Problem<T> const& p, Plan const& plan) {
  BlockedPairKernel const pairs = pairs_of(p, plan);
  for (Index unit = 0; unit < plan.tiles; ++unit) pairs(unit);
}

template <class Exec, class T>
void run_blocked(Exec const& exec, Problem<T> const& p, Plan const& plan, std::string const& name) {
  if (p.in_place) return launch::units(exec, plan.tiles, plan.on_caller, pairs_of(p, plan), name);
  constexpr Index size = sizeof(T);
  BlockedKernel const blocks{*host_kernel<T>(p.conjugates), whole_move(p), plan.way, plan.rows, plan.cols, size};
  launch::units(exec, plan.tiles, plan.on_caller, blocks, name);
}

}  // namespace pantile::impl::transpose
