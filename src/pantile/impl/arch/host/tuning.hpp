// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What was measured of hosts and decides between ways of computing, each number with its unit. How it was
///         measured
///        stands in perf_tests/notes/tuning.md; blocks and register tiles of matmul are in ukernel/gemm.

#include <cstdint>

namespace pantile::impl::arch::host {

/// Real products below which a launch costs more than it saves; and for wide registers, products in each of their
/// lanes.
inline constexpr double launch_products = 128 * 1024, launch_products_per_lane = 16 * 1024;
/// Bytes read and written that a core moves in about the time that a launch takes.
inline constexpr std::int64_t launch_bytes = 256 << 10;
/// Samples of a histogram that a thread should have before another one is worth its start.
inline constexpr std::int64_t histogram_samples = 2048;

/// Bytes of operands that stay in a second-level cache, and in the core's part of a third-level one.
inline constexpr double second_level_bytes = 512 * 1024, last_level_bytes = 10e6;
/// Bytes of one operand that stays in a second-level cache beside others: the B of few rows.
inline constexpr double shared_second_level_bytes = 256 * 1024;
/// Share of a machine's second-level cache in which a matmul's C stays.
inline constexpr double c_share_of_second_level = 0.875;
/// Bytes that lines are a multiple of apart where they meet in one set of a first-level cache.
inline constexpr std::int64_t meeting_bytes = 4096;
/// Bytes of source and target together that a transposition moves between a core's own caches.
inline constexpr std::int64_t transposed_bytes = 256 << 10;
/// Bytes of a row of a transposition's target that is worth streaming past the cache.
inline constexpr std::int64_t stream_row_bytes = 512;
/// Bins from which on a thread has one copy of them instead of four, which would leave the first-level cache.
inline constexpr std::int64_t histogram_copies_bins = 2048;

/// Cycles for a byte of B or of A that is packed, or that another thread has packed; and for threads that share a block
/// to wait for each other.
inline constexpr double pack_b_cycles = 0.15, pack_a_cycles = 0.4, fetch_cycles = 0.15, wait_cycles = 20000;

}  // namespace pantile::impl::arch::host
