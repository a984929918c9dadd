// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Loads of panels of low precision into scratch, where neighbours along k become one k-pack.

#include <pantile/impl/arch/byte_permute.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/matmul/device/load.hpp>
#include <pantile/impl/tile/pack.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::impl::matmul {

/// \brief  Moves Depth x Edge elements at a time into a panel of k-packs of KPack elements, through registers: packs
///         along the edge, whose neighbours along k are then taken together, or packs along the depth, which are
///         k-packs already, or element by element.
template <class T, class Layout, int KPack, int Depth, int Edge, int Threads>
struct PackedLoader {
  using Packed = typename Layout::Packed;
  static constexpr int part = 4 / static_cast<int>(sizeof(T));  // elements of a register
  static constexpr int parts = KPack / part;                    // registers of a k-pack
  static constexpr int count = Depth * Edge / Threads;          // elements per thread
  static constexpr int rows = Depth / KPack;                    // of k-packs
  static constexpr int widest = 16 / static_cast<int>(sizeof(T));
  /// K-packs of 4 bytes: those of a pack are one store of 16 bytes, and packs of neighbouring threads are neighbours.
  static constexpr int edge_pack = sizeof(Packed) == 4 ? 4 : tile::smaller(widest, count / KPack);
  static constexpr int depth_pack = tile::smaller(widest, count);
  static_assert(Threads % rows == 0 && Threads % Edge == 0 && Depth % KPack == 0);
  static_assert(edge_pack % part == 0 && count % (edge_pack * KPack) == 0);
  static_assert(count % depth_pack == 0 && depth_pack % KPack == 0 && KPack % part == 0);

  /// What a thread holds between fetch and put, in whole registers: compilers give each element of low precision one of
  /// its own.
  struct Registers {
    std::uint32_t value[count / part];
  };

  /// A thread's first unit, in k-packs down and elements along the edge, and the way to its next one.
  struct Walk {
    int row, e, next_row, next_e;
  };

  /// \param  from  of this thread, advanced to the panel
  KOKKOS_INLINE_FUNCTION static T const* begin(PanelSource<T> const& source, Index e0, int thread) {
    Walk const walk = walk_of(source, thread);
    return source.data + walk.row * KPack * source.depth_stride + (e0 + walk.e) * source.edge_stride;
  }

  /// \brief  Begin to move a panel. What lies outside of the operand is zero. As PanelLoader's.
  KOKKOS_INLINE_FUNCTION static void fetch(PanelSource<T> const& source, T const*& from, int depth_left, int edge_left,
                                           int thread, Registers& held, [[maybe_unused]] Packed* panel) {
    int const own = compiler_ext::recomputed(thread);  // registers are short all along
    if (depth_left == Depth && edge_left == Edge) {
      fetch_part<true>(source, from, Depth, Edge, own, held);
    } else {
      fetch_part<false>(source, from, depth_left, edge_left, own, held);
    }
    from += Depth * source.depth_stride;
  }

