// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of hosts that several operations share: caches, memory, threads and launches. How each was measured,
///        or that it is an estimate: perf_tests/notes/tuning.md.

#include <cstdint>

namespace pantile::impl::arch::host {

// Caches and memory.

/// Bytes of a core's own first-level cache where the system does not say.
inline constexpr std::int64_t unknown_first_level_bytes = 32 << 10;
/// Bytes of a core's own second-level cache where the system does not say.
inline constexpr std::int64_t unknown_second_level_bytes = 512 << 10;
/// Bytes of a last-level cache where the system does not say.
inline constexpr std::int64_t unknown_last_level_bytes = 8 << 20;
/// Bytes of a last-level cache that one processor may rely on: 12 MiB per core is the most that is sold, and few
/// processors of a virtual machine have all of a cache while others are idle.
inline constexpr std::int64_t cache_bytes_per_processor = 16 << 20;
/// Bytes of a last-level cache for each processor beyond which nothing of its stays.
inline constexpr std::int64_t most_cache_bytes_per_processor = 48 << 20;
/// Bytes of a first-level cache from which it counts as large: wide strips past the cache pay.
inline constexpr std::int64_t large_first_level_bytes = 48 << 10;
/// Bytes of a second-level cache behind which the third level answers late.
inline constexpr std::int64_t large_second_level_bytes = 2 << 20;
/// Bytes that lines are a multiple of apart where they map to one set of a first-level cache.
inline constexpr std::int64_t alias_bytes = 4096;
/// Bytes of a page of memory.
inline constexpr std::int64_t page_bytes = 4096;
/// Bytes in a window that have left the store buffers before they are read again.
inline constexpr std::int64_t window_bytes = 2048;
/// The same in a window that is a page of memory.
inline constexpr std::int64_t page_window_bytes = 512;

// Threads and launches.

/// Pauses of a thread that waits for another one before it offers its core to others.
inline constexpr int spins = 2000;
/// Bytes read and written that a core moves in about the time that a launch takes.
inline constexpr std::int64_t launch_bytes = 256 << 10;
/// Elements of rows that a thread takes at a time.
inline constexpr std::int64_t row_tile_elements = 4096;
/// Columns and rows of a tile of C where an operand runs across.
inline constexpr std::int64_t crossing_cols = 64, crossing_rows = 16;
/// Elements across a tile of a 2D range.
inline constexpr std::int64_t range_cols = 64;

}  // namespace pantile::impl::arch::host
