// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of hosts that decide between ways of computing, each with its unit. How each was measured, or that it
///         is an estimate: perf_tests/notes/tuning.md. Register tiles of matmul are in ukernel/gemm/tile.hpp.

#include <cstddef>
#include <cstdint>

namespace pantile::impl::arch::host {

/// Multiply-adds below which a parallel launch does not pay; for wide registers, those in each of their lanes.
inline constexpr double launch_products = 128 * 1024, launch_products_per_lane = 16 * 1024;
/// Multiply-adds that take as long as writing one element of C.
inline constexpr double products_of_a_sum = 8;
/// Multiply-adds in a task at least, where threads take tasks from each other.
inline constexpr std::int64_t task_products = 128 * 1024;
/// Multiply-adds up to which blocks of k do not depend on what is packed: the bits of little work are the same however
/// operands lie.
inline constexpr double little_products = 16 * launch_products;
/// Bytes read and written that a core moves in about the time that a launch takes.
inline constexpr std::int64_t launch_bytes = 256 << 10;
/// Samples of a histogram that a thread should have before another one is worth its start.
inline constexpr std::int64_t histogram_samples = 32768;
/// Threads from which adding to shared bins atomically is faster than one thread that does it all.
inline constexpr int atomic_threads = 16;

/// Bytes of operands that stay in a second-level cache, and in the core's part of a third-level one.
inline constexpr double stays_in_second_level_bytes = 512 * 1024, stays_in_third_level_bytes = 10e6;
/// Bytes of an operand from which it comes from memory: more than most last-level caches hold.
inline constexpr double from_memory_bytes = 29e6;
/// Least bytes of such an operand's rows that the hardware fetches one after another, where they are whole lines.
inline constexpr std::int64_t short_row_least_bytes = 896;
/// Bytes of one operand that stays in a second-level cache beside others: the B of few rows.
inline constexpr double shared_second_level_bytes = 256 * 1024;
/// Bytes of a second-level cache behind which the third level answers late.
inline constexpr std::int64_t large_second_level_bytes = 2 << 20;
/// Bytes of a B of short rows up to which register tiles of few rows read it as fast as it is streamed.
inline constexpr double short_rows_bytes = 1e6;
/// Share of a machine's second-level cache in which a matmul's C stays; of few terms and columns, which wait for it.
inline constexpr double c_share_of_second_level = 0.875, shallow_c_share = 0.5;
/// Bytes that lines are a multiple of apart where they map to one set of a first-level cache; of a page of memory.
inline constexpr std::int64_t alias_bytes = 4096, page_bytes = 4096;
/// Rows of a block of a B from memory whose lines map to one set.
inline constexpr std::int64_t aliased_rows = 24;
/// Bytes of source and target together that a transposition moves between a core's own caches.
inline constexpr std::int64_t transposed_bytes = 256 << 10;
/// Bytes of a row of a transposition's target that is worth streaming past the cache, and the part of the last-level
/// cache, one in so many, up to which elements of several bytes stay in it; of rows that alias, that part of the part.
inline constexpr std::int64_t stream_row_bytes = 512, moved_cache_share = 2;
/// Bins up to which a thread has four copies of them instead of one: with more they would leave the first-level cache.
inline constexpr std::int64_t histogram_copies_bins = 1024;

/// Cycles for a byte of B or of A that is packed, or that another thread has packed; and for threads that share a block
/// to wait for each other.
inline constexpr double pack_b_cycles = 0.15, pack_a_cycles = 0.4, fetch_cycles = 0.15, wait_cycles = 20000;

// Products of hosts: what their choice depends on beside the machine. perf_tests/notes/matmul.md, "Where the policy's
// numbers come from".

/// Chains of products in a block of few columns.
inline constexpr std::int64_t skinny_chains = 8;
/// Extents of products that are so little work that choosing counts: always, and at most, of a C of so many registers.
inline constexpr std::int64_t tiny_edge = 16, most_tiny_edge = 128, tiny_c_registers = 512;
/// Products of a sum from which so few rows or columns, in numbers, are dots, and twice as many; rows from which few
/// columns, by contiguous columns of A, are tiles of C^T, and where B would be copied; products of a sum up to which B
/// is held in registers, for more than so many sums.
inline constexpr std::int64_t tiny_dots_depth = 32, tiny_deep_dots = 64, tiny_dots_rows = 4, tiny_transposed_rows = 32,
                              tiny_transposed_rows_of_copy = 8, tiny_shallow_depth = 4, tiny_shallow_sums = 512;
/// More columns, or rows, than these, and such a product looks at its last columns by themselves: below, asking costs
/// what they could bring.
inline constexpr std::int64_t tiny_edge_cols = 32, tiny_edge_rows = 63;
/// Columns up to which few rows are dot products of no less than long_sum; products of a sum, for each row, from which
/// few rows are so by contiguous columns of B; and from which few rows by few columns, at most as many as a register
/// has lanes, are so where B's rows are contiguous.
inline constexpr std::int64_t few_dots_cols = 48, dots_depth = 16, deep_dots = 4096;
/// Columns of B, and products of a sum, from which an operand is worth streaming: shorter sums wait for C.
inline constexpr std::int64_t streamed_cols = 16;
inline constexpr std::int64_t long_sum = 32;
/// Bytes of B that are worth a thread where it is streamed.
inline constexpr double streamed_bytes = 128 * 1024;
/// Bytes of a row of C that are worth streaming, for each thread; and products of its sums at most where registers of B
/// lie across cache lines.
inline constexpr std::int64_t rank_k_row_bytes = 1024, rank_k_split_most = 5;
/// Share of a last-level cache that operands take at least for C to be written past it.
inline constexpr double rank_k_share = 0.875;
/// Bytes of a row of A in products of so few terms that C takes much of the time.
inline constexpr double shallow_row_bytes = 1024;
/// Rows of tiles from which B is packed where its registers lie across cache lines, though a second-level cache holds
/// it: such loads take twice the time.
inline constexpr int split_panels = 16;
/// Rows of tiles up to which a B that goes by once in blocks of short rows is not packed, and where its registers lie
/// across cache lines.
inline constexpr std::int64_t once_panels = 32, split_once_panels = 8;
/// Products of a sum, and bytes of a column, from which an A of contiguous columns is packed for few columns of C.
inline constexpr std::int64_t gathered_depth = 40, gathered_bytes = 128;
/// An A that is packed so has this many times the bytes up to which A is read where it lies.
inline constexpr double gathered_ratio = 1.5;
/// Bytes of an A of contiguous columns that register tiles read from a first-level cache as it lies.
inline constexpr double first_level_a_bytes = 32 * 1024;
/// Registers of columns up to which the last of them may be dot products: of more they are too little of the work.
inline constexpr std::int64_t most_edge_registers = 28;
/// Products of registers in a cycle, about.
inline constexpr std::int64_t products_per_cycle = 2;
/// Rows of A from which they may be, and cycles that they take, about: to load a register of A, to add up the lanes of
/// a sum, and to go on to the next row.
inline constexpr std::int64_t edge_rows = 8, edge_load_cycles = 2, edge_end_cycles = 5, edge_row_cycles = 3;
/// Register tiles: down a low block, of few columns or of a C whose lines should stay cached; down a block of such a C
/// behind a small second-level cache; down an A that is soon done with a block of B; across a wide C, whose blocks of B
/// are streamed.
inline constexpr std::int64_t low_panels = 6, high_panels = 24, soon_panels = 16, wide_panels = 16;
/// Products of register tiles in the time that A of a tile is packed; and in which B of one comes into a core's cache.
inline constexpr double tiles_of_packed_a = 3, tiles_of_moved_b = 1;
/// Cost of a cut of C, in that of the best one so far, up to which it counts as no dearer.
inline constexpr double equal_cost = 1.01;
/// Tasks for each thread up to which cuts of a block are tried, and pieces of its B that each packs, so that one that
/// comes late holds up none.
inline constexpr std::int64_t tried_tasks_per_thread = 2, pieces_per_thread = 4;
/// Share of a slice's time that each cut of C takes, since operands are read, and packed, once more; cuts that are
/// tried.
inline constexpr double cut_cost = 0.05;
inline constexpr int tried_cuts = 4;
/// Widths of a deep block of B at most in a shallow one of as many bytes.
inline constexpr std::int64_t most_shallow_width = 2;
/// Columns of register tiles from which packing A takes no time that counts; beyond which a large A is packed, and
/// where its lines meet.
inline constexpr int pack_a_panels = 64;
inline constexpr std::int64_t pack_a_least = 8, aliased_pack_a_least = 4;
/// Rows of tiles up to which B is not packed; that are few rows, whose tiles prefetch along A.
inline constexpr std::int64_t in_place_panels = 2, few_panels = 4;
/// Columns of tiles up to which tiles prefetch long rows of A.
inline constexpr std::int64_t long_rows_panels = 8;
/// Columns of tiles up to which columns are few; columns apart from each other that rows of a B of few columns begin at
/// most, in tiles.
inline constexpr std::int64_t few_cols_panels = 2, close_row_panels = 4;
/// Columns of tiles for each thread that streams B at least; numbers of A's rows up to which tiles never do that.
inline constexpr std::int64_t streamed_panels_per_thread = 4, never_tiles_rows = 4;
/// Share of a block of B's columns for each thread where A is soon done with it.
inline constexpr int soon_parts = 8;
/// Bytes of sums up to which k may be cut into slices, so many at most; products of a sum in each at least, and how
/// many times C's extents k is then at least.
inline constexpr std::int64_t sliced_bytes = 128 * 1024, most_slices = 64, slice_depth = 1024, sliced_depth_ratio = 8;
/// Largest block of C whose sums wait in workspace, of all groups of a cache together: operands are packed again for
/// each of them. Rows of tiles in one where memory is short.
inline constexpr std::int64_t most_sums = 1024, little_sums_panels = 4;

// Kernels of matmul, ukernel/gemm. perf_tests/notes/matmul.md, "Where the kernels' numbers come from".

/// Bytes of an operand up to which it is read where it lies, since packing is not paid back.
struct InPlaceLimits {
  /// A; B where its rows are less than b_stride_bytes apart, and blocks of such a B for few rows of A.
  std::int64_t a_bytes, b_bytes, b_stride_bytes, b_block_bytes;
  /// Of few rows of A a larger B too, with prefetch, in blocks of b_depth of its rows: for up to so many rows of tiles
  /// where it stays in a last-level cache, and where it does not.
  std::int64_t b_once_bytes, b_depth, cached_tiles, streamed_tiles;
  /// Rows of a B from memory in a block, for one row of tiles or two; bytes of its rows for five to eight rows of A.
  std::int64_t memory_depth, b_row_bytes;
  /// Most bytes of short rows of such a B, beside which A is packed.
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
inline constexpr GemmBlocks low_precision_blocks{.mc = 192, .kc = 224, .nc = 2016};

/// Few rows: bytes of the sums of all of them that wait in workspace, half a first-level cache; numbers of a row of B
/// at least and at most whose sums do.
inline constexpr std::int64_t skinny_sums_bytes = 16384, skinny_least_cols = 256, skinny_most_cols = 4096;
/// Numbers of all rows of A that are held beside them, in a second-level cache.
inline constexpr std::int64_t skinny_held_numbers = 32768;
/// Bytes of B's rows, and of a B of longer ones, whose sums stay in registers.
inline constexpr std::int64_t short_b_row_bytes = 2048, short_b_bytes = 512 * 1024;
/// Numbers of a column of B that stay in a first-level cache while more than two rows of A pass; while up to two do.
inline constexpr std::int64_t dots_numbers = 512, dots_numbers_of_two = 1024;
/// Products of a sum that the kernel rank_k takes at most; bytes of B that stay in a first-level cache meanwhile.
inline constexpr std::int64_t rank_k_most = 8, rank_k_b_bytes = 16384;
/// Rows of A and C that go by while shallow products hold B in registers: those of A stay in a first-level cache.
inline constexpr std::int64_t shallow_block_rows = 32;
/// Bytes of depth up to which blocks go along few rows of a wide C, over so many bytes of B, in a second-level cache.
inline constexpr std::int64_t along_rows_depth_bytes = 1024, along_rows_b_bytes = 256 * 1024;
/// Bytes of a row of A at most whose tiles prefetch what the tile after the next reads: more take the loads' place.
inline constexpr std::int64_t low_row_bytes = 128;
/// Rows of A up to a part of whose distance lies between them, one in so many, are fetched as one piece.
inline constexpr std::int64_t close_rows_parts = 5;
/// How far ahead tiles prefetch: cache lines of each of few rows of A; rows of B; panels of B, whose rows all wait in a
/// second-level cache, with registers of 512 bits and of 256.
inline constexpr std::int64_t prefetch_lines = 8, prefetch_rows = 16, prefetch_panels_512 = 1, prefetch_panels_256 = 8;
/// The same of C, in panels: 512 bits; 256 where B is streamed, and else. Depth of tiles at most that do so for any C.
inline constexpr std::int64_t c_panels_512 = 1, c_panels_256_streamed = 8, c_panels_256 = 4, c_ahead_depth = 64;
/// Depth from which a block prefetches the start of each row's next one, and cache lines of it.
inline constexpr std::int64_t next_block_depth = 128, next_block_lines = 3;
/// Positions of contiguous lines that packing takes at a time, through all panels: memory is read in long pieces.
inline constexpr std::int64_t pack_positions = 8;
/// Products whose elements lie side by side are shared among threads by so many: whole cache lines, and registers, of
/// any elements.
inline constexpr std::int64_t interleaved_unit = 64;
/// Rows of C that a kernel of batches writes at a time, and bytes of them at most where they go past the cache.
inline constexpr std::int64_t batch_rows = 12, batch_piece_bytes = 16 * 1024;
/// Bytes ahead at least that a batch fetches what its later products read.
inline constexpr std::int64_t batch_ahead_bytes = 2048;
/// Rows of a tile as wide as C, in batches that a large first-level and a small second-level cache see go by: the rows
/// of A come in the order of their addresses then. Registers across from which later products are fetched too.
inline constexpr std::int64_t batch_low_rows = 4, batch_low_fetched = 3;

// Caches and threads.

/// Of a last-level cache, the bytes that one processor may rely on, and those beyond which nothing of its stays: 12 MiB
/// per core is the most that is sold; few processors of a virtual machine have all of a cache while others are idle.
inline constexpr std::int64_t cache_bytes_per_processor = 16 << 20, most_cache_bytes_per_processor = 48 << 20;
/// Bytes on a thread's stack that packed B takes, or what dot products of the last columns hold; and on the calling
/// thread's, where no other memory can be allocated, all of a product's workspace, and the sums of slices within it.
inline constexpr std::int64_t stack_packed_bytes = 48 * 1024;
inline constexpr std::int64_t most_stack_bytes = 324 * 1024, stack_sums_bytes = 8 * 1024;
/// Bytes of a last-level cache, and of a core's own second- and first-level ones, where the system does not say.
inline constexpr std::int64_t unknown_last_level_bytes = 8 << 20, unknown_second_level_bytes = 512 << 10,
                              unknown_first_level_bytes = 32 << 10;
/// Pauses of a thread that waits for another one before it offers its core to others.
inline constexpr int spins = 2000;
/// Elements apart at multiples of which rows of sums map to few sets of a first-level cache; elements added then.
inline constexpr std::int64_t aliased_sums = 256, sums_gap = 16;

// Movement of matrices: add, transposition, fill.

/// Elements of rows that a thread takes at a time; columns and rows of a tile where an operand runs across.
inline constexpr std::int64_t row_tile_elements = 4096, crossing_cols = 64, crossing_rows = 16;
/// Elements across a tile of a 2D range.
inline constexpr std::int64_t range_cols = 64;
/// Elements of a piece of a row that is streamed past the cache, or that the calling thread takes.
inline constexpr std::int64_t long_piece = 32768;
/// Bytes of a row of a sum that is worth streaming past the cache.
inline constexpr std::int64_t streamed_sum_row_bytes = 1024;
/// Bytes of an edge of the squares that a transposition moves at a time.
inline constexpr std::int64_t moved_edge_bytes = 256;
/// Rows of a strip of a transposition at most, and strips for each thread.
inline constexpr std::int64_t most_strip_rows = 2048, strips_per_thread = 8;
/// Elements of an edge of the tiles that are exchanged in place, by bytes of an element: 4 and fewer, 8, more. Two
/// tiles stay in a second-level cache.
inline constexpr int exchanged_edge_4 = 128, exchanged_edge_8 = 64, exchanged_edge_16 = 32;
/// Such edges of tiles that are exchanged past the cache, through buffers of up to 280 KB on the thread's stack, by
/// bytes of an element: 1, up to 8, more.
inline constexpr int streamed_edge_1 = 256, streamed_edge_8 = 128, streamed_edge_16 = 64;
/// Bytes of strips of a transposition across and of their steps: through the cache, and past it with registers of 512
/// bits; elements of up to two bytes, and larger ones.
inline constexpr int strip_bytes = 256, small_step_bytes = 256, step_bytes = 512;
inline constexpr int small_strip_bytes_512 = 512, small_step_bytes_512 = 128, strip_bytes_512 = 1024,
                     step_bytes_512 = 256;
/// Bytes of a first-level cache from which wide strips past the cache pay, and of strips at most below.
inline constexpr std::int64_t large_first_level_bytes = 48 << 10, small_cache_strip_bytes = 512;
/// Bytes that rows of a transposition are a multiple of apart where they map to few sets of a cache: 8 bytes and more,
/// 4 or registers of 512 bits, others; and rows of single bytes that are moved apart first.
inline constexpr int close_rows_8 = 4096, close_rows_4 = 2048, close_rows_1 = 1024, close_byte_rows = 1024;
/// Rows of single bytes that are moved apart at a time.
inline constexpr std::int64_t apart_rows = 64;
/// Bytes of a batch's targets that are written at a time past the cache; so far ahead sources are fetched; most bytes
/// of a source that is fetched a whole matrix ahead; so far ahead both are fetched through the cache.
inline constexpr std::int64_t moved_piece_bytes = 16 << 10, moved_ahead_bytes = 16 << 10,
                              most_moved_source_bytes = 256 << 10, moved_target_ahead_bytes = 2048;
/// Bytes in a window that have left the store buffers before they are read again; in one that is a page of memory.
inline constexpr std::int64_t window_bytes = 2048, page_window_bytes = 512;
/// Bytes of a matrix of a batch at most whose lines are written past a small first-level cache by themselves.
inline constexpr std::int64_t most_lines_bytes = 24 << 10;
/// Elements of a row that a thread permutes at a time: it divides at their start only.
inline constexpr std::int64_t permuted_piece = 256;
/// Elements of a matrix that a call of the BLAS layer moves with one thread.
inline constexpr std::int64_t small_count = 64 * 1024;

// Histogram.

/// Samples that are looked at together for one that is out of range.
inline constexpr std::int64_t check_piece = 1 << 15;
/// Bytes ahead that counting fetches samples; samples of a piece, and one in how many of them out of range makes the
/// next piece count without branches.
inline constexpr std::int64_t counted_ahead_bytes = 4096, counted_piece = 4096, branched_share = 64;
/// Samples with several indices that are looked at together before they are counted.
inline constexpr std::int64_t tuple_piece = 1024;

// Copies between memories, tiles of files and of ranks.

/// Bytes that a thread copies at a time: few enough to share, enough to stream.
inline constexpr std::int64_t copied_block_bytes = 64 * 1024;
/// Bytes of a copy from which it goes through pinned chunks, of half of them at least, and of so many at least.
inline constexpr std::size_t least_chunked_bytes = 1 << 20, least_pieces = 8;
/// Instances that take turns in a pipeline.
inline constexpr int pipeline_depth = 3;
/// Chunks of its largest array, and bytes of one: launches stay small beside copies, and buffers small.
inline constexpr std::size_t pipeline_chunks = 16, least_chunk_bytes = 1 << 20, most_chunk_bytes = 8 << 20;
/// What a read or write of a piece of a file costs beside its bytes: half a page, of those at its ends that others
/// need.
inline constexpr double piece_bytes = 2048;
/// What it costs the processors that compute a product meanwhile; all of them at most, in the bytes of the product's
/// matrices: fewer pieces are not had for more.
inline constexpr double busy_piece_bytes = 14 << 10, most_busy_share = 0.75;
/// Products in the time of a byte of a file.
inline constexpr double products_per_byte = 37;
/// The same of a transposition, which waits for nothing else: a request; and where a write begins and ends within
/// pages, those, which are read first where others have written in them.
inline constexpr double read_piece_bytes = 24 << 10, written_piece_bytes = 128 << 10;
/// Bytes of a strip that a transposition reads at a time at least, where the tile has them.
inline constexpr std::int64_t least_strip_bytes = 1 << 20;
/// Elements of an edge of a file's tiles at least; pieces in which one of C is read and written.
inline constexpr std::int64_t least_edge = 16, most_strips = 16;
/// Rows (columns) of such a piece at least, where the tile has them.
inline constexpr std::int64_t least_strip = 128;
/// Times of bytes in memory, in those of a file: of panels of A and B, which each product brings into its order, and of
/// C in each step.
inline constexpr double moved_share = 1.0 / 6, step_share = 1.0 / 256;
/// Bytes of a file that are advised together ahead of a read; pieces ahead at least, and bytes of more pieces at most.
inline constexpr std::uint64_t read_block_bytes = 16 << 10, least_read_pieces = 64, most_read_bytes = 2 << 20;
/// Bytes of a tile of a rank's transposed part: a second-level cache of a core or two still has it when it is sent.
inline constexpr std::size_t sent_tile_bytes = std::size_t(4) << 20;
/// Bytes of a tile that ranks exchange, as of a pipeline's largest chunk; of a slab of a product's operand.
inline constexpr std::size_t exchange_tile_bytes = std::size_t(8) << 20, product_slab_bytes = std::size_t(32) << 20;
/// Columns of the panels that a product on ranks sends and multiplies by. With twice ScaLAPACK's 32, C passes through
/// memory half as often, and ranks wait for each other half as often; more are too many where parts are small.
inline constexpr int product_panel_columns = 64;

}  // namespace pantile::impl::arch::host
