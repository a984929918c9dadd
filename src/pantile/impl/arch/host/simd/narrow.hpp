// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  One product of narrow elements on one thread: BLIS's five loops with both operands packed into words, and the
///        micro-kernel of full register tiles. Tiles at the edges are computed whole, beside C.

#include <pantile/impl/arch/host/simd/gemm_kernel.hpp>
#include <pantile/impl/arch/host/simd/narrow_words.hpp>

namespace pantile::impl::arch {

/// A word that the micro-kernel may read as a float.
typedef std::uint32_t __attribute__((may_alias)) PackedWord;

/// \brief  Panels of Width lines in words: for each group of depth positions in turn a word of every line. Positions beyond
///         the last one of a group are zero; lines beyond the last one hold anything, their sums are not used.
template <class S, class Words, class E, int Width>
struct NarrowPacking {
  static constexpr int group = Words::group, square = lanes<S, std::uint32_t>, strips = (Width + square - 1) / square;

  static PANTILE_INLINE void panel(E const* from, Index line_stride, Index depth_stride, Index lines, Index depth,
                                   std::uint32_t sign, PackedWord* to) {
    Index const whole = depth / group;
    Index at = 0;
    if (depth_stride == 1 && whole >= square) {
      along(from, line_stride, lines, whole, sign, to);
      at = whole;
    } else if (line_stride == 1) {
      for (; at < whole; ++at) beside(from + at * group * depth_stride, depth_stride, lines, sign, to + at * Width);
    }
    for (; at * group < depth; ++at) {
      int const count = depth - at * group < group ? static_cast<int>(depth - at * group) : group;
      E const* const p = from + at * group * depth_stride;
      for (int i = 0; i < Width; ++i) {
        to[at * Width + i] = i < lines ? Words::one(p + i * line_stride, depth_stride, count, sign) : 0U;
      }
    }
  }

 private:
  /// The part of a register that lies in strip number `strip` of a position.
  static PANTILE_INLINE void put(PackedWord* position, int strip, WordRegister<S> const& words) {
    auto* const to = reinterpret_cast<std::uint32_t*>(position) + strip * square;
    if (strip < Width / square) {
      store<S>(to, words);
    } else {
      store_first<S>(to, words, Width % square);
    }
  }

  /// Squares of words, turned in registers; the last one overlaps the one before it where it must.
  static PANTILE_INLINE void along(E const* from, Index line_stride, Index lines, Index whole, std::uint32_t sign,
                                   PackedWord* to) {
    for (Index begin = 0; begin < whole; begin += square) {
      Index const at = begin + square <= whole ? begin : whole - square;
#pragma GCC unroll 8
      for (int strip = 0; strip < strips; ++strip) {
        WordRegister<S> line[square];
#pragma GCC unroll 16
        for (int i = 0; i < square; ++i) {
          int const wanted = strip * square + i < Width ? strip * square + i : Width - 1;
          line[i] = Words::template along<S>(from + (wanted < lines ? wanted : lines - 1) * line_stride + at * group, sign);
        }
        turn<S, std::uint32_t>(line);
#pragma GCC unroll 16
        for (int i = 0; i < square; ++i) put(to + (at + i) * Width, strip, line[i]);
      }
    }
  }

  /// One position: registers of lines, what is left of the last one by way of a buffer.
  static PANTILE_INLINE void beside(E const* p, Index depth_stride, Index lines, std::uint32_t sign, PackedWord* to) {
#pragma GCC unroll 4
    for (int strip = 0; strip < strips; ++strip) {
      Index const left = lines - strip * square;
      if (left >= square) {
        put(to, strip, Words::template beside<S>(p + strip * square, depth_stride, sign));
      } else {
        E buffer[group * square] = {};
        for (int g = 0; g < group; ++g) {
          for (Index i = 0; i < left; ++i) {
            buffer[g * square + i] = static_cast<E>(narrow_element(p + g * depth_stride + strip * square + i));
          }
        }
        put(to, strip, Words::template beside<S>(buffer, square, sign));
      }
    }
  }
};

template <class S, class Format>
struct NarrowGemm {
  using E = typename Format::Element;
  using R = typename Format::Sum;
  using Call = NarrowCall<Format>;
  using Words = typename WordsOf<S, Format>::type;
  using Product = typename Words::Product;
  using Tile = GemmTile<S, R>;
  static constexpr int group = Words::group;
  static constexpr GemmBlocks blocks{192, 224 * group, 2016};