  /// What fetch left in registers goes to the panel.
  KOKKOS_INLINE_FUNCTION static void put(PanelSource<T> const& source, int thread, Registers const& held,
                                         Packed* panel) {
    Walk const walk = walk_of(source, compiler_ext::recomputed(thread));
    if (along_edge(source)) {
      put_transposed(walk, held, panel);
    } else {
      constexpr int packed = depth_pack / KPack;
      bool const packs = along_depth(source);
      PANTILE_UNROLL
      for (int i = 0; i < count / KPack; ++i) {
        int const unit = packs ? i / packed : i, within = packs ? i % packed : 0;
        panel[Layout::place(walk.row + unit * walk.next_row + within, walk.e + unit * walk.next_e)] =
            joined(held.value + i * parts);
      }
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION static bool along_edge(PanelSource<T> const& source) { return source.wide; }
  KOKKOS_INLINE_FUNCTION static bool along_depth(PanelSource<T> const& source) { return !source.wide && source.deep; }

  /// Units of `high` k-packs down and `width` elements along the edge, the shorter way through memory first.
  KOKKOS_INLINE_FUNCTION static Walk walk_units(int thread, int high, int width, bool down_first) {
    int const down = rows / high, across = Edge / width;
    if (down_first) return {thread % down * high, thread / down * width, 0, Threads / down * width};
    return {thread / across * high, thread % across * width, Threads / across * high, 0};
  }
  KOKKOS_INLINE_FUNCTION static Walk walk_of(PanelSource<T> const& source, int thread) {
    if (along_edge(source)) return walk_units(thread, 1, edge_pack, false);
    if (along_depth(source)) return walk_units(thread, depth_pack / KPack, 1, true);
    return walk_units(thread, 1, 1, source.fast_along_depth);
  }

  template <bool Whole>
  KOKKOS_INLINE_FUNCTION static void fetch_part(PanelSource<T> const& source, T const* from, int depth_left,
                                                int edge_left, int thread, Registers& held) {
    Walk const walk = walk_of(source, thread);
    Index const next = walk.next_row * KPack * source.depth_stride + walk.next_e * source.edge_stride;
    if (along_edge(source)) {
      PANTILE_UNROLL
      for (int i = 0; i < count / (edge_pack * KPack); ++i, from += next) {
        int const k = (walk.row + i * walk.next_row) * KPack, e = walk.e + i * walk.next_e;
        T const* line = from;
        PANTILE_UNROLL
        for (int g = 0; g < KPack; ++g, line += source.depth_stride) {
          int const there = Whole || k + g < depth_left ? (Whole ? edge_pack : edge_left - e) : 0;
          fetch_pack<Whole, edge_pack>(there, line, held, (i * KPack + g) * edge_pack / part);
        }
      }
    } else if (along_depth(source)) {
      PANTILE_UNROLL
      for (int i = 0; i < count / depth_pack; ++i, from += next) {
        int const k = (walk.row + i * walk.next_row) * KPack, e = walk.e + i * walk.next_e;
        int const there = Whole || e < edge_left ? (Whole ? depth_pack : depth_left - k) : 0;
        fetch_pack<Whole, depth_pack>(there, from, held, i * depth_pack / part);
      }
    } else {
      PANTILE_UNROLL
      for (int i = 0; i < count / KPack; ++i, from += next) {
        int const k = (walk.row + i * walk.next_row) * KPack, e = walk.e + i * walk.next_e;
        T const* element = from;
        PANTILE_UNROLL
        for (int g = 0; g < parts; ++g, element += part * source.depth_stride) {
          int const there = Whole || e < edge_left ? (Whole ? part : depth_left - k - g * part) : 0;
          held.value[i * parts + g] = gather(there, element, source.depth_stride);
        }
      }
    }
  }

  /// A register of elements so far apart, of which `there` exist, none if that is negative.
  KOKKOS_INLINE_FUNCTION static std::uint32_t gather(int there, T const* from, Index stride) {
    using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
    std::uint32_t result = 0;
    PANTILE_UNROLL
    for (int v = 0; v < part; ++v, from += stride) {
      if (v < there) result |= std::uint32_t{tile::load_bits<Bits>(from)} << (8 * v * static_cast<int>(sizeof(T)));
    }
    return result;
  }

  KOKKOS_INLINE_FUNCTION static Packed joined(std::uint32_t const* registers) {
    if constexpr (parts == 1) {
      return {registers[0]};
    } else {
      return {std::uint64_t{registers[1]} << 32 | registers[0]};
    }
  }

  /// A pack of which `there` elements exist, none if that is negative.
  template <bool Whole, int Count>
  KOKKOS_INLINE_FUNCTION static void fetch_pack(int there, T const* from, Registers& held, int first) {
    constexpr int size = Count / part;
    if (Whole || there >= Count) {
      auto const whole = tile::load_bits<Pack<std::uint32_t, size>>(from);
      PANTILE_UNROLL
      for (int v = 0; v < size; ++v) held.value[first + v] = whole.value[v];
    } else {
      PANTILE_UNROLL
      for (int v = 0; v < size; ++v) held.value[first + v] = gather(there - v * part, from + v * part, 1);
    }
  }

  /// Packs along the edge of KPack neighbours along k -> a line of k-packs, 16 bytes of them at a time.
  KOKKOS_INLINE_FUNCTION static void put_transposed(Walk const& walk, Registers const& held, Packed* panel) {
    constexpr int chunk = 16 / static_cast<int>(sizeof(Packed)), at_once = chunk > part ? chunk : part;
    constexpr int size = edge_pack / part;
    constexpr int units = count / (edge_pack * KPack), next_row = Threads / (Edge / edge_pack);
    static_assert(units == 1 || next_row % 4 == 0);  // rows so far apart are in the same place of their four
    Packed* to = panel + Layout::place(walk.row, walk.e);
    PANTILE_UNROLL
    for (int i = 0; i < units; ++i, to += Layout::place(next_row, 0)) {
      PANTILE_UNROLL
      for (int e = 0; e < edge_pack; e += at_once) {
        Pack<Packed, chunk> k_packs[at_once / chunk];
        PANTILE_UNROLL
        for (int v = 0; v < at_once; v += part) {
          std::uint32_t transposed[part][parts];
          transpose(held.value + i * KPack * size + (e + v) / part, size, transposed);
          PANTILE_UNROLL
          for (int w = 0; w < part; ++w) k_packs[(v + w) / chunk].value[(v + w) % chunk] = joined(transposed[w]);
        }
        PANTILE_UNROLL
        for (int v = 0; v < at_once; v += chunk) tile::store_pack<true>(to + e + v, k_packs[v / chunk]);
      }
    }
  }

  /// Registers of KPack rows, `next` apart -> for each element of a register the k-packs of that column.
  KOKKOS_INLINE_FUNCTION static void transpose(std::uint32_t const* from, int next, std::uint32_t (&to)[part][parts]) {
    PANTILE_UNROLL
    for (int s = 0; s < parts; ++s) {
      std::uint32_t in[part], out[part];
      PANTILE_UNROLL
      for (int j = 0; j < part; ++j) in[j] = from[(s * part + j) * next];
      if constexpr (part == 2) {
        arch::transpose_halves(in, out);
      } else {
        arch::transpose_bytes(in, out);
      }
      PANTILE_UNROLL
      for (int v = 0; v < part; ++v) to[v][s] = out[v];
    }
  }
};

}  // namespace pantile::impl::matmul
