// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Packing: a block of a matrix of any strides becomes panels that the micro-kernel reads in order.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/shuffle.hpp>

namespace pantile::impl::arch {

/// Elements as plain bits, aligned as the parts of complex numbers: packing moves them and computes nothing.
typedef std::uint32_t __attribute__((may_alias)) Bits4;
typedef std::uint64_t __attribute__((aligned(4), may_alias)) Bits8;
typedef std::uint64_t __attribute__((vector_size(16), aligned(8), may_alias)) Bits16;

template <int Size>
struct BitsOf;
template <>
struct BitsOf<4> {
  using type = Bits4;
};
template <>
struct BitsOf<8> {
  using type = Bits8;
};
template <>
struct BitsOf<16> {
  using type = Bits16;
};

/// \brief  Panels of Width lines, as PackCall says, of elements of Size bytes. Beyond the last line a whole register is
///         filled, with anything that the matrix holds or zeroes; what follows is left alone.
template <class S, int Size, int Width>
struct Packing {
  using Bits = typename BitsOf<Size>::type;

  static PANTILE_INLINE void run(void const* source, Index line_stride, Index depth_stride, Index lines, Index depth,
                                 void* target) {
    auto const* from = static_cast<Bits const*>(source);
    auto* to = static_cast<Bits*>(target);
    if (line_stride == 1) {
      beside(from, depth_stride, lines, depth, to);
      return;
    }
    for (Index line = 0; line < lines; line += Width) {
      if (lines - line >= Width) {
        panel(from, line_stride, depth_stride, Width, depth, to);
      } else {
        part_panel(from, line_stride, depth_stride, lines - line, depth, to);
      }
      from += Width * line_stride;
      to += Width * depth;
    }
  }

 private:
  /// Elements in a square that is transposed in registers.
  static constexpr int square = Size < 16 ? S::bytes / Size : 1;

  /// Lines are contiguous: a few positions at a time through all panels, so that memory is read in long runs.
  static PANTILE_INLINE void beside(Bits const* from, Index depth_stride, Index lines, Index depth, Bits* to) {
    constexpr Index batch = host::pack_positions;
    Index const full = lines / Width * Width;
    for (Index k0 = 0; k0 < depth; k0 += batch) {
      Index const end = depth - k0 < batch ? depth : k0 + batch;
      for (Index line = 0; line < full; line += Width) {
        for (Index k = k0; k < end; ++k) {
          __builtin_memcpy(to + line * depth + k * Width, from + line + k * depth_stride, Width * Size);
          // A page away: nothing else prefetches it.
#pragma GCC unroll 4
          for (int at = 0; at < Width; at += 64 / Size)
            __builtin_prefetch(from + line + (k + batch) * depth_stride + at);
        }
      }
    }
    if (full < lines) part_panel(from + full, 1, depth_stride, lines - full, depth, to + full * depth);
  }

  static __attribute__((noinline)) void part_panel(Bits const* from, Index line_stride, Index depth_stride, Index lines,
                                                   Index depth, Bits* to) {
    panel(from, line_stride, depth_stride, lines, depth, to);
  }

  static PANTILE_INLINE void panel(Bits const* from, Index line_stride, Index depth_stride, Index lines, Index depth,
                                   Bits* to) {
    if (depth_stride == 1) {
      transposed_panel(from, line_stride, lines, depth, to);
    } else if (lines == Width) {
      for (Index k = 0; k < depth; ++k) {
#pragma GCC unroll 16
        for (int i = 0; i < Width; ++i) to[k * Width + i] = from[i * line_stride + k * depth_stride];
      }
    } else {
      positions(from, line_stride, depth_stride, lines, 0, depth, to);
    }
  }

  /// Positions are contiguous: squares of a register's lanes are transposed in registers, of smaller registers at the
  /// end; what is left goes element by element.
  static PANTILE_INLINE void transposed_panel(Bits const* from, Index line_stride, Index lines, Index depth, Bits* to) {
    Index k = 0;
    if constexpr (Size < 16) k = squares<S>(from, line_stride, lines, k, depth, to);
    if constexpr (Size < 16 && S::bytes > 32) k = squares<PartOf<S, 32>>(from, line_stride, lines, k, depth, to);
    if constexpr (Size < 16 && S::bytes > 16) k = squares<PartOf<S, 16>>(from, line_stride, lines, k, depth, to);
    positions(from, line_stride, 1, lines, k, depth, to);
  }

  /// \brief  Positions from k on, as many as whole squares take. A square that is wider than the panel writes on into
  ///         the next position, which is written after it: hence the order of the strips, and that some are left.
  /// \return the next position
  template <class Q>
  static PANTILE_INLINE Index squares(Bits const* from, Index line_stride, Index lines, Index k, Index depth,
                                      Bits* to) {
    using T = typename WordOf<Size>::type;
    constexpr int edge = Q::bytes / Size, strips = (Width + edge - 1) / edge;
    Index const filled = smaller((lines + square - 1) / square * square, Width);
    for (; k + edge + strips * edge - Width <= depth; k += edge) {
#pragma GCC unroll 16
      for (int strip = strips - 1; strip >= 0; --strip) {
        if (strip * edge >= filled) continue;
        Register<Q, T> line[edge];
#pragma GCC unroll 16
        for (int i = 0; i < edge; ++i) {
          Index const wanted = strip * edge + i;
          line[i] = load<Q>(reinterpret_cast<T const*>(from + (wanted < lines ? wanted : lines - 1) * line_stride + k));
        }
        transpose_square<Q, T>(line);
#pragma GCC unroll 16
        for (int i = 0; i < edge; ++i) store<Q>(reinterpret_cast<T*>(to + (k + i) * Width + strip * edge), line[i]);
      }
    }
    return k;
  }

  /// Element by element.
  static PANTILE_INLINE void positions(Bits const* from, Index line_stride, Index depth_stride, Index lines,
                                       Index begin, Index end, Bits* to) {
    Index const filled = smaller((lines + square - 1) / square * square, Width);
    for (Index k = begin; k < end; ++k) {
      for (Index i = 0; i < lines; ++i) to[k * Width + i] = from[i * line_stride + k * depth_stride];
      for (Index i = lines; i < filled; ++i) to[k * Width + i] = Bits{};
    }
  }
};

}  // namespace pantile::impl::arch
