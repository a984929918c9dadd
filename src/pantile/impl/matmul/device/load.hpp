// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Loads of panels of A and B into scratch: any stride, any alignment, any edge.

#include <pantile/element.hpp>
#include <pantile/impl/arch/async_copy.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/tile/pack.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::matmul {

using tile::Pack;

/// \brief  Where the k-packs of a panel are in scratch: rows of Edge k-packs and Padding between them, and
///         PaddingOfFour more after each four rows.
template <class P, int Edge, int Padding, int PaddingOfFour>
struct PanelLayout {
  using Packed = P;
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

/// \brief  Moves Depth x Edge elements at a time into a panel of k-packs of one element, by Threads threads.
/// \tparam Async  the copies run while the thread goes on; otherwise elements wait in registers and may change type
template <class T, class Layout, int Depth, int Edge, int Threads, bool Async>
struct PanelLoader {
  using Compute = typename Layout::Packed;
  static constexpr int count = Depth * Edge / Threads;  // per thread
  static_assert(Depth * Edge % Threads == 0);
  /// Elements of 16 bytes, both where they are and in scratch: neighbouring threads write neighbouring packs.
  static constexpr int widest = static_cast<int>(sizeof(T) > sizeof(Compute) ? sizeof(T) : sizeof(Compute));
  static constexpr int pack = tile::smaller(widest >= 16 ? 1 : 16 / widest, count);
  /// Packs per thread; zero where threads would be left over, and elements go one by one.
  static constexpr int packs = Depth * Edge % (Threads * pack) == 0 ? count / pack : 0;

  /// What a thread holds between fetch and put.
  struct Registers {
    T value[Async ? 1 : count];
  };

  static_assert(Threads % Depth == 0 && Threads % Edge == 0);

  struct Place {
    int k, e;
  };
  /// Items of `width` neighbours along the edge, which threads take beside each other, whole rows at a time. Rows of 64
  /// bytes are taken in pairs that are four apart: padding puts these into different banks.
  template <int width>
  struct AlongEdge {
    static constexpr int items = count / width, across = Edge / width, rows = Threads / across;
    static constexpr bool pairs = Edge * sizeof(Compute) == 64;
    static_assert(!pairs || rows % 8 == 0);
    static_assert(4 % rows == 0 || rows % 4 == 0);  // so that way() holds
    KOKKOS_INLINE_FUNCTION static Place first(int thread) {
      int const row = thread / across;
      return {pairs ? row / 8 * 8 + row % 2 * 4 + row / 2 % 4 : row, thread % across * width};
    }
    KOKKOS_INLINE_FUNCTION static constexpr Place next(int i) { return {i * rows, 0}; }
    /// From one item of a thread to its next in memory.
    KOKKOS_INLINE_FUNCTION static Index stride(PanelSource<T> const& source) { return rows * source.depth_stride; }
  };
  /// Single elements. Neighbours along the depth are taken beside each other, as many as have their k-packs in
  /// different banks, or a sector of the device's memory: what arrives is written into scratch by lines of memory.
  struct AlongDepth {
    static constexpr int sector = tile::smaller(Depth, sizeof(T) >= 4 ? 8 : 32 / static_cast<int>(sizeof(T)));
    static_assert(Depth % sector == 0 && Threads % (Depth / sector * sector) == 0);
    static constexpr int items = count, edges = Threads / Depth, of_sector = edges * sector;
    KOKKOS_INLINE_FUNCTION static Place first(int thread) {
      return {thread % sector + thread / of_sector * sector, thread % of_sector / sector};
    }
    KOKKOS_INLINE_FUNCTION static constexpr Place next(int i) { return {0, i * edges}; }
    KOKKOS_INLINE_FUNCTION static Index stride(PanelSource<T> const& source) { return edges * source.edge_stride; }
  };
  /// Call f.template operator()<Way, width>() with the way of this operand.
  template <class F>
  KOKKOS_INLINE_FUNCTION static void with_way(PanelSource<T> const& source, F const& f) {
    if constexpr (packs > 0) {
      if (source.wide) return f.template operator()<AlongEdge<pack>, pack>();
    }
    if (source.fast_along_depth) return f.template operator()<AlongDepth, 1>();
    f.template operator()<AlongEdge<1>, 1>();
  }
  /// From a thread's first item in a panel to its i-th: rows are a multiple of four apart, or a divisor of four and the
  /// first one's below that, so that the padding of four is the same.
  template <class Way>
  KOKKOS_INLINE_FUNCTION static constexpr int way(int i) {
    return Layout::place(Way::next(i).k, Way::next(i).e);
  }

