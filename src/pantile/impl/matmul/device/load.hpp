// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Panels of A and B on their way to scratch: any stride, any alignment, any edge.

#include <pantile/element.hpp>
#include <pantile/impl/arch/async_copy.hpp>
#include <pantile/impl/compiler_ext/unroll.hpp>
#include <pantile/impl/tile/pack.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::matmul {

using tile::Pack;

/// \brief  Where the words of a panel are in scratch: rows of Edge words and Padding between them, and PaddingOfFour
///         more after each four rows.
template <class W, int Edge, int Padding, int PaddingOfFour>
struct PanelLayout {
  using Word = W;
  static constexpr int ld = Edge + Padding;
  KOKKOS_INLINE_FUNCTION static constexpr int place(int row, int e) {
    return row * ld + static_cast<int>(static_cast<unsigned>(row) / 4U) * PaddingOfFour + e;
  }
};

/// \brief  An operand as the kernel reads it: k by k, and along its edge (rows of A, columns of B).
template <class T>
struct PanelSource {
  T const* data;
  Index depth, edge;  // extents
  Index depth_stride, edge_stride;
  bool wide;  // 16 bytes along the edge are one aligned load
  bool deep;  // 16 bytes along the depth are
  bool fast_along_depth;
  bool conjugated;

  /// Of A, whose rows are the edge; B is given transposed. Other slices begin at multiples of `step` elements.
  static PanelSource of(Matrix<T const> const& m, bool conjugated, Index step = 0) {
    constexpr int pack = sizeof(T) >= 16 ? 1 : 16 / static_cast<int>(sizeof(T));
    bool const wide = tile::takes_packs_along_rows(m.transposed(), pack, step);
    bool const deep = tile::takes_packs_along_rows(m, pack, step);
    return {m.data, m.cols, m.rows, m.col_stride, m.row_stride, wide, deep, m.fast_along_row(), conjugated};
  }
};

/// \brief  Moves Depth x Edge elements at a time into a panel of words of one element, by Threads threads.
/// \tparam Async  the copies run while the thread goes on; otherwise elements wait in registers and may change type
template <class T, class Layout, int Depth, int Edge, int Threads, bool Async>
struct PanelLoader {
  using Compute = typename Layout::Word;
  static constexpr int count = Depth * Edge / Threads;  // per thread
  static_assert(Depth * Edge % Threads == 0);
  /// Elements of 16 bytes, both where they are and as words: neighbouring threads write neighbouring packs.
  static constexpr int widest = static_cast<int>(sizeof(T) > sizeof(Compute) ? sizeof(T) : sizeof(Compute));
  static constexpr int pack = tile::smaller(widest >= 16 ? 1 : 16 / widest, count);
  /// Packs per thread; zero where threads would be left over, and elements go one by one.
  static constexpr int packs = Depth * Edge % (Threads * pack) == 0 ? count / pack : 0;

  /// What a thread holds between fetch and put.
  struct Registers {
    T value[Async ? 1 : count];
  };

  static_assert(Threads % Depth == 0 && Threads % Edge == 0);

  /// The elements or packs of a thread: the first one's place in the panel, and the way to the next.
  struct Walk {
    int k, e, next_k, next_e;
  };
  /// In steps of `width` elements, whole rows at a time. Rows of 64 bytes are taken in pairs that are four apart:
  /// padding puts these into different banks.
  KOKKOS_INLINE_FUNCTION static Walk walk_along_edge(int thread, int width) {
    constexpr bool pairs = Edge * sizeof(Compute) == 64;
    static_assert(!pairs || Threads % (8 * Edge) == 0);
    int const across = Edge / width, row = thread / across;
    return {pairs ? row / 8 * 8 + row % 2 * 4 + row / 2 % 4 : row, thread % across * width, Threads / across, 0};
  }
  /// Neighbours along the depth that threads take beside each other: a sector of the device's memory, whose words go to
  /// rows of the panel in different banks; eight words of 16 bytes.
  static constexpr int sector = tile::smaller(Depth, sizeof(Compute) >= 16 ? 8 : 32 / static_cast<int>(sizeof(T)));
  static_assert(Depth % sector == 0 && Threads % (Depth / sector * sector) == 0);
  KOKKOS_INLINE_FUNCTION static Walk walk_elements(PanelSource<T> const& source, int thread) {
    if (!source.fast_along_depth) return walk_along_edge(thread, 1);
    constexpr int next_e = Threads / Depth, of_sector = next_e * sector;  // threads that take one sector's depth
    return {thread % sector + thread / of_sector * sector, thread % of_sector / sector, 0, next_e};
  }

  /// Where a thread's first element or pack of a panel is, for the panel from (0, e0) on.
  KOKKOS_INLINE_FUNCTION static T const* begin(PanelSource<T> const& source, Index e0, int thread) {
    Walk const walk = uses_packs(source) ? walk_along_edge(thread, pack) : walk_elements(source, thread);
    return source.data + walk.k * source.depth_stride + (e0 + walk.e) * source.edge_stride;
  }
  /// From there to the next panel along the depth.
  KOKKOS_INLINE_FUNCTION static Index advance(PanelSource<T> const& source) { return Depth * source.depth_stride; }

