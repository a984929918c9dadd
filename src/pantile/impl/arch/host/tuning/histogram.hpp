// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of hosts for histograms. How each was measured, or that it is an estimate:
///        perf_tests/notes/tuning.md.

#include <cstdint>

namespace pantile::impl::arch::host {

/// Samples that a thread should have before another one is worth its start.
inline constexpr std::int64_t histogram_samples = 32768;
/// Samples that a thread counts in the time that a bin of its copy is added to another thread's.
inline constexpr std::int64_t samples_per_merged_bin = 4;
/// Threads from which adding to shared bins atomically is faster than one thread that does it all.
inline constexpr int atomic_threads = 16;
/// Copies of the bins of a thread, which keep equal samples apart by more additions than one takes to come back from
/// the store buffer.
inline constexpr int histogram_copies = 4;
/// Bins up to which a thread has copies of them instead of one: with more they would leave the first-level cache.
inline constexpr std::int64_t histogram_copies_bins = 1024;
/// Samples that are looked at together for one that is out of range.
inline constexpr std::int64_t check_piece = 1 << 15;
/// Bytes ahead that counting fetches samples.
inline constexpr std::int64_t counted_ahead_bytes = 4096;
/// Samples of a piece that is counted with branches, or without.
inline constexpr std::int64_t counted_piece = 4096;
/// One sample in how many of a piece out of range makes the next piece count without branches.
inline constexpr std::int64_t branched_share = 64;
/// Bins whose copies are added up together, in a first-level cache.
inline constexpr std::int64_t merged_piece = 512;
/// Samples with several indices that are looked at together before they are counted.
inline constexpr std::int64_t tuple_piece = 1024;

}  // namespace pantile::impl::arch::host
