// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What an instruction set provides for the blocked matmul: packing, and the product of a block, as a table of
///        functions. The loops and threads around them are in matmul/host.

#include <pantile/impl/arch/host/tuning/gemm.hpp>

#include <cstdint>

namespace pantile::impl::arch {

/// Format of complex elements: two numbers of R each.
template <class R>
struct Pairs {
  using Sum = R;
};
/// Format of integers of 8 bits, signed or not, summed modulo 2^32.
struct Bytes {
  using Sum = std::uint32_t;
};
/// Format of IEEE 754 binary16, summed in float.
struct Half16 {
  using Sum = float;
};
/// Format of bfloat16, the upper half of a float, summed in float.
struct Brain16 {
  using Sum = float;
};

/// The numbers that sums of a format are formed in: those of the other formats are their own.
template <class Format>
struct SumOf {
  using type = Format;
};
template <class Format>
  requires requires { typename Format::Sum; }
struct SumOf<Format> {
  using type = typename Format::Sum;
};
template <class Format>
using sum_t = typename SumOf<Format>::type;

using host::gemm_chain, host::GemmBlocks, host::InPlaceLimits;

/// \brief  Lines of an operand, which are rows of A or columns of B, become panels: panel p holds, for each position of
///         the depth in turn, the elements of lines p width ... (p + 1) width - 1. What a panel holds of lines beyond
///         the last one, if anything, is multiplied and not used.
struct PackCall {
  void const* from;
  std::int64_t line_stride, depth_stride;  ///< in elements
  std::int64_t lines, depth;
  void* to;                      ///< of packed_bytes(), aligned to 64 bytes
  int width;                     ///< of a panel; the table's functions know it
  bool is_signed, other_signed;  ///< Bytes only: this operand and the other one
  bool conjugates;               ///< packing that converts elements: conjugate them too
};
using Pack = void (*)(PackCall const&);

/// What kernels cannot see of the product that a block is a part of. No result depends on it.
struct GemmHints {
  bool prefetches;  ///< what is streamed, or with A not packed, comes from beyond the second-level cache
  bool few_rows;    ///< no more than four register tiles
  bool wide;        ///< more columns than sixteen register tiles
  bool large_c;     ///< C's lines are worth prefetching: a second-level cache does not hold them
};

/// \brief  C (m x n) = alpha op(A) op(B) + beta C on the calling thread. Elements are R, or pairs of R where complex;
///         strides in elements. C is read only if reads_c. For a block, k is its depth; C's columns are contiguous, and
///         B's unless it is packed.
template <class R>
struct GemmCall {
  std::int64_t m, n, k;
  R const* a;
  std::int64_t a_rs, a_cs;
  R const* b;
  std::int64_t b_rs, b_cs;
  R* c;
  std::int64_t c_rs, c_cs;
  R alpha[2], beta[2];
  bool reads_c, conj_a, conj_b;
  bool packed_a, packed_b;  ///< by the table's functions
  GemmHints hints;
  void* workspace;  ///< skinny products: of SkinnyBlocks::workspace_bytes()
};

/// A product of operands as they lie, seen as C^T = B^T A^T.
template <class R>
__attribute__((always_inline)) constexpr GemmCall<R> transposed(GemmCall<R> const& call) {
  GemmCall<R> other = call;
  other.m = call.n;
  other.n = call.m;
  other.a = call.b;
  other.a_rs = call.b_cs;
  other.a_cs = call.b_rs;
  other.b = call.a;
  other.b_rs = call.a_cs;
  other.b_cs = call.a_rs;
  other.c_rs = call.c_cs;
  other.c_cs = call.c_rs;
  other.conj_a = call.conj_b;
  other.conj_b = call.conj_a;
  return other;
}

/// What products of few rows take at a time, in numbers, of which complex elements have two each.
struct SkinnyBlocks {
  static constexpr std::int64_t rows = 8;                 ///< at most
  static constexpr std::int64_t rows_depth = gemm_chain;  ///< of a row, that rows adds up before the next sum

