// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of hosts for additions, transpositions and batches of these. How each was measured, or that it is an
///        estimate: perf_tests/notes/tuning.md.

#include <cstdint>

namespace pantile::impl::arch::host {

// Additions, and what the BLAS layer copies.

/// Elements of a piece of a row that is streamed past the cache, or that the calling thread takes.
inline constexpr std::int64_t long_piece = 32768;
/// Bytes of a row of a sum that is worth streaming past the cache.
inline constexpr std::int64_t streamed_sum_row_bytes = 1024;
/// Elements of a matrix that a call of the BLAS layer moves with one thread.
inline constexpr std::int64_t small_count = 64 * 1024;

// Transpositions: which way.

/// Bytes of source and target together that a transposition moves between a core's own caches.
inline constexpr std::int64_t transposed_bytes = 256 << 10;
/// Bytes of a row of a transposition's target that is worth streaming past the cache.
inline constexpr std::int64_t stream_row_bytes = 512;
/// The part of the last-level cache, one in so many, up to which elements of several bytes stay in it; of rows that
/// alias, that part of the part.
inline constexpr std::int64_t moved_cache_share = 2;
/// Bytes of an edge of the squares that a transposition moves at a time.
inline constexpr std::int64_t moved_edge_bytes = 256;
/// Elements of a row that a thread permutes at a time: it divides at their start only.
inline constexpr std::int64_t permuted_piece = 256;

// Strips past the cache and through it.

/// Rows of a strip of a transposition at most.
inline constexpr std::int64_t most_strip_rows = 2048;
/// Strips of a transposition for each thread.
inline constexpr std::int64_t strips_per_thread = 8;
/// Bytes of a strip across, through the cache.
inline constexpr int strip_bytes = 256;
/// Bytes of a strip's steps, through the cache: elements of up to two bytes; larger ones.
inline constexpr int small_step_bytes = 256, step_bytes = 512;
/// Bytes of a strip across, past the cache with registers of 512 bits: elements of up to two bytes; larger ones.
inline constexpr int small_strip_bytes_512 = 512, strip_bytes_512 = 1024;
/// Bytes of the steps of such a strip: elements of up to two bytes; larger ones.
inline constexpr int small_step_bytes_512 = 128, step_bytes_512 = 256;
/// Bytes of a strip past the cache at most where the first-level cache is no large one.
inline constexpr std::int64_t small_cache_strip_bytes = 512;

// Rows that meet in few sets of a cache.

/// Bytes that such rows are a multiple of apart: elements of 8 bytes and more; of 4, or in registers of 512 bits;
/// others.
inline constexpr int close_rows_8 = 4096, close_rows_4 = 2048, close_rows_1 = 1024;
/// The same of rows of single bytes that are moved apart first.
inline constexpr int close_byte_rows = 1024;
/// Rows of single bytes that are moved apart at a time.
inline constexpr std::int64_t apart_rows = 64;

// In place.

/// Sizes of the last-level cache beyond which tiles are exchanged past it.
inline constexpr std::int64_t exchanged_cache_share = 2;
/// Elements of an edge of the tiles that are exchanged in place, by bytes of an element: 4 and fewer; 8; more. Two
/// tiles stay in a second-level cache.
inline constexpr int exchanged_edge_4 = 128, exchanged_edge_8 = 64, exchanged_edge_16 = 32;
/// The same of tiles that are exchanged past the cache, through buffers of up to 280 KB on the thread's stack: 1; up to
/// 8; more.
inline constexpr int streamed_edge_1 = 256, streamed_edge_8 = 128, streamed_edge_16 = 64;

// Batches of transpositions.

/// Bytes of a batch's targets that are written at a time past the cache.
inline constexpr std::int64_t moved_piece_bytes = 16 << 10;
/// Bytes ahead that a batch past the cache fetches its sources.
inline constexpr std::int64_t moved_ahead_bytes = 16 << 10;
/// Bytes of a source at most that is fetched a whole matrix ahead.
inline constexpr std::int64_t most_moved_source_bytes = 256 << 10;
/// Bytes ahead that a batch through the cache fetches sources and targets.
inline constexpr std::int64_t moved_target_ahead_bytes = 2048;
/// Bytes of a matrix of a batch at most whose lines are written past a small first-level cache by themselves.
inline constexpr std::int64_t most_lines_bytes = 24 << 10;

}  // namespace pantile::impl::arch::host
