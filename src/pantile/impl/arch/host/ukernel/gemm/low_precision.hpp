// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The product of a block of elements of low precision: both operands packed into k-packs, and the micro-kernel
///        of full register tiles. Tiles at the edges are computed whole, beside C.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/k_pack.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/micro_kernel.hpp>
#include <pantile/impl/arch/host/ukernel/shuffle.hpp>

namespace pantile::impl::arch {

/// A k-pack that the micro-kernel may read as a float.
typedef std::uint32_t __attribute__((may_alias)) KPackBits;

/// \brief  Panels of Width lines: for each k_pack of depth positions in turn a k-pack of every line. Positions
///         beyond the last one of a k_pack are zero; lines beyond the last one hold anything, their sums are not used.
template <class S, class KPack, class E, int Width>
struct LowPrecisionPacking {
  static constexpr int k_pack = KPack::k_pack, square = lanes<S, std::uint32_t>, strips = (Width + square - 1) / square;

  static PANTILE_INLINE void panel(E const* from, Index line_stride, Index depth_stride, Index lines, Index depth,
                                   std::uint32_t sign, KPackBits* to) {
    Index const whole = depth / k_pack;
    Index at = 0;
    if (depth_stride == 1 && whole >= square) {
      along(from, line_stride, lines, whole, sign, to);
      at = whole;
    } else if (line_stride == 1) {
      for (; at < whole; ++at) beside(from + at * k_pack * depth_stride, depth_stride, lines, sign, to + at * Width);
    }
    for (; at * k_pack < depth; ++at) {
      int const count = depth - at * k_pack < k_pack ? static_cast<int>(depth - at * k_pack) : k_pack;
      E const* const p = from + at * k_pack * depth_stride;
      for (int i = 0; i < Width; ++i) {
        to[at * Width + i] = i < lines ? KPack::one(p + i * line_stride, depth_stride, count, sign) : 0U;
      }
    }
  }

 private:
  /// The part of a register that lies in strip number `strip` of a position.
  static PANTILE_INLINE void put(KPackBits* position, int strip, KPackRegister<S> const& k_packs) {
    auto* const to = reinterpret_cast<std::uint32_t*>(position) + strip * square;
    if (strip < Width / square) {
      store<S>(to, k_packs);
    } else {
      store_first<S>(to, k_packs, Width % square);
    }
  }

  /// Squares of k-packs, transposed in registers; the last one overlaps the one before it where it must.
  static PANTILE_INLINE void along(E const* from, Index line_stride, Index lines, Index whole, std::uint32_t sign,
                                   KPackBits* to) {
    for (Index begin = 0; begin < whole; begin += square) {
      Index const at = begin + square <= whole ? begin : whole - square;
#pragma GCC unroll 8
      for (int strip = 0; strip < strips; ++strip) {
        KPackRegister<S> line[square];
#pragma GCC unroll 16
        for (int i = 0; i < square; ++i) {
          int const wanted = strip * square + i < Width ? strip * square + i : Width - 1;
          line[i] =
              KPack::template along<S>(from + (wanted < lines ? wanted : lines - 1) * line_stride + at * k_pack, sign);
        }
        transpose_square<S, std::uint32_t>(line);
#pragma GCC unroll 16
        for (int i = 0; i < square; ++i) put(to + (at + i) * Width, strip, line[i]);
      }
    }
  }

  /// One position: registers of lines, what is left of the last one by way of a buffer.
  static PANTILE_INLINE void beside(E const* p, Index depth_stride, Index lines, std::uint32_t sign, KPackBits* to) {
#pragma GCC unroll 4
    for (int strip = 0; strip < strips; ++strip) {
      Index const left = lines - strip * square;
      if (left >= square) {
        put(to, strip, KPack::template beside<S>(p + strip * square, depth_stride, sign));
      } else {
        E buffer[k_pack * square] = {};
        for (int g = 0; g < k_pack; ++g) {
          for (Index i = 0; i < left; ++i) {
            buffer[g * square + i] = static_cast<E>(element_bits(p + g * depth_stride + strip * square + i));
          }
        }
        put(to, strip, KPack::template beside<S>(buffer, square, sign));
      }
    }
  }
};

template <class S, class Format>
struct LowPrecisionGemm {
  using E = low_precision_t<Format>;
  using R = sum_t<Format>;
  using Call = GemmCall<R>;
  using KPack = typename KPackOf<S, Format>::type;
  using Product = typename KPack::Product;
  using Tile = GemmTile<S, R>;
  static constexpr int k_pack = KPack::k_pack, behind = Product::corrected ? 1 : 0;

  static void pack_a(PackCall const& call) { pack<true, Tile::rows>(call); }
  static void pack_b(PackCall const& call) { pack<false, Tile::cols>(call); }