  static void run(Call const& call) {
    auto* const packed_b = static_cast<PackedWord*>(call.workspace);
    Index const words = narrow_words(call.blocks.kc, group);
    auto* const packed_a = packed_b + round_up(call.blocks.nc, Tile::cols) * words;
    for (Index j = 0; j < call.n; j += call.blocks.nc) {
      Index const cols = smaller(call.blocks.nc, call.n - j);
      for (Index p = 0; p < call.k; p += call.blocks.kc) {
        Index const depth = smaller(call.blocks.kc, call.k - p);
        pack<Tile::cols>(call.b + p * call.b_rs + j * call.b_cs, call.b_cs, call.b_rs, cols, depth,
                         Side{call.b_signed, call.a_signed, false}, packed_b);
        for (Index i = 0; i < call.m; i += call.blocks.mc) {
          Index const rows = smaller(call.blocks.mc, call.m - i);
          pack<Tile::rows>(call.a + i * call.a_rs + p * call.a_cs, call.a_rs, call.a_cs, rows, depth,
                           Side{call.a_signed, call.b_signed, true}, packed_a);
          macro(call, rows, cols, (depth + group - 1) / group, p == 0, packed_a, packed_b, call.c + i * call.c_rs + j);
        }
      }
    }
  }

 private:
  static PANTILE_INLINE constexpr Index smaller(Index a, Index b) { return a < b ? a : b; }
  static PANTILE_INLINE constexpr Index round_up(Index value, Index step) { return (value + step - 1) / step * step; }

  /// Which operand is packed, and whose bytes are signed.
  struct Side {
    bool is_signed, other_signed, is_a;
  };

  template <int Width>
  static void pack(E const* from, Index line_stride, Index depth_stride, Index lines, Index depth, Side side, PackedWord* to) {
    std::uint32_t sign = side.is_signed ? 0x80U : 0U;
    if constexpr (Product::corrected) sign = side.is_signed == side.is_a ? 0x80U : 0U;
    Index const words = (depth + group - 1) / group;
    for (Index line = 0; line < lines; line += Width) {
      NarrowPacking<S, Words, E, Width>::panel(from + line * line_stride, line_stride, depth_stride, lines - line, depth,
                                               sign, to);
      to += words * Width;
      if constexpr (Product::corrected) {
        correct<Width>(to - words * Width, words, depth, side, to);
        to += Width;
      }
    }
  }

  /// \brief  What a line adds to its sums, behind its words.
  ///
  /// The instruction multiplies bytes a + x of A, unsigned, with b - y of B, signed; x is 128 where A's are signed, and y
  /// where B's are not, else 0. With depth positions, sum(ab) = sum((a + x)(b - y)) + y sum(a + x) - x sum(b - y) - depth xy.
  template <int Width>
  static PANTILE_INLINE void correct(PackedWord const* words, Index count, Index depth, Side side, PackedWord* to) {
    std::uint32_t const x = (side.is_a ? side.is_signed : side.other_signed) ? 128 : 0;
    std::uint32_t const y = (side.is_a ? side.other_signed : side.is_signed) ? 0 : 128;
    std::uint32_t const factor = side.is_a ? y : 0U - x, flip = side.is_a ? 0U : 0x80U;
    std::uint32_t sums[Width] = {};
    if (factor != 0) {
      for (Index at = 0; at < count; ++at) {
        for (int i = 0; i < Width; ++i) {
          std::uint32_t const word = words[at * Width + i];
          for (int byte = 0; byte < 4; ++byte) sums[i] += ((word >> (8 * byte) & 0xffU) ^ flip) - flip;
        }
      }
    }
    std::uint32_t const constant = side.is_a ? static_cast<std::uint32_t>(depth) * x * y : 0U;
    for (int i = 0; i < Width; ++i) to[i] = factor * sums[i] - constant;
  }