  /// \brief  Begin to move a panel. What lies outside of the operand is zero.
  /// \param  from  begin(), advanced to this panel
  /// \param  depth_left, edge_left  what there is of the operand in the panel
  KOKKOS_INLINE_FUNCTION static void fetch(PanelSource<T> const& source, T const* from, int depth_left, int edge_left,
                                           int thread, Registers& held, Compute* panel) {
    if (depth_left == Depth && edge_left == Edge) {
      fetch_part<true>(source, from, Depth, Edge, thread, held, panel);
    } else {
      fetch_part<false>(source, from, depth_left, edge_left, compiler_ext::recomputed(thread), held, panel);
    }
  }

  /// What fetch left in registers goes to the panel, in the type of the sums.
  KOKKOS_INLINE_FUNCTION static void put([[maybe_unused]] PanelSource<T> const& source, [[maybe_unused]] int thread,
                                         [[maybe_unused]] Registers const& held, [[maybe_unused]] Compute* panel) {
    if constexpr (!Async) {
      auto const value = [&](int i) {
        Compute const converted = convert<Compute>(held.value[i]);
        return source.conjugated ? conjugate(converted) : converted;
      };
      if (uses_packs(source)) {
        put_packs(walk_along_edge(thread, pack), value, panel);
      } else {
        Walk const walk = walk_elements(source, thread);
        PANTILE_UNROLL
        for (int i = 0; i < count; ++i) {
          panel[Layout::place(walk.k + i * walk.next_k, walk.e + i * walk.next_e)] = value(i);
        }
      }
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION static bool uses_packs(PanelSource<T> const& source) { return packs > 0 && source.wide; }

  /// Packs of value(i).
  template <class Value>
  KOKKOS_INLINE_FUNCTION static void put_packs(Walk const& walk, Value const& value, Compute* panel) {
    constexpr int bytes = sizeof(Compute);
    static_assert(Layout::place(1, 0) * bytes % 16 == 0 && Layout::place(4, 0) * bytes % 16 == 0);
    PANTILE_UNROLL
    for (int i = 0; i < packs; ++i) {
      Pack<Compute, pack> words;
      PANTILE_UNROLL
      for (int w = 0; w < pack; ++w) words.value[w] = value(i * pack + w);
      tile::store_pack<true>(panel + Layout::place(walk.k + i * walk.next_k, walk.e + i * walk.next_e), words);
    }
  }

  /// \tparam Whole  nothing of the panel is outside of the operand: no test, no selection
  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static void fetch_part(PanelSource<T> const& source, T const* from, int depth_left,
                                                int edge_left, int thread, [[maybe_unused]] Registers& held,
                                                [[maybe_unused]] Compute* panel) {
    if (uses_packs(source)) {
      Walk const walk = walk_along_edge(thread, pack);
      Index const next = walk.next_k * source.depth_stride + walk.next_e;
      PANTILE_UNROLL
      for (int i = 0; i < packs; ++i, from += next) {
        int const k = walk.k + i * walk.next_k, e = walk.e + i * walk.next_e;
        int const there = Whole || k < depth_left ? (Whole ? pack : tile::smaller(pack, edge_left - e)) : 0;
        fetch_pack<Whole>(there, from, source.data, held, i * pack, panel + Layout::place(k, e));
      }
    } else {
      Walk const walk = walk_elements(source, thread);
      Index const next = walk.next_k * source.depth_stride + walk.next_e * source.edge_stride;
      PANTILE_UNROLL
      for (int i = 0; i < count; ++i, from += next) {
        int const k = walk.k + i * walk.next_k, e = walk.e + i * walk.next_e;
        bool const there = Whole || (k < depth_left && e < edge_left);
        if constexpr (Async) {
          copy_element(panel + Layout::place(k, e), there ? from : source.data, there);
        } else {
          held.value[i] = there ? *from : T(0);
        }
      }
    }
  }

  static constexpr int size = sizeof(T);

  /// In pieces as T is aligned: a complex number may be aligned as its parts are.
  KOKKOS_INLINE_FUNCTION static void copy_element(Compute* to, T const* from, bool there) {
    constexpr int piece = alignof(T);
    PANTILE_UNROLL
    for (int at = 0; at < size; at += piece) {
      arch::copy_async<piece>(reinterpret_cast<unsigned char*>(to) + at,
                              reinterpret_cast<unsigned char const*>(from) + at, there ? piece : 0);
    }
  }

  /// A pack of which `there` elements exist, none if that is negative; `somewhere` may be named where none does.
  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static void fetch_pack(int there, T const* from, T const* somewhere,
                                                [[maybe_unused]] Registers& held, [[maybe_unused]] int first,
                                                [[maybe_unused]] Compute* to) {
    if constexpr (Async) {
      static_assert(packs == 0 || pack * size == 16);
      arch::copy_async<16>(to, Whole || there > 0 ? from : somewhere, Whole ? 16 : there > 0 ? there * size : 0);
    } else if (Whole || there == pack) {
      auto const whole = tile::load_pack<pack>(from);
      PANTILE_UNROLL
      for (int v = 0; v < pack; ++v) held.value[first + v] = whole.value[v];
    } else {
      PANTILE_UNROLL
      for (int v = 0; v < pack; ++v) held.value[first + v] = v < there ? from[v] : T(0);
    }
  }
};

}  // namespace pantile::impl::matmul
