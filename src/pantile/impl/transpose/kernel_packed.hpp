// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The blocked transpositions on devices: packs of up to 16 bytes between memory and scratch, transposed in
///        registers in between; single elements where alignment allows no packs.

#include <pantile/element.hpp>
#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/tile/pack.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/thread_group.hpp>
#include <pantile/impl/transpose/policy.hpp>
#include <pantile/impl/transpose/problem.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace pantile::impl::transpose {

/// \brief  Tile and team for elements of this size: long rows on both sides, many bytes in flight for a thread, and
///         scratch for them. Half an edge where elements are moved one by one, or two tiles would take too much.
/// \tparam Tiles, Wide  in scratch at once, two in place; moves packs, otherwise single elements
template <std::size_t Size, int Tiles, bool Wide>
struct PackedShape {
  static constexpr bool available = Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16;
  /// Elements that are moved at once: 16 bytes, but fewer single ones.
  static constexpr int pack = !available || !Wide ? 1
                              : Size == 1         ? arch::device::packed_bytes
                                                  : 16 / static_cast<int>(Size);
  static constexpr int edge = Size == 1   ? arch::device::packed_edge_1 / (Wide ? 1 : 2)
                              : Size == 2 ? arch::device::packed_edge_2 / (Wide && Tiles == 1 ? 1 : 2)
                              : Size == 4 ? arch::device::packed_edge_4
                              : Size == 8 ? arch::device::packed_edge_8 / Tiles
                                          : arch::device::packed_edge_16;
  static constexpr char const* moves = !Wide ? "singles" : Size == 1 ? "packed_bytes" : "packs";  ///< in its tag
  static constexpr int packs = edge / pack;  ///< in a row of the tile
  static constexpr int threads =
      packs * packs < arch::device::packed_tile_threads ? packs * packs : arch::device::packed_tile_threads;
  static constexpr std::size_t tile_bytes = std::size_t(edge) * edge * Size;
  static constexpr std::size_t scratch_bytes = Tiles * tile_bytes;
  /// Teams that should fit a multiprocessor at once: bounds the registers.
  static constexpr int min_blocks = scratch_bytes >= arch::device::single_team_scratch || (Wide && Size == 1) ? 1
                                    : (Wide ? Size == 2 : Size <= 4 && Tiles == 2) ? arch::device::crowded_tile_teams
                                                                                   : arch::device::packed_tile_teams;
};

/// Packs, or single elements, can be moved at once anywhere in both matrices.
template <bool Wide, class T>
bool takes_packs(Problem<T> const& p) {
  constexpr int pack = PackedShape<sizeof(T), 1, Wide>::pack;
  if (!PackedShape<sizeof(T), 1, Wide>::available) return false;
  if (p.in_place) return p.target.rows == p.target.cols && tile::takes_packs_along_rows(p.target, pack);
  return tile::takes_packs_along_rows(p.source, pack) && tile::takes_packs_along_rows(p.target.transposed(), pack);
}

/// Element (row, col) of a tile lies at data[row * ld + col]; elements beyond rows and cols are not there.
template <class T>
struct TileInMemory {
  T* data;
  Index ld;
  int rows, cols;
};

/// \brief  What a thread does with a tile: it takes square blocks of `pack` packs from memory, transposes them, and
///         leaves them in scratch as packs of the transposed tile. Scratch keeps pack p of row r at p xor (r / pack),
///         so that neither side meets itself in a bank.
template <class T, class Shape>
struct TileMover {
  static constexpr int pack = Shape::pack, edge = Shape::edge, packs = Shape::packs, threads = Shape::threads;
  static constexpr int lines = threads / packs;  ///< of packs that threads cover at once
  static constexpr int blocks = packs / lines;
  using Pack = tile::Pack<T, pack>;
  /// A thread's part of a tile on its way to scratch.
  using Held = Pack[blocks][pack];

  /// Where scratch keeps pack p of a row of the transposed tile.
  KOKKOS_INLINE_FUNCTION static constexpr int place(int row, int p) { return row * packs + (p ^ (row / pack)); }

