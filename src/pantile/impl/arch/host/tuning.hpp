// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What was measured of hosts and decides between ways of computing, each number with its unit. How it was
///         measured stands in perf_tests/notes/tuning.md; blocks and register tiles of matmul are in ukernel/gemm.

#include <cstdint>

namespace pantile::impl::arch::host {

/// Real products below which a launch costs more than it saves; and for wide registers, products in each of their
/// lanes.
inline constexpr double launch_products = 128 * 1024, launch_products_per_lane = 16 * 1024;
/// Products in the time that an element of C takes to be written.
inline constexpr double products_of_a_sum = 8;
/// Real products in a task at least, where threads take tasks from each other.
inline constexpr std::int64_t task_products = 128 * 1024;
/// Real products up to which blocks of k do not depend on what is packed: the bits of little work are the same however
/// operands lie.
inline constexpr double little_products = 16 * launch_products;
/// Bytes read and written that a core moves in about the time that a launch takes.
inline constexpr std::int64_t launch_bytes = 256 << 10;
/// Samples of a histogram that a thread should have before another one is worth its start.
inline constexpr std::int64_t histogram_samples = 2048;

/// Bytes of operands that stay in a second-level cache, and in the core's part of a third-level one.
inline constexpr double second_level_bytes = 512 * 1024, last_level_bytes = 10e6;
/// Bytes of an operand from which it comes from memory: more than most last-level caches hold.
inline constexpr double from_memory_bytes = 29e6;
/// Bytes of one operand that stays in a second-level cache beside others: the B of few rows.
inline constexpr double shared_second_level_bytes = 256 * 1024;
/// Bytes of a second-level cache behind which the third level is far.
inline constexpr std::int64_t large_second_level_bytes = 2 << 20;
/// Bytes of a B of short rows up to which register tiles of few rows read it as fast as it is streamed.
inline constexpr double short_rows_bytes = 1e6;
/// Share of a machine's second-level cache in which a matmul's C stays; of few terms and columns, which wait for it.
inline constexpr double c_share_of_second_level = 0.875, shallow_c_share = 0.5;
/// Bytes that lines are a multiple of apart where they meet in one set of a first-level cache.
inline constexpr std::int64_t meeting_bytes = 4096;
/// Bytes of a page; and rows of a B that comes from memory in a block, where its lines meet.
inline constexpr std::int64_t page_bytes = 4096, meeting_rows = 24;
/// Bytes of source and target together that a transposition moves between a core's own caches.
inline constexpr std::int64_t transposed_bytes = 256 << 10;
/// Bytes of a row of a transposition's target that is worth streaming past the cache.
inline constexpr std::int64_t stream_row_bytes = 512;
/// Bins from which on a thread has one copy of them instead of four, which would leave the first-level cache.
inline constexpr std::int64_t histogram_copies_bins = 2048;

/// Cycles for a byte of B or of A that is packed, or that another thread has packed; and for threads that share a block
/// to wait for each other.
inline constexpr double pack_b_cycles = 0.15, pack_a_cycles = 0.4, fetch_cycles = 0.15, wait_cycles = 20000;

// Products of hosts: what their choice depends on beside the machine. perf_tests/notes/matmul.md, "Where the policy's
// numbers come from".

/// Chains of products in a block of few columns.
inline constexpr std::int64_t skinny_chains = 8;
/// Extents of products that are so little work that choosing counts: always, and at most.
inline constexpr std::int64_t tiny_edge = 16, most_tiny_edge = 48;
/// Columns from which such a product looks at the last of them by themselves: below, asking costs what it could bring.
inline constexpr std::int64_t tiny_edge_cols = 32;
/// Products of a sum, for each row, from which few rows are dot products with contiguous columns of B; and from which
/// few rows by few columns, together no more than a register has lanes, are so where B's rows are contiguous.
inline constexpr std::int64_t dots_depth = 16, deep_dots = 4096;
/// Products of a sum from which an operand is worth streaming: shorter sums wait for C.
inline constexpr std::int64_t long_sum = 32;
/// Bytes of B that are worth a thread where it is streamed.
inline constexpr double streamed_bytes = 128 * 1024;
/// Bytes of a row of C that are worth streaming, for each thread; and products of its sums at most where registers of B
/// lie across cache lines.
inline constexpr std::int64_t rank_k_row_bytes = 1024, rank_k_split_most = 5;
/// Bytes of a row of A in products of so few terms that C takes much of the time.
inline constexpr double shallow_row_bytes = 1024;
/// Rows of tiles from which B is packed where its registers lie across cache lines, though it stays in a near cache:
/// such loads take twice the time.
inline constexpr int split_panels = 16;
/// Rows of tiles up to which a B that goes by once in blocks of short rows is not packed, and where its registers lie
/// across cache lines.
inline constexpr std::int64_t once_panels = 32, split_once_panels = 8;
/// Products of a sum, and bytes of a column, from which an A of contiguous columns is packed for few columns of C.
inline constexpr std::int64_t gathered_depth = 40, gathered_bytes = 128;
/// Bytes of an A of contiguous columns that register tiles read from a first-level cache as it lies.
inline constexpr double near_a_bytes = 32 * 1024;
/// Registers of columns up to which the last of them may be dot products: of more they are too little of the work.
inline constexpr std::int64_t most_edge_registers = 28;
/// Register tiles: down a low block, of few columns or of a C whose lines should stay near; down an A that is soon done
/// with a block of B; across a wide C, whose blocks of B are streamed.
inline constexpr std::int64_t low_panels = 6, soon_panels = 16, wide_panels = 16;
/// Columns of register tiles from which packing A takes no time that counts.
inline constexpr int pack_a_panels = 64;
/// Bytes of sums up to which k may be cut into slices, so many at most; products of a sum in each at least, and how
/// many times C's extents k is then at least.
inline constexpr std::int64_t sliced_bytes = 128 * 1024, most_slices = 64, slice_depth = 1024, sliced_depth_ratio = 8;
/// Largest block of C whose sums wait in workspace: operands are packed again for each of them.
inline constexpr std::int64_t most_sums = 1024;

}  // namespace pantile::impl::arch::host
