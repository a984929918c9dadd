// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of hosts for matrices in files. How each was measured, or that it is an estimate:
///        perf_tests/notes/tuning.md.

#include <cstdint>

namespace pantile::impl::arch::host {

// Tiles of files.

/// Elements of an edge of a file's tiles at least.
inline constexpr std::int64_t least_edge = 16;
/// Pieces at most in which a tile is read or written.
inline constexpr std::int64_t most_strips = 16;
/// Factors by which the numbers of pieces grow into which an edge of tiles, and the depth of their steps, is cut for a
/// try.
inline constexpr double tried_edges_growth = 1.12, tried_depths_growth = 1.5;

// Products.

/// Bytes that a read or write of a piece of a file costs beside its own: half a page, of those at its ends that others
/// need.
inline constexpr double piece_bytes = 2048;
/// Bytes that such a piece costs the processors that compute a product meanwhile.
inline constexpr double busy_piece_bytes = 14 << 10;
/// What all pieces cost these at most, in the bytes of the product's matrices: fewer pieces are not had for more.
inline constexpr double most_busy_share = 0.75;
/// Products in the time of a byte of a file.
inline constexpr double products_per_byte = 37;
/// Rows (columns) of a strip of C at least, where the tile has them.
inline constexpr std::int64_t least_strip = 128;
/// Time of a byte of a panel of A or B, which each product brings into its order in memory, in that of one of a file.
inline constexpr double moved_share = 1.0 / 6;
/// Time of a byte of C in each step, in that of one of a file.
inline constexpr double step_share = 1.0 / 256;

// Transpositions, which wait for nothing else.

/// Bytes that a request to read costs.
inline constexpr double read_piece_bytes = 24 << 10;
/// Bytes that a write costs where it begins and ends within pages, which are read first where others have written in
/// them.
inline constexpr double written_piece_bytes = 128 << 10;
/// Bytes of a strip that is read at a time at least, where the tile has them.
inline constexpr std::int64_t least_strip_bytes = 1 << 20;
/// Share of the time of bytes that are not read and written at once: some disks take less time for both together than
/// for one after the other, others as much.
inline constexpr double alone_share = 0.25;

// Reads, and what goes past the system's cache of files.

/// Bytes of a piece of a file from which it goes past that cache.
inline constexpr std::uint64_t least_past_cache_bytes = 1 << 20;
/// Bytes at most that are moved so at a time through memory of its own, where a tile's does not suit the disk.
inline constexpr std::uint64_t most_past_cache_bytes = 2 << 20;

/// Bytes of a file that are advised together ahead of a read.
inline constexpr std::uint64_t read_block_bytes = 16 << 10;
/// Pieces ahead of a read at least.
inline constexpr std::uint64_t least_read_pieces = 64;
/// Bytes of more pieces ahead at most.
inline constexpr std::uint64_t most_read_bytes = 2 << 20;

}  // namespace pantile::impl::arch::host