  /// \tparam Whole  the tile is within the matrix: nothing is tested
  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static void load(TileInMemory<T const> const& from, int thread, Held& held) {
    int const across = thread % packs * pack, down = thread / packs * pack;
    T const* row = from.data + down * from.ld + across;
    PANTILE_UNROLL
    for (int b = 0; b < blocks; ++b) {
      PANTILE_UNROLL
      for (int i = 0; i < pack; ++i) {
        int const rows_left = from.rows - (down + b * lines * pack + i);
        held[b][i] = read<Whole>(row, rows_left > 0 ? from.cols - across : 0);
        row += i + 1 < pack ? from.ld : from.ld * ((lines - 1) * pack + 1);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION static void stage(Held const& held, int thread, Pack* staged) {
    int const across = thread % packs;
    PANTILE_UNROLL
    for (int b = 0; b < blocks; ++b) {
      int const down = thread / packs + b * lines;
      PANTILE_UNROLL
      for (int j = 0; j < pack; ++j) {
        Pack transposed;
        PANTILE_UNROLL
        for (int i = 0; i < pack; ++i) transposed.value[i] = held[b][i].value[j];
        staged[place(across * pack + j, down)] = transposed;
      }
    }
  }

  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static void store(TileInMemory<T> const& to, bool conjugates, int thread, Pack const* staged) {
    int const p = thread % packs, first = thread / packs;
    T* at = to.data + first * to.ld + p * pack;
    PANTILE_UNROLL
    for (int n = 0; n < edge / lines; ++n, at += lines * to.ld) {
      int const row = first + n * lines;
      if (!Whole && (row >= to.rows || p * pack >= to.cols)) continue;
      Pack value = tile::load_pack<pack>(staged[place(row, p)].value);
      if constexpr (is_complex_v<T>) {
        if (conjugates) {
          PANTILE_UNROLL
          for (int v = 0; v < pack; ++v) value.value[v] = conjugate(value.value[v]);
        }
      }
      write<Whole>(at, value, to.cols - p * pack);
    }
  }

 private:
  /// The first `count` elements of a pack, or all of it; none if that is negative.
  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static Pack read(T const* from, int count) {
    if constexpr (Whole) {
      return tile::load_pack<pack>(from);
    } else {
      if (count >= pack) return tile::load_pack<pack>(from);
      Pack result;
      PANTILE_UNROLL
      for (int v = 0; v < pack; ++v) result.value[v] = v < count ? from[v] : T(0);
      return result;
    }
  }
  /// By value: nvcc stores a pack that it has by reference element by element, and of complex numbers and half types
  /// any.
  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static void write(T* to, Pack value, int count) {
    if constexpr (Whole && std::is_arithmetic_v<T>) {
      *reinterpret_cast<Pack*>(to) = value;
    } else if (Whole || count >= pack) {
      tile::store_pack(to, value);
    } else {
      PANTILE_UNROLL
      for (int v = 0; v < pack; ++v) {
        if (v < count) to[v] = value.value[v];
      }
    }
  }
};

/// What the kernels below have in common: scratch, and threads without a state.
template <class T, class ShapeT>
struct PackedBase {
  using Shape = ShapeT;
  static constexpr arch::KernelTag tag{"transpose", Shape::moves, element_name_v<T>};
  using Mover = TileMover<T, Shape>;
  struct Nothing {};
  static constexpr int edge = Shape::edge;

  /// f(group, scratch)
  template <class Member, class F>
  KOKKOS_INLINE_FUNCTION static void with_scratch(Member const& member, int level, F const& f) {
    using Group = tile::threads_of<Member, Nothing, Shape::threads, 1>;
    auto* const staged =
        static_cast<typename Mover::Pack*>(Group::template scratch<Shape::scratch_bytes>(member, level));
    Group group(member, staged + Shape::scratch_bytes / sizeof(typename Mover::Pack));
    f(group, staged);
    member.team_barrier();  // a team that goes on to another rank of the league writes into the same scratch
  }
};

/// Out of place, one team per tile, of which there are as many as an int can count.
template <class T, bool Wide>
struct PackedKernel : PackedBase<T, PackedShape<sizeof(T), 1, Wide>> {
  using Base = PackedBase<T, PackedShape<sizeof(T), 1, Wide>>;
  using Base::edge;
  using typename Base::Mover;

  Problem<T> problem;
  int down, across, band;
  int scratch_level;

  PackedKernel(Problem<T> const& p, int level)
      : problem(p),
        down(static_cast<int>(tile::ceil_div<Index>(p.source.rows, edge))),
        across(static_cast<int>(tile::ceil_div<Index>(p.source.cols, edge))),
        band(tile::smaller(arch::device::packed_band, down)),
        scratch_level(level) {}

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    Base::with_scratch(member, scratch_level, [&](auto& group, typename Mover::Pack* staged) {
      tile::TilePair const at = tile::banded(member.league_rank(), down, across, band);
      tile::Block const block{at.row * edge, at.col * edge,
                              static_cast<int>(tile::smaller<Index>(edge, problem.source.rows - at.row * edge)),
                              static_cast<int>(tile::smaller<Index>(edge, problem.source.cols - at.col * edge))};
      if (block.rows == edge && block.cols == edge) {
        move<true>(member, group, block, staged);
      } else {
        move<false>(member, group, block, staged);
      }
    });
  }

 private:
  template <bool Whole, class Member, class Group>
  KOKKOS_INLINE_FUNCTION void move(Member const& member, Group& group, tile::Block const& block,
                                   typename Mover::Pack* staged) const {
    Matrix<T const> const& source = problem.source;
    Matrix<T> const& target = problem.target;
    TileInMemory<T const> const from{source.data + block.row * source.row_stride + block.col, source.row_stride,
                                     block.rows, block.cols};
    TileInMemory<T> const to{target.data + block.col * target.col_stride + block.row, target.col_stride, block.cols,
                             block.rows};
    group.each([&](int thread, auto&) {
      typename Mover::Held held;
      Mover::template load<Whole>(from, thread, held);
      Mover::stage(held, thread, staged);
    });
    member.team_barrier();
    group.each([&](int thread, auto&) { Mover::template store<Whole>(to, problem.conjugates, thread, staged); });
  }
};

/// In place, square: one team per tile above the diagonal and its mirror image, or per tile on the diagonal.
template <class T, bool Wide>
struct PackedPairsKernel : PackedBase<T, PackedShape<sizeof(T), 2, Wide>> {
  using Base = PackedBase<T, PackedShape<sizeof(T), 2, Wide>>;
  using Base::edge;
  using typename Base::Mover;
  using typename Base::Shape;

  Matrix<T> matrix;  // fast along its rows
  bool conjugates;
  int tiles, square;
  int scratch_level;

  PackedPairsKernel(Problem<T> const& p, int level)
      : matrix(p.target),
        conjugates(p.conjugates),
        tiles(static_cast<int>(tile::ceil_div<Index>(p.target.rows, edge))),
        square(static_cast<int>(pair_square(tiles))),
        scratch_level(level) {}

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    Base::with_scratch(member, scratch_level, [&](auto& group, typename Mover::Pack* staged) {
      tile::TilePair const at = tile::squared_triangle_pair(member.league_rank(), tiles, square);
      if (at.col >= tiles || at.row > at.col) return;
      if ((at.col + 1) * edge <= matrix.rows) {
        exchange<true>(member, group, at, staged);
      } else {
        exchange<false>(member, group, at, staged);
      }
    });
  }

 private:
  template <class U>
  KOKKOS_INLINE_FUNCTION TileInMemory<U> at(Index row, Index col) const {
    return {matrix.data + row * edge * matrix.row_stride + col * edge, matrix.row_stride,
            static_cast<int>(tile::smaller<Index>(edge, matrix.rows - row * edge)),
            static_cast<int>(tile::smaller<Index>(edge, matrix.rows - col * edge))};
  }

  template <bool Whole, class Member, class Group>
  KOKKOS_INLINE_FUNCTION void exchange(Member const& member, Group& group, tile::TilePair const& pair,
                                       typename Mover::Pack* staged_upper) const {
    auto* const staged_lower = staged_upper + Shape::tile_bytes / sizeof(typename Mover::Pack);
    bool const two = pair.row != pair.col;
    group.each([&](int thread, auto&) {
      typename Mover::Held upper, lower;
      Mover::template load<Whole>(at<T const>(pair.row, pair.col), thread, upper);
      if (two) Mover::template load<Whole>(at<T const>(pair.col, pair.row), thread, lower);
      Mover::stage(upper, thread, staged_upper);
      if (two) Mover::stage(lower, thread, staged_lower);
    });
    member.team_barrier();
    group.each([&](int thread, auto&) {
      Mover::template store<Whole>(at<T>(pair.col, pair.row), conjugates, thread, staged_upper);
      if (two) Mover::template store<Whole>(at<T>(pair.row, pair.col), conjugates, thread, staged_lower);
    });
  }
};

}  // namespace pantile::impl::transpose