  /// Where a thread's first element or pack of a panel is, for the panel from (0, e0) on.
  KOKKOS_INLINE_FUNCTION static T const* begin(PanelSource<T> const& source, Index e0, int thread) {
    T const* from = source.data + e0 * source.edge_stride;
    with_way(source, [&]<class Way, int width>() {
      Place const at = Way::first(thread);
      from += at.k * source.depth_stride + at.e * source.edge_stride;
    });
    return from;
  }

  /// \brief  Begin to move a panel. What lies outside of the operand is zero.
  /// \param  from  begin() for the first panel; goes on to the next one along the depth
  /// \param  depth_left, edge_left  what there is of the operand in the panel
  KOKKOS_INLINE_FUNCTION static void fetch(PanelSource<T> const& source, T const*& from, int depth_left, int edge_left,
                                           int thread, Registers& held, Compute* panel) {
    int const own = compiler_ext::recomputed(thread);
    if (depth_left == Depth && edge_left == Edge) {
      fetch<true>(source, from, Depth, Edge, own, held, panel);
    } else {
      fetch<false>(source, from, depth_left, edge_left, own, held, panel);
    }
    from += Depth * source.depth_stride;
  }

  /// What fetch left in registers goes to the panel, in the type of the sums.
  KOKKOS_INLINE_FUNCTION static void put([[maybe_unused]] PanelSource<T> const& source, [[maybe_unused]] int thread,
                                         [[maybe_unused]] Registers const& held, [[maybe_unused]] Compute* panel) {
    if constexpr (!Async) {
      auto const value = [&](int i) {
        Compute const converted = convert<Compute>(held.value[i]);
        return source.conjugated ? conjugate(converted) : converted;
      };
      with_way(source, [&]<class Way, int width>() {
        Place const at = Way::first(thread);
        Compute* const to = panel + Layout::place(at.k, at.e);
        PANTILE_UNROLL
        for (int i = 0; i < Way::items; ++i) {
          if constexpr (width == 1) {
            to[way<Way>(i)] = value(i);
          } else {
            static_assert(Layout::place(1, 0) * sizeof(Compute) % 16 == 0 &&
                          Layout::place(4, 0) * sizeof(Compute) % 16 == 0);
            Pack<Compute, width> values;
            PANTILE_UNROLL
            for (int w = 0; w < width; ++w) values.value[w] = value(i * width + w);
            tile::store_pack<true>(to + way<Way>(i), values);
          }
        }
      });
    }
  }

 private:
  /// \tparam Whole  nothing of the panel is outside of the operand: no test, no selection
  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static void fetch(PanelSource<T> const& source, T const* from, int depth_left, int edge_left,
                                           int thread, [[maybe_unused]] Registers& held,
                                           [[maybe_unused]] Compute* panel) {
    with_way(source, [&]<class Way, int width>() {
      Place const at = Way::first(thread);
      Index const stride = Way::stride(source);
      [[maybe_unused]] Compute* const to = panel + Layout::place(at.k, at.e);
      PANTILE_UNROLL
      for (int i = 0; i < Way::items; ++i, from += stride) {
        int const k = at.k + Way::next(i).k, e = at.e + Way::next(i).e;
        if constexpr (width > 1) {
          int const there = Whole || k < depth_left ? (Whole ? width : tile::smaller(width, edge_left - e)) : 0;
          fetch_pack<Whole>(there, from, source.data, held, i * width, to + way<Way>(i));
        } else {
          bool const there = Whole || (k < depth_left && e < edge_left);
          if constexpr (Async) {
            copy_element(to + way<Way>(i), there ? from : source.data, there);
          } else {
            held.value[i] = there ? *from : T(0);
          }
        }
      }
    });
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
