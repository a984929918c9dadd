// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of hosts for the kernels of matmul, ukernel/gemm (perf_tests/notes/matmul.md, "Where the kernels'
///        numbers come from"). How each was measured, or that it is an estimate: perf_tests/notes/tuning.md. Register
///        tiles are in ukernel/gemm/tile.hpp.

#include <cstdint>

namespace pantile::impl::arch::host {

/// Bytes of an operand up to which it is read where it lies, since packing is not paid back, and what belongs to that.
/// Sizes of B decide depths of blocks, and with them bits: they do not follow the machine's caches.
struct InPlaceLimits {
  std::int64_t a_bytes;         ///< of A
  std::int64_t b_bytes;         ///< of B where its rows are less than b_stride_bytes apart
  std::int64_t b_stride_bytes;  ///< from row to row of such a B
  std::int64_t b_block_bytes;   ///< of a block of such a B for few rows of A
  std::int64_t b_once_bytes;    ///< of a B beyond which few rows of A stream it, with prefetch
  std::int64_t b_depth;         ///< rows of that B in a block
  std::int64_t cached_tiles;    ///< rows of tiles for which it is streamed at most where a last-level cache holds it
  std::int64_t streamed_tiles;  ///< the same where none does
  std::int64_t memory_depth;    ///< rows of a B from memory in a block, for one row of tiles or two
  std::int64_t b_row_bytes;     ///< of a B's row at most that five to eight rows of A take by tiles
  /// Of a short row of a B from memory at most, beside which A is packed.
  std::int64_t short_row_bytes;
};
/// Cores with AVX-512 have a second-level cache of 1 MB or more, and read a third-level one fast enough.
inline constexpr InPlaceLimits in_place_512_bits{.a_bytes = 1'000'000,
                                                 .b_bytes = 1536 * 1024,
                                                 .b_stride_bytes = 4096,
                                                 .b_block_bytes = 1024 * 1024,
                                                 .b_once_bytes = 1'000'000,
                                                 .b_depth = 192,
                                                 .cached_tiles = 8,
                                                 .streamed_tiles = 6,
                                                 .memory_depth = 24,
                                                 .b_row_bytes = 24 * 1024,
                                                 .short_row_bytes = 2304};
inline constexpr InPlaceLimits in_place_256_bits{.a_bytes = 320 * 1024,
                                                 .b_bytes = 32 * 1024,
                                                 .b_stride_bytes = 1 << 30,
                                                 .b_block_bytes = 0,
                                                 .b_once_bytes = 10'000'000,
                                                 .b_depth = 320,
                                                 .cached_tiles = 2,
                                                 .streamed_tiles = 2,
                                                 .memory_depth = 320,
                                                 .b_row_bytes = 0,
                                                 .short_row_bytes = 0};

/// Products that are summed in one chain; longer sums are sums of such chains. It decides how errors grow: both should
/// be short (unit_tests/matmul/test_blocked.cpp). Bits depend on it, so that it is one for all machines.
inline constexpr std::int64_t gemm_chain = 224;

/// Elements of the five loops' blocks (BLIS): C in (mc, nc) pieces, k in steps of kc.
struct GemmBlocks {
  std::int64_t mc, kc, nc;
};
/// Of numbers of 4 bytes and of 8, with 32 registers and with fewer: a panel of B (kc by a register tile) in two thirds
/// of a 32 KB first-level cache, a block of A (mc x kc) in half of a 512 KB second-level one, one of B (kc x nc) in the
/// third level. Complex elements have half of mc and nc.
inline constexpr GemmBlocks blocks_4_of_32_registers{.mc = 192, .kc = 512, .nc = 2048};
inline constexpr GemmBlocks blocks_8_of_32_registers{.mc = 96, .kc = 512, .nc = 2048};
inline constexpr GemmBlocks blocks_4_of_16_registers{.mc = 126, .kc = 320, .nc = 2048};
inline constexpr GemmBlocks blocks_8_of_16_registers{.mc = 72, .kc = 320, .nc = 2048};
/// Blocks of elements of low precision, kc in k-packs.
inline constexpr GemmBlocks low_precision_blocks{.mc = 192, .kc = gemm_chain, .nc = 2016};
/// Positions of contiguous lines that packing takes at a time, through all panels: memory is read in long pieces.
inline constexpr std::int64_t pack_positions = 8;

// Few rows.

/// Bytes of the sums of all rows that wait in workspace, half a first-level cache.
inline constexpr std::int64_t skinny_sums_bytes = 16384;
/// Numbers of a row of B at least and at most whose sums wait there.
inline constexpr std::int64_t skinny_least_cols = 256, skinny_most_cols = 4096;
/// Numbers of all rows of A that are held beside them, in a second-level cache.
inline constexpr std::int64_t skinny_held_numbers = 32768;
/// Bytes of B's rows up to which their sums stay in registers.
inline constexpr std::int64_t short_b_row_bytes = 2048;
/// Bytes of a B of longer rows up to which they do.
inline constexpr std::int64_t short_b_bytes = 512 * 1024;
/// Rows of B that are added to the sums at a time: streams that the hardware follows, twice as many for one row of A.
inline constexpr int skinny_streams = 4;
/// Columns at most of products by one A whose rows are held for all of them.
inline constexpr std::int64_t most_held_cols = 16;
/// Registers of a column of B up to which it is short: more dot products at a time, each of which waits for its lanes
/// to be added up.
inline constexpr std::int64_t short_dots_registers = 32;
/// Numbers of a column of B that stay in a first-level cache while rows of A pass: more than two; up to two.
inline constexpr std::int64_t dots_numbers = 512, dots_numbers_of_two = 1024;

// Few products in a sum.

/// Products of a sum that the kernel rank_k takes at most.
inline constexpr std::int64_t rank_k_most = 8;
/// Bytes of B that stay in a first-level cache while rank_k goes down C.
inline constexpr std::int64_t rank_k_b_bytes = 16384;
/// Rows of A and C that go by while shallow products hold B in registers: those of A stay in a first-level cache.
inline constexpr std::int64_t shallow_block_rows = 32;
/// Products of a sum of a tiny product up to which B is held in registers.
inline constexpr std::int64_t tiny_shallow_depth = 4;
/// Sums of a tiny product beyond which it is.
inline constexpr std::int64_t tiny_shallow_sums = 512;
/// Longest extent of a product that is so little work that choosing counts, beyond tiny_edge.
inline constexpr std::int64_t most_tiny_edge = 128;

// Register tiles: the order in which they take a block, and how far ahead they prefetch.

/// Columns of register tiles beyond which C is wide: blocks of B are streamed.
inline constexpr std::int64_t wide_panels = 16;
/// Bytes of depth up to which blocks go along few rows of a wide C.
inline constexpr std::int64_t along_rows_depth_bytes = 1024;
/// Bytes of B over which they go at a time, in a second-level cache: kernels do not see the machine's own.
inline constexpr std::int64_t along_rows_b_bytes = 256 * 1024;
/// Bytes of a row of A at most whose tiles prefetch what the tile after the next reads: more take the loads' place.
inline constexpr std::int64_t low_row_bytes = 128;
/// Rows of A up to a part of whose distance lies between them, one in so many, are fetched as one piece.
inline constexpr std::int64_t close_rows_parts = 5;
/// Cache lines ahead in each of few rows of A.
inline constexpr std::int64_t prefetch_lines = 8;
/// Rows ahead in B.
inline constexpr std::int64_t prefetch_rows = 16;
/// Panels ahead in B, whose rows all wait in a second-level cache: registers of 512 bits; of 256.
inline constexpr std::int64_t prefetch_panels_512 = 1, prefetch_panels_256 = 8;
/// Panels ahead in C with registers of 512 bits.
inline constexpr std::int64_t c_panels_512 = 1;
/// Panels ahead in C with registers of 256 bits: where B is streamed; else.
inline constexpr std::int64_t c_panels_256_streamed = 8, c_panels_256 = 4;
/// Depth of tiles at most that prefetch so for any C.
inline constexpr std::int64_t c_ahead_depth = 64;
/// Depth from which a block prefetches the start of each row's next one.
inline constexpr std::int64_t next_block_depth = 128;
/// Cache lines of that start.
inline constexpr std::int64_t next_block_lines = 3;

// Batches.

/// Products whose elements lie side by side are shared among threads by so many: whole cache lines, and registers, of
/// any elements.
inline constexpr std::int64_t interleaved_unit = 64;
/// Rows of C that a kernel of batches writes at a time.
inline constexpr std::int64_t batch_rows = 12;
/// Bytes of these rows at most where they go past the cache.
inline constexpr std::int64_t batch_piece_bytes = 16 * 1024;
/// Bytes ahead at least that a batch fetches what its later products read.
inline constexpr std::int64_t batch_ahead_bytes = 2048;
/// Rows of a tile as wide as C, in batches that a large first-level and a small second-level cache see go by: the rows
/// of A come in the order of their addresses then.
inline constexpr std::int64_t batch_low_rows = 4;
/// Registers across from which such tiles fetch later products too.
inline constexpr std::int64_t batch_low_fetched = 3;

}  // namespace pantile::impl::arch::host
