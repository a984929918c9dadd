// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of hosts for copies between memories. How each was measured, or that it is an estimate:
///        perf_tests/notes/tuning.md.

#include <cstddef>
#include <cstdint>

namespace pantile::impl::arch::host {

/// Bytes that a thread copies at a time: few enough to share, enough to stream.
inline constexpr std::int64_t copied_block_bytes = 64 * 1024;
/// What packing a side costs on the host, which waits for it, and what it costs there to transpose on the way, in units
/// that only rank.
inline constexpr int host_staging_cost = 8, host_transposing_cost = 2;
/// The same by a device's kernels.
inline constexpr int device_staging_cost = 2, device_transposing_cost = 1;
/// Bytes of a copy from which it goes through pinned chunks, each of half of them at least.
inline constexpr std::size_t least_chunked_bytes = 1 << 20;
/// Pieces of such a copy at least, where they are so large.
inline constexpr std::size_t least_pieces = 8;
/// Instances that take turns in a pipeline.
inline constexpr int pipeline_depth = 3;
/// Chunks of a pipeline's largest array: launches stay small beside copies.
inline constexpr std::size_t pipeline_chunks = 16;
/// Bytes of such a chunk at least and at most: buffers stay small.
inline constexpr std::size_t least_chunk_bytes = 1 << 20, most_chunk_bytes = 8 << 20;

}  // namespace pantile::impl::arch::host