  /// Numbers per row whose sums are held, for this many rows of so many numbers: pieces of B long enough to be
  /// streamed.
  __attribute__((always_inline)) static constexpr std::int64_t cols(std::int64_t number_rows, std::int64_t real_bytes,
                                                                    std::int64_t numbers) {
    std::int64_t const fit = (number_rows <= 2 ? 2 : 1) * host::skinny_sums_bytes / (number_rows * real_bytes);
    std::int64_t const piece = fit < host::skinny_least_cols  ? host::skinny_least_cols
                               : fit < host::skinny_most_cols ? fit
                                                              : host::skinny_most_cols;
    std::int64_t const all = (numbers + 15) / 16 * 16;
    return piece < all ? piece : all;
  }
  /// Numbers of each row of A that are held: all of them, or a multiple of what dots sums up at a time.
  __attribute__((always_inline)) static constexpr std::int64_t depth(std::int64_t number_rows, std::int64_t numbers) {
    constexpr std::int64_t piece = host::dots_numbers_of_two;
    std::int64_t const fit = host::skinny_held_numbers / number_rows / piece * piece, whole = (numbers + 15) / 16 * 16;
    return whole < fit ? whole : fit;
  }
  /// For m x n sums of k products, elements of `parts` numbers each.
  static constexpr std::int64_t workspace_bytes(std::int64_t m, std::int64_t n, std::int64_t k, int parts,
                                                std::int64_t real_bytes) {
    std::int64_t const number_rows = m * parts;
    std::int64_t const a = depth(number_rows, k * parts), least = rows_depth + 4;
    return number_rows * (2 * cols(number_rows, real_bytes, n * parts) + (a < least ? least : a)) * real_bytes;
  }
};

/// Bytes of a packed operand, in whole cache lines.
__attribute__((always_inline)) constexpr std::int64_t packed_bytes(std::int64_t lines, std::int64_t depth, int width,
                                                                   int k_pack, int behind, int position_bytes) {
  std::int64_t const whole = (lines + width - 1) / width * width, positions = (depth + k_pack - 1) / k_pack + behind;
  return (whole * positions * position_bytes + 63) / 64 * 64;
}

/// How a batch prefetches what its later products read.
enum class BatchFetch {
  none,        ///< not: the hardware follows operands that are read in the order of their addresses
  with_tiles,  ///< into a first-level cache, before each register tile
  with_depth   ///< into a second-level one, with each step of a tile's depth where its kernel does so
};

/// So many products of the same extents and strides, and elements from one's operands to the next one's.
struct GemmBatch {
  std::int64_t count, a_step, b_step, c_step;
  bool streams;  ///< C is written past the cache: contiguous, not read, batch_rows of it in batch_piece_bytes
  std::int64_t edge_cols = 0;  ///< of a product, at the right edge, that are computed in dot products
  BatchFetch fetch = BatchFetch::none;
  std::int64_t tile_rows = 0;  ///< most of a register tile that is as wide as C; zero: as many as compute fastest
};

/// Panels of operands: cuts are at multiples of their extents.
struct GemmPanels {
  int panel_rows = 1;  ///< of the register tile
  int panel_cols = 1;
  int k_pack = 1;          ///< elements along the depth in a position of a packed panel
  int behind = 0;          ///< positions behind the last one of a panel: what corrects its sums
  int position_bytes = 8;  ///< of a line in a packed panel
};

/// What an instruction set's kernels for a format take at a time. In elements.
struct GemmShape : GemmPanels {
  int lanes = 1;  ///< of a register of sums
  GemmBlocks blocks{1, 1, 1};
  InPlaceLimits in_place = host::in_place_256_bits;
  int in_place_cols = 1;  ///< of the widest register tile where no operand is packed
};

/// The functions of one instruction set for a format: float, double, std::uint32_t, std::uint64_t and the ones above.
/// Extents in elements.
template <class Format>
struct GemmKernels {
  using Sum = sum_t<Format>;
  using Gemm = void (*)(GemmCall<Sum> const&);
  using Batch = void (*)(GemmCall<Sum> const& first, GemmBatch const&);
  GemmShape shape;
  bool must_pack;  ///< operands are taken packed only
  Pack pack_a, pack_b;
  Gemm block;
  // From here on null where there is none, as where must_pack.
  Gemm skinny_rows = nullptr, skinny_dots = nullptr;  ///< few rows, see skinny.hpp
  Gemm column_rows = nullptr, column_dots = nullptr;  ///< few columns: these of C^T
  Gemm tiny = nullptr;                                ///< a block of tiny operands as they lie, no hint set
  Gemm tiny_transposed = nullptr;                     ///< the same by tiles of C^T, for any B, of numbers
  Batch tiny_batch = nullptr;                         ///< `tiny` of each product of a batch
  Batch interleaved = nullptr;                        ///< products whose elements lie side by side, see batch.hpp
  Gemm rank_k = nullptr;                              ///< few products in a sum, see rank_k.hpp
};

}  // namespace pantile::impl::arch