  static void block(Call const& call) {
    GemmUpdate<R> const update = update_of<false>(call);
    GemmUpdate<R> plain;
    plain.alpha[0] = plain.beta[0] = R(1);
    plain.reads_c = false;
    alignas(64) R beside[Tile::rows * Tile::cols];
    Index const k_packs = (call.k + k_pack - 1) / k_pack, step = k_packs + behind;
    GemmTileCall<R> at{};
    at.k = k_packs;
    at.b_rs = Tile::cols;
    at.last = lanes<S, R>;
    at.prefetch_c_lines = call.hints.large_c;
    for (Index j = 0; j < call.n; j += Tile::cols) {
      Index const across = smaller(Tile::cols, call.n - j);
      int const vecs = static_cast<int>((across + lanes<S, R> - 1) / lanes<S, R>);
      for (Index i = 0; i < call.m; i += Tile::rows) {
        Index const down = smaller(Tile::rows, call.m - i);
        bool const full = down == Tile::rows && across == vecs * lanes<S, R>;
        R* const target = call.c + i * call.c_rs + j;
        at.a = call.a + i * step;
        at.b = call.b + j * step;
        at.c = full ? target : beside;
        at.c_rs = full ? call.c_rs : Tile::cols;
        at.soon = reinterpret_cast<char const*>(at.b + step * Tile::cols) + i / Tile::rows * k_packs * 16;
        tile(at, full ? update : plain, vecs);
        if (!full) take(update, beside, down, across, target, call.c_rs);
      }
    }
  }

 private:
  template <bool IsA, int Width>
  static PANTILE_INLINE void pack(PackCall const& call) {
    auto const* from = static_cast<E const*>(call.from);
    auto* to = static_cast<KPackBits*>(call.to);
    std::uint32_t sign = call.is_signed ? 0x80U : 0U;
    if constexpr (Product::corrected) sign = call.is_signed == IsA ? 0x80U : 0U;
    Index const k_packs = (call.depth + k_pack - 1) / k_pack;
    for (Index line = 0; line < call.lines; line += Width) {
      LowPrecisionPacking<S, KPack, E, Width>::panel(from + line * call.line_stride, call.line_stride,
                                                     call.depth_stride, call.lines - line, call.depth, sign, to);
      to += k_packs * Width;
      if constexpr (Product::corrected) {
        correct<IsA, Width>(to - k_packs * Width, k_packs, call, to);
        to += Width;
      }
    }
  }

  /// \brief  What a line adds to its sums, behind its k-packs. The instruction multiplies bytes a + x of A, unsigned,
  ///         with b - y of B, signed; x is 128 where A's are signed, and y where B's are not, else 0. With depth
  ///         positions, sum(ab) = sum((a + x)(b - y)) + y sum(a + x) - x sum(b - y) - depth xy.
  template <bool IsA, int Width>
  static PANTILE_INLINE void correct(KPackBits const* k_packs, Index count, PackCall const& call, KPackBits* to) {
    std::uint32_t const x = (IsA ? call.is_signed : call.other_signed) ? 128 : 0;
    std::uint32_t const y = (IsA ? call.other_signed : call.is_signed) ? 0 : 128;
    std::uint32_t const factor = IsA ? y : 0U - x, flip = IsA ? 0U : 0x80U;
    std::uint32_t sums[Width] = {};
    if (factor != 0) {
      for (Index at = 0; at < count; ++at) {
        for (int i = 0; i < Width; ++i) {
          std::uint32_t const bytes = k_packs[at * Width + i];
          for (int byte = 0; byte < 4; ++byte) sums[i] += ((bytes >> (8 * byte) & 0xffU) ^ flip) - flip;
        }
      }
    }
    std::uint32_t const constant = IsA ? static_cast<std::uint32_t>(call.depth) * x * y : 0U;
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

  /// The part of a tile that C has.
  static PANTILE_INLINE void take(GemmUpdate<R> const& update, R const* sums, Index rows, Index cols, R* c,
                                  Index c_rs) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) {
        R const sum = sums[i * Tile::cols + j];
        R& element = c[i * c_rs + j];
        element =
            update.reads_c ? rounded(update.alpha[0] * sum) + rounded(update.beta[0] * element) : update.alpha[0] * sum;
      }
    }
  }
};

template <class S, class Format>
inline constexpr GemmKernels<Format> low_precision_table{
    .shape = {{.panel_rows = GemmTile<S, sum_t<Format>>::rows,
               .panel_cols = GemmTile<S, sum_t<Format>>::cols,
               .k_pack = LowPrecisionGemm<S, Format>::k_pack,
               .behind = LowPrecisionGemm<S, Format>::behind,
               .position_bytes = sizeof(KPackBits)},
              lanes<S, sum_t<Format>>,
              {host::low_precision_blocks.mc, host::low_precision_blocks.kc* LowPrecisionGemm<S, Format>::k_pack,
               host::low_precision_blocks.nc},
              {},
              0},
    .must_pack = true,
    .pack_a = &LowPrecisionGemm<S, Format>::pack_a,
    .pack_b = &LowPrecisionGemm<S, Format>::pack_b,
    .block = &LowPrecisionGemm<S, Format>::block,
};

/// For `host_kernels`: the table of the flags of this compilation.
template <class S, class Format>
  requires is_low_precision<Format>
GemmKernels<Format> const* native_kernels(GemmKernels<Format> const*) {
  return &low_precision_table<S, Format>;
}

}  // namespace pantile::impl::arch