  template <int Vecs>
  using Micro = GemmMicro<S, R, false, Tile::rows, Vecs, false, Product>;
  static PANTILE_INLINE void tile(GemmTileCall<R> const& call, GemmUpdate<R> const& update, int vecs) {
    if (vecs == Tile::vecs) return Micro<Tile::vecs>::template packed<Tile::rows>(call, update);
    if constexpr (Tile::vecs > 2) {
      if (vecs == 2) return Micro<2>::template packed<Tile::rows>(call, update);
    }
    Micro<1>::template packed<Tile::rows>(call, update);
  }

  static void macro(Call const& call, Index rows, Index cols, Index words, bool first, PackedWord const* a,
                    PackedWord const* b, R* c) {
    GemmUpdate<R> update, plain;
    update.alpha[0] = call.alpha;
    update.beta[0] = first ? call.beta : R(1);
    update.reads_c = call.reads_c || !first;
    plain.alpha[0] = plain.beta[0] = R(1);
    plain.reads_c = false;
    alignas(64) R beside[Tile::rows * Tile::cols];
    GemmTileCall<R> at{};
    at.k = words;
    at.b_rs = Tile::cols;
    at.last = lanes<S, R>;
    at.c_far = call.m * call.n * 4 > 256 * 1024;
    Index const step = words + (Product::corrected ? 1 : 0);
    for (Index j = 0; j < cols; j += Tile::cols) {
      Index const across = smaller(Tile::cols, cols - j);
      int const vecs = static_cast<int>((across + lanes<S, R> - 1) / lanes<S, R>);
      for (Index i = 0; i < rows; i += Tile::rows) {
        Index const down = smaller(Tile::rows, rows - i);
        bool const full = down == Tile::rows && across == vecs * lanes<S, R>;
        R* const target = c + i * call.c_rs + j;
        at.a = reinterpret_cast<R const*>(a + i * step);
        at.b = reinterpret_cast<R const*>(b + j * step);
        at.c = full ? target : beside;
        at.c_rs = full ? call.c_rs : Tile::cols;
        at.b_soon = reinterpret_cast<char const*>(at.b + step * Tile::cols) + i / Tile::rows * words * 16;
        tile(at, full ? update : plain, vecs);
        if (!full) take(update, beside, down, across, target, call.c_rs);
      }
    }
  }

  /// The part of a tile that C has.
  static PANTILE_INLINE void take(GemmUpdate<R> const& update, R const* sums, Index rows, Index cols, R* c, Index c_rs) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) {
        R const sum = sums[i * Tile::cols + j];
        R& element = c[i * c_rs + j];
        element = update.reads_c ? rounded(update.alpha[0] * sum) + rounded(update.beta[0] * element) : update.alpha[0] * sum;
      }
    }
  }
};

template <class S, class Format>
inline constexpr NarrowKernels<Format> narrow_table{GemmTile<S, typename Format::Sum>::rows,
                                                    GemmTile<S, typename Format::Sum>::cols, NarrowGemm<S, Format>::group,
                                                    NarrowGemm<S, Format>::blocks, &NarrowGemm<S, Format>::run};

/// For `host_kernels`: the table of the flags of this compilation.
template <class S, class Format>
NarrowKernels<Format> const* native_kernels(NarrowKernels<Format> const*) {
  return &narrow_table<S, Format>;
}

}  // namespace pantile::impl::arch
