// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of hosts for the policy of matmul: what its choice depends on beside the machine
///        (perf_tests/notes/matmul.md, "Where the policy's numbers come from"). How each was measured, or that it is an
///        estimate: perf_tests/notes/tuning.md.

#include <cstdint>

namespace pantile::impl::arch::host {

// Threads and work.

/// Multiply-adds below which a parallel launch does not pay.
inline constexpr double launch_products = 128 * 1024;
/// The same for wide registers, in each of their lanes.
inline constexpr double launch_products_per_lane = 16 * 1024;
/// Multiply-adds that take as long as writing one element of C.
inline constexpr double products_of_a_sum = 8;
/// Multiply-adds in a task at least, where threads take tasks from each other.
inline constexpr std::int64_t task_products = 128 * 1024;
/// Multiply-adds up to which blocks of k do not depend on what is packed: the bits of little work are the same however
/// operands lie.
inline constexpr double little_products = 16 * launch_products;
/// Products of registers in a cycle, about.
inline constexpr std::int64_t products_per_cycle = 2;
/// Cycles for a byte of B that is packed.
inline constexpr double pack_b_cycles = 0.15;
/// Cycles for a byte of A that is packed.
inline constexpr double pack_a_cycles = 0.4;
/// Cycles for a byte that another thread has packed.
inline constexpr double fetch_cycles = 0.15;
/// Cycles for threads that share a block to wait for each other.
inline constexpr double wait_cycles = 20000;
/// Products of register tiles in the time that A of a tile is packed.
inline constexpr double tiles_of_packed_a = 3;
/// Products of register tiles in the time that B of one comes into a core's cache.
inline constexpr double tiles_of_moved_b = 1;
/// Cost of a cut of C, in that of the best one so far, up to which it counts as no dearer.
inline constexpr double equal_cost = 1.01;
/// Tasks for each thread up to which cuts of a block are tried.
inline constexpr std::int64_t tried_tasks_per_thread = 2;
/// Pieces of a block's B that each thread packs, so that one that comes late holds up none.
inline constexpr std::int64_t pieces_per_thread = 4;

// Workspace.

/// Bytes on a thread's stack that packed B takes, or what dot products of the last columns hold.
inline constexpr std::int64_t stack_packed_bytes = 48 * 1024;
/// Bytes on the calling thread's stack, where no other memory can be allocated: all of a product's workspace.
inline constexpr std::int64_t most_stack_bytes = 324 * 1024;
/// Bytes within it for the sums of slices.
inline constexpr std::int64_t stack_sums_bytes = 8 * 1024;
/// Elements apart at multiples of which rows of sums map to few sets of a first-level cache.
inline constexpr std::int64_t aliased_sums = 256;
/// Elements that are added to such a distance.
inline constexpr std::int64_t sums_gap = 16;
/// Largest extents of a block of C whose sums wait in workspace, of all groups of a cache together: operands are packed
/// again for each of them.
inline constexpr std::int64_t most_sums = 1024;
/// Rows of tiles in such a block where memory is short.
inline constexpr std::int64_t little_sums_panels = 4;

// What stays in a cache, in bytes where it takes part in the choice of path or of blocks of k: these decide bits, which
// are the same whatever the machine's caches.

/// Share of a core's second-level cache in which operands stay: a batch's product while the next one's come, and an A
/// whose long rows are not prefetched.
inline constexpr double stays_in_second_level = 0.5;
/// Bytes of a B that stays in a core's part of a third-level cache: blocks of k of few rows.
inline constexpr double stays_in_third_level_bytes = 10e6;
/// Bytes of a B from which it comes from memory, more than most last-level caches hold: blocks of k of few rows.
inline constexpr double from_memory_bytes = 29e6;
/// Bytes of a B of few rows that stays in a second-level cache beside other operands: path.
inline constexpr double shared_second_level_bytes = 256 * 1024;
/// Bytes of a B of short rows up to which register tiles of few rows read it as fast as it is streamed: path.
inline constexpr double short_rows_bytes = 1e6;
/// Bytes of an A of contiguous columns that register tiles read from a first-level cache as it lies; not measured on
/// machines whose caches differ, though no bit depends on it.
inline constexpr double first_level_a_bytes = 32 * 1024;
/// Share of a machine's second-level cache in which C stays.
inline constexpr double c_share_of_second_level = 0.875;
/// The same of few terms and columns, which wait for C.
inline constexpr double shallow_c_share = 0.5;
/// Share of a last-level cache that operands take at least for C to be written past it.
inline constexpr double rank_k_share = 0.875;

// Tiny products.

/// Longest extent of products that are so little work that choosing counts, whatever C's size.
inline constexpr std::int64_t tiny_edge = 16;
/// Registers of C at most in such products up to most_tiny_edge.
inline constexpr std::int64_t tiny_c_registers = 512;
/// Products of a sum from which few rows or columns are dots.
inline constexpr std::int64_t tiny_dots_depth = 32;
/// Products of a sum from which twice as many rows or columns are.
inline constexpr std::int64_t tiny_deep_dots = 64;
/// Numbers in rows or columns that are few.
inline constexpr std::int64_t tiny_dots_rows = 4;
/// Rows from which few columns, by contiguous columns of A, are tiles of C^T.
inline constexpr std::int64_t tiny_transposed_rows = 32;
/// The same where B would be copied.
inline constexpr std::int64_t tiny_transposed_rows_of_copy = 8;
/// Columns, and rows, beyond which such a product looks at its last columns by themselves: below, asking costs what
/// they could bring.
inline constexpr std::int64_t tiny_edge_cols = 32, tiny_edge_rows = 63;

// The last columns as dot products.

/// Registers of columns up to which the last of them may be: of more they are too little of the work.
inline constexpr std::int64_t most_edge_registers = 28;
/// Rows of A from which they may be.
inline constexpr std::int64_t edge_rows = 8;
/// Cycles, about, that they take to load a register of A.
inline constexpr std::int64_t edge_load_cycles = 2;
/// Cycles, about, to add up the lanes of a sum.
inline constexpr std::int64_t edge_end_cycles = 5;
/// Cycles, about, to go on to the next row.
inline constexpr std::int64_t edge_row_cycles = 3;

// Operands that are streamed.

/// Columns up to which few rows are dot products of no less than long_sum.
inline constexpr std::int64_t few_dots_cols = 48;
/// Products of a sum, for each row, from which few rows are dot products by contiguous columns of B.
inline constexpr std::int64_t dots_depth = 16;
/// Products of a sum from which few rows by few columns, at most as many as a register has lanes, are so where B's rows
/// are contiguous.
inline constexpr std::int64_t deep_dots = 4096;
/// Columns of B from which an operand is worth streaming.
inline constexpr std::int64_t streamed_cols = 16;
/// Products of a sum from which it is: shorter sums wait for C.
inline constexpr std::int64_t long_sum = 32;
/// Bytes of B that are worth a thread where it is streamed.
inline constexpr double streamed_bytes = 128 * 1024;
/// Columns of tiles for each thread that streams B at least.
inline constexpr std::int64_t streamed_panels_per_thread = 4;
/// Numbers of A's rows up to which tiles never stream B.
inline constexpr std::int64_t never_tiles_rows = 4;
/// Rows of a block of a B from memory whose lines map to one set.
inline constexpr std::int64_t aliased_rows = 24;
/// Least bytes of a row of such a B that the hardware fetches after the one before, where rows are whole lines.
inline constexpr std::int64_t short_row_least_bytes = 896;
/// Bytes of a row of C that are worth streaming, for each thread.
inline constexpr std::int64_t rank_k_row_bytes = 1024;
/// Products of such a C's sums at most where registers of B lie across cache lines.
inline constexpr std::int64_t rank_k_split_most = 5;

// What is packed.

/// Rows of tiles up to which B is not packed.
inline constexpr std::int64_t in_place_panels = 2;
/// Rows of tiles from which B is packed where its registers lie across cache lines, though a second-level cache holds
/// it: such loads take twice the time.
inline constexpr int split_panels = 16;
/// Rows of tiles up to which a B that goes by once in blocks of short rows is not packed.
inline constexpr std::int64_t once_panels = 32;
/// The same where its registers lie across cache lines.
inline constexpr std::int64_t split_once_panels = 8;
/// Columns of register tiles from which packing A takes no time that counts.
inline constexpr int pack_a_panels = 64;
/// Columns of register tiles beyond which a large A is packed.
inline constexpr std::int64_t pack_a_least = 8;
/// The same where its lines map to one set.
inline constexpr std::int64_t aliased_pack_a_least = 4;
/// Products of a sum from which an A of contiguous columns is packed for few columns of C.
inline constexpr std::int64_t gathered_depth = 40;
/// Bytes of a column of such an A beyond which it is.
inline constexpr std::int64_t gathered_bytes = 128;
/// An A that is packed so has this many times the bytes up to which A is read where it lies.
inline constexpr double gathered_ratio = 1.5;

// Blocks of register tiles.

/// Chains of products in a block of few columns.
inline constexpr std::int64_t skinny_chains = 8;
/// Bytes of a row of A in products of so few terms that C takes much of the time.
inline constexpr double shallow_row_bytes = 1024;
/// Rows of tiles in a low block: of few columns, or of a C whose lines should stay cached.
inline constexpr std::int64_t low_panels = 6;
/// Rows of tiles in a block of such a C behind a small second-level cache.
inline constexpr std::int64_t high_panels = 24;
/// Rows of tiles up to which A is soon done with a block of B.
inline constexpr std::int64_t soon_panels = 16;
/// Share of a block of B's columns, one in so many, for each thread where A is soon done with it.
inline constexpr int soon_parts = 8;
/// Rows of tiles that are few rows, whose tiles prefetch along A.
inline constexpr std::int64_t few_panels = 4;
/// Columns of tiles up to which tiles prefetch long rows of A.
inline constexpr std::int64_t long_rows_panels = 8;
/// Columns of tiles up to which columns are few.
inline constexpr std::int64_t few_cols_panels = 2;
/// Columns apart from each other that rows of a B of few columns begin at most, in tiles.
inline constexpr std::int64_t close_row_panels = 4;
/// Widths of a deep block of B at most in a shallow one of as many bytes.
inline constexpr std::int64_t most_shallow_width = 2;

// Slices of k.

/// Bytes of sums up to which k may be cut into slices.
inline constexpr std::int64_t sliced_bytes = 128 * 1024;
/// How many times C's extents k is at least where it is.
inline constexpr std::int64_t sliced_depth_ratio = 8;
/// Slices at most.
inline constexpr std::int64_t most_slices = 64;
/// Products of a sum in each slice at least.
inline constexpr std::int64_t slice_depth = 1024;
/// Share of a slice's time that each cut of C takes, since operands are read, and packed, once more.
inline constexpr double cut_cost = 0.05;
/// Cuts of C that are tried.
inline constexpr int tried_cuts = 4;

}  // namespace pantile::impl::arch::host
