// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The blocked transposition on devices: packs of up to 16 bytes to and from memory and scratch alike, turned in
///        registers in between.

#include <pantile/impl/arch/async_copy.hpp>
#include <pantile/impl/kokkos_ext/unroll.hpp>
#include <pantile/impl/tile/pack.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/thread_group.hpp>
#include <pantile/impl/transpose/problem.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::transpose {

/// Tile and team for elements of this size: rows of 128 (1 byte), 256 or 512 bytes on both sides.
template <std::size_t Size>
struct PackedShape {
  static constexpr bool available = Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16;
  /// Elements that are moved at once: 16 bytes, but 4 of single bytes, of which 16 x 16 are too many for the registers.
  static constexpr int pack = !available ? 1 : Size == 1 ? 4 : 16 / static_cast<int>(Size);
  static constexpr int edge = Size <= 2 ? 128 : Size == 4 ? 64 : 32;
  static constexpr int packs = edge / pack;  ///< in a row of the tile
  static constexpr int threads = packs * packs < 256 ? packs * packs : 256;
  /// That should fit a multiprocessor at once: bounds the registers.
  static constexpr int teams = Size == 1 ? 1 : Size == 2 ? 2 : 3;
  static constexpr std::size_t scratch_bytes = std::size_t(edge) * edge * Size;
};

/// Packs can be moved at once anywhere in both matrices.
template <class T>
bool takes_packs(Problem<T> const& p) {
  using Shape = PackedShape<sizeof(T)>;
  return Shape::available && !p.in_place && tile::takes_packs_along_rows(p.source, Shape::pack) &&
         tile::takes_packs_along_rows(p.target.transposed(), Shape::pack);
}

/// \brief  One team per tile. Each thread takes square blocks of `pack` packs from the source, turns them, and leaves
///         them in scratch as packs of the target. Scratch keeps pack p of row r at p xor (r / pack), so that neither side
///         meets itself in a bank.
template <class T>
struct PackedKernel {
  using Shape = PackedShape<sizeof(T)>;
  static constexpr int pack = Shape::pack, edge = Shape::edge, packs = Shape::packs, threads = Shape::threads;
  using Pack = tile::Pack<T, pack>;
  struct Nothing {};
  using Group = tile::ThreadGroup<Nothing, threads, 1>;

  Problem<T> problem;
  int scratch_level;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    std::size_t played = 0;
    KOKKOS_IF_ON_HOST((played = Group::played_bytes;))
    auto* const staged = static_cast<Pack*>(arch::known_scratch(
        member.team_scratch(scratch_level).get_shmem_aligned(Shape::scratch_bytes + played, tile::scratch_alignment)));
    Group group(member, staged + Shape::scratch_bytes / sizeof(Pack));
    tile::TileGrid const tiles{problem.source.rows, problem.source.cols, edge, edge};
    for (Index t = member.league_rank(); t < tiles.count(); t += member.league_size()) {
      tile::Block const block = tiles.block(t);
      if (block.rows == edge && block.cols == edge) {
        move<true>(member, group, block, staged);
      } else {
        move<false>(member, group, block, staged);
      }
    }
  }

 private:
  /// \tparam Whole  the tile is within the matrix: nothing is tested
  template <bool Whole, class Member>
  KOKKOS_INLINE_FUNCTION void move(Member const& member, Group& group, tile::Block const& block, Pack* staged) const {
    group.each([&](int thread, Nothing&) { load<Whole>(block, thread, staged); });
    member.team_barrier();
    group.each([&](int thread, Nothing&) { store<Whole>(block, thread, staged); });
    member.team_barrier();
  }

  KOKKOS_INLINE_FUNCTION static int place(int row, int p) { return row * packs + (p ^ (row / pack)); }

  /// The first `count` elements of a pack, or all of it; none if that is negative.
  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static Pack read(T const* from, int count) {
    if (Whole || count >= pack) return *reinterpret_cast<Pack const*>(from);
    Pack result;
    PANTILE_UNROLL
    for (int v = 0; v < pack; ++v) result.value[v] = v < count ? from[v] : T(0);
    return result;
  }
  /// By value: nvcc stores a pack that it has by reference element by element.
  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static void write(T* to, Pack value, int count) {
    if (Whole || count >= pack) {
      *reinterpret_cast<Pack*>(to) = value;
      return;
    }
    PANTILE_UNROLL
    for (int v = 0; v < pack; ++v) {
      if (v < count) to[v] = value.value[v];
    }
  }

  template <bool Whole>
  KOKKOS_INLINE_FUNCTION void load(tile::Block const& block, int thread, Pack* staged) const {
    PANTILE_UNROLL
    for (int b = 0; b < packs * packs / threads; ++b) {
      int const q = thread + b * threads, down = q / packs, across = q % packs;
      T const* const from =
          problem.source.data + (block.row + down * pack) * problem.source.row_stride + block.col + across * pack;
      Pack in[pack];
      PANTILE_UNROLL
      for (int i = 0; i < pack; ++i) {
        int const there = down * pack + i < block.rows ? block.cols - across * pack : 0;
        in[i] = read<Whole>(from + i * problem.source.row_stride, there);
      }
      PANTILE_UNROLL
      for (int j = 0; j < pack; ++j) {
        Pack turned;
        PANTILE_UNROLL
        for (int i = 0; i < pack; ++i) turned.value[i] = in[i].value[j];
        staged[place(across * pack + j, down)] = turned;
      }
    }
  }

  template <bool Whole>
  KOKKOS_INLINE_FUNCTION void store(tile::Block const& block, int thread, Pack const* staged) const {
    PANTILE_UNROLL
    for (int n = 0; n < packs * edge / threads; ++n) {
      int const w = thread + n * threads, row = w / packs, p = w % packs;  // of the target
      if (!Whole && (row >= block.cols || p * pack >= block.rows)) continue;
      Pack value = staged[place(row, p)];
      if constexpr (is_complex_v<T>) {
        if (problem.conjugates) {
          PANTILE_UNROLL
          for (int v = 0; v < pack; ++v) value.value[v] = conjugate(value.value[v]);
        }
      }
      write<Whole>(problem.target.data + block.row + p * pack + (block.col + row) * problem.target.col_stride, value,
                   block.rows - p * pack);
    }
  }
};

}  // namespace pantile::impl::transpose
