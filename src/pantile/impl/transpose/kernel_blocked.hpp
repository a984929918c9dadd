// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The host's own kernels (arch/host/ukernel/transpose/kernel.hpp), shared among its threads unit by unit.

#include <pantile/impl/arch/host/caches.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/table.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/transpose/policy.hpp>
#include <pantile/impl/transpose/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pantile::impl::transpose {

/// The host's kernels for elements T, null where it has none.
template <class T>
arch::TransposeKernel const* host_kernel(bool conjugates) {
  using Real = typename RealOf<T>::type;
  constexpr bool known_complex = std::is_same_v<Real, float> || std::is_same_v<Real, double>;
  bool const flips = !std::is_same_v<Real, T> && conjugates;  // a complex T: any other type that can be copied may come
  arch::TransposeKernels const* const all = arch::host_kernels<arch::TransposeKernels>();
  if (all == nullptr || !std::is_trivially_copyable_v<T> || (flips && !known_complex)) return nullptr;
  return arch::find_transpose_kernel(*all, sizeof(T), flips);
}

/// Elements between the start of a cache line and data, where rows this many bytes apart all have the same; else zero.
template <class T>
int place_in_line(T const* data, Index row_bytes) {
  auto const place = static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % 64), size = static_cast<int>(sizeof(T));
  return row_bytes % 64 == 0 && place % size == 0 ? place / size : 0;
}

/// What the policy has to know of the host's kernels and caches for this problem.
template <class T>
void ask_host_kernels(Problem<T> const& p, Query& query) {
  query.cache_bytes = arch::last_level_cache();
  query.first_level_bytes = arch::near_caches().first;
  query.second_level_bytes = arch::near_caches().second;
  bool const side_by_side =
      p.in_place ? p.target.col_stride == 1 || p.target.cols <= 1
                 : (p.source.col_stride == 1 || p.source.cols <= 1) && (p.target.row_stride == 1 || p.target.rows <= 1);
  arch::TransposeKernel const* const kernel = host_kernel<T>(p.conjugates);
  query.blocked = side_by_side && kernel != nullptr;
  if (query.blocked) {
    constexpr Index size = sizeof(T);
    query.close_rows = p.source.row_stride * size % kernel->close_stride == 0 ||
                       p.target.col_stride * size % kernel->close_stride == 0;
    Index const target_row = (p.in_place ? p.target.row_stride : p.target.col_stride) * size;
    query.even_rows = target_row % 64 == 0;
    query.row_place = place_in_line(p.target.data, target_row);
    query.col_place = place_in_line(p.source.data, p.source.row_stride * size);
    query.staged = kernel->staged;
    query.streamed = kernel->streamed;
  }
}

/// One unit of rows x cols of the source, which is contiguous along rows as the target is along columns.
struct BlockedKernel {
  arch::TransposeKernel kernel;
  arch::transposing::Move whole;
  Path path;
  Pieces rows, cols;
  Index size;

  void operator()(Index unit) const {
    // Rows of the target begin and end within cache lines; in cache all of one is left to one thread, lest lines
    // travel.
    bool const down = path != Path::stream;
    Piece const row = rows.at(down ? unit % rows.count() : unit / cols.count());
    Piece const col = cols.at(down ? unit / rows.count() : unit % cols.count());
    arch::transposing::Move const part{whole.source + row.begin * whole.source_ld + col.begin * size,
                                       whole.source_ld,
                                       whole.target + col.begin * whole.target_ld + row.begin * size,
                                       whole.target_ld,
                                       row.extent,
                                       col.extent};
    switch (path) {
      case Path::move: return kernel.move(part);
      case Path::stage: return kernel.stage(part);
      case Path::stream: return kernel.stream(part);
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
  return {plan.path == Path::stream ? kernel.stream_exchange : kernel.exchange,
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
  BlockedKernel const blocks{*host_kernel<T>(p.conjugates), whole_move(p), plan.path, plan.rows, plan.cols, size};
  launch::units(exec, plan.tiles, plan.on_caller, blocks, name);
}

}  // namespace pantile::impl::transpose
