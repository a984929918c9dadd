// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the blocked matmul asks of an instruction set: one product on one thread, as a table of functions.

#include <cstdint>

namespace pantile::impl::arch {

/// \brief  Products that are summed in one chain; longer sums are sums of such chains.
///
/// Decides how errors grow: a sum over k is a chain of k / this additions of chains of this many. For positive operands a
/// chain of c additions is off by about 0.41 sqrt(c / 3) units of roundoff in standard deviation, so both should be short:
/// 224 keeps the largest of some thousand elements below 14 units at any k to 16,000, and below 8 from 4,000 on
/// (unit_tests/matmul/test_blocked.cpp).
inline constexpr std::int64_t gemm_chain = 224;

/// \brief  Blocks of the five loops (BLIS): C in (mc, nc) pieces, k in steps of kc.
struct GemmBlocks {
  std::int64_t mc, kc, nc;
};

/// \brief  Bytes of an operand up to which it is read where it lies: it stays near enough, and packing is not paid back.
///         B also where its rows are less than b_stride bytes apart. A B of few long rows is prefetched by hand from
///         b_shallow bytes on.
struct GemmReach {
  std::int64_t a, b, b_stride, b_shallow;
};

/// How a product is walked.
enum class GemmMethod {
  tiles,  ///< register tiles, BLIS's loops; C's columns are contiguous
  rows,   ///< few rows: B's rows (contiguous) are streamed once and added to sums in workspace
  dots    ///< few rows: B's columns (contiguous) are streamed once, each sum split over the lanes of registers
};

/// \brief  C (m x n) = alpha op(A) op(B) + beta C on the calling thread. Elements are R, or pairs of R where complex.
///         Strides in elements. beta is not used, and C not read, unless reads_c.
template <class R>
struct GemmCall {
  std::int64_t m, n, k;
  R const* a;
  std::int64_t a_rs, a_cs;
  R const* b;
  std::int64_t b_rs, b_cs;
  R* c;
  std::int64_t c_rs, c_cs;  ///< tiles: c_cs is 1
  R alpha[2], beta[2];
  bool reads_c, conj_a, conj_b;
  GemmMethod method;
  bool pack_a, pack_b;  ///< tiles: B must be packed unless its columns are contiguous
  bool far;             ///< tiles, A not packed: what is not packed comes from beyond the second-level cache
  GemmBlocks blocks;
  void* workspace;      ///< of workspace_bytes(), aligned to 64 bytes; unused by tiles where nothing is packed
};

/// \brief  Bytes of workspace for blocks of at most these sizes.
/// \param  panel_rows, panel_cols  elements in the register tile
__attribute__((always_inline)) constexpr std::int64_t gemm_workspace_bytes(GemmBlocks const& blocks, int panel_rows,
                                                                           int panel_cols, int element_bytes,
                                                                           bool pack_a, bool pack_b) {
  std::int64_t const down = (blocks.mc + panel_rows - 1) / panel_rows * panel_rows;
  std::int64_t const across = (blocks.nc + panel_cols - 1) / panel_cols * panel_cols;
  std::int64_t const a = down * blocks.kc * element_bytes, b = across * blocks.kc * element_bytes;
  return (pack_b ? (b + 63) / 64 * 64 : 0) + (pack_a ? a : 0);
}

/// Real rows that the methods for few rows take at most, and the extents of their workspace.
struct ThinBlocks {
  static constexpr std::int64_t rows = 8;            ///< of numbers: complex elements have two each
  static constexpr std::int64_t sums_bytes = 16384;  ///< of all rows, for the method rows: half a first-level cache
  static constexpr std::int64_t most_cols = 4096;    ///< numbers per row whose sums are held
  static constexpr std::int64_t held = 32768;        ///< numbers of all rows of A that are held, in a second-level cache
  static constexpr std::int64_t rows_depth = gemm_chain;  ///< numbers of a row that rows adds up before the next sum

  /// Numbers per row whose sums are held, for this many rows of so many numbers: pieces of B long enough to be streamed.
  __attribute__((always_inline)) static constexpr std::int64_t cols(std::int64_t number_rows, std::int64_t real_bytes,
                                                                    std::int64_t numbers) {
    std::int64_t const fit = (number_rows <= 2 ? 2 : 1) * sums_bytes / (number_rows * real_bytes);
    std::int64_t const piece = fit < 256 ? 256 : fit < most_cols ? fit : most_cols, all = (numbers + 15) / 16 * 16;
    return piece < all ? piece : all;
  }
  /// Numbers of each row of A that are held: all of them, or a multiple of what dots sums up at a time.
  __attribute__((always_inline)) static constexpr std::int64_t depth(std::int64_t number_rows, std::int64_t numbers) {
    std::int64_t const fit = held / number_rows / 1024 * 1024, whole = (numbers + 15) / 16 * 16;
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

/// The functions of one instruction set for R in float, double, std::uint32_t, std::uint64_t.
template <class R>
struct GemmKernels {
  int rows, cols;     ///< of the register tile, in R
  int lanes;          ///< of a register, in R
  GemmBlocks blocks;  ///< measured sizes for real elements
  GemmReach reach;
  void (*real)(GemmCall<R> const&);
  void (*complex)(GemmCall<R> const&);  ///< null for integers
};

}  // namespace pantile::impl::arch
