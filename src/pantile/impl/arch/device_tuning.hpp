// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The numbers that decide on devices of any maker, and those that hosts have in common with them. How each was
///        had stands in perf_tests/notes/tuning.md.

#include <cstddef>
#include <cstdint>

namespace pantile::impl::arch {

/// What decides between tiles of a device, and whether k is split. Of a device of which nothing else is known; those of
/// machines are in cuda/tuning.hpp and hip/tuning.hpp.
struct DeviceTuning {
  int multiprocessor_threads = 2048;  ///< that a multiprocessor holds, for machines that do not tell how many there are
  double memory_bytes_per_clock = 14;  ///< that a multiprocessor gets from memory
  double tile_clocks = 1500;           ///< for which a team waits for its first panels and writes its last sums
  double launch_clocks = 4000;         ///< that a second kernel costs
  double least_fill = 0.5;  ///< share of a full multiprocessor's time that its last teams take, however few they are
};

namespace device {

/// Panels below which a slice of k is not worth its sums; bytes of all slices' sums, and slices, at most.
inline constexpr std::int64_t least_slice_panels = 8, most_slices_bytes = std::int64_t{64} << 20, most_slices = 1024;

/// Threads of a block of a 2D range, and across it; of a launch whose shape is not given, across and down.
inline constexpr int range_threads = 256, range_cols = 32, block_cols = 32, block_rows = 8;

/// Packs of 16 bytes that a thread has in flight for each operand of a sum; threads that take neighbouring packs before
/// a thread goes on in the same row: a whole access of AMD's waves, two of NVIDIA's warps.
inline constexpr int packs_per_thread = 4, packed_lanes = 64;
/// Threads of a block of a sum, and blocks that should fit a multiprocessor at once: 64 registers.
inline constexpr int packed_block = 256, packed_blocks = 4;
/// Packs of a row from which sums are by packs: rows of fewer are cut short at their ends too often.
inline constexpr std::int64_t packed_row_limit = 8;

/// Threads of a team of a histogram without copies; samples that a thread should have.
inline constexpr int histogram_team_size = 256;
inline constexpr std::int64_t histogram_grain = 8;
/// Threads of a team that counts, samples that each should have, bytes of scratch for its copies, and copies at most,
/// one for each bank of scratch: of c of them, 32 / c threads of a warp share a bank where all samples are equal.
inline constexpr int counting_team_size = 512;
inline constexpr std::int64_t counting_grain = 16;
inline constexpr std::size_t counting_budget = 36 << 10;
inline constexpr int most_device_copies = 32;
/// Packs of samples that a thread has in flight; threads that take neighbouring packs where samples are only checked.
inline constexpr int counted_packs = 4, checking_lanes = 64;
/// Such teams that a multiprocessor has scratch for.
inline constexpr int counting_teams = 2;
/// Samples for each bin from which copies of the bins pay, which are cleared and flushed; on hosts too.
inline constexpr std::int64_t samples_per_bin = 4;

/// Threads of a padded team that the appendix of the transposition's source uses, 32 x 8; of one that permutes a line.
inline constexpr int padded_team_size = 256, permuting_team_size = 256;
/// Threads of a team at most that kernels of transpositions by tiles are compiled for.
inline constexpr int most_tile_threads = 1024;
/// Rows of a transposition's tiles in a band. Of T tiles in flight, band x T/band touch fewest pages of source and
/// target where both numbers are alike, and some hundreds are in flight; row by row, each touches pages of its own.
inline constexpr int packed_band = 16;
/// Edge of a matrix, and on hosts too its elements, up to which a tile costs more than it brings.
inline constexpr std::int64_t naive_edge_limit = 4, naive_count_limit = 256;

/// Threads of a tile's team from which products of a batch that lie anywhere go through scratch: a whole warp's.
inline constexpr int least_batch_team = 32;
/// Multiply-adds of a matmul up to which tiles do not go through scratch: less than a register tile's worth; on hosts
/// too.
inline constexpr std::int64_t naive_work_limit = 8 * 8 * 8;

/// Threads of a team that reverses a vector; elements of a chunk, of hosts too: two accesses per thread, and with its
/// mirror image 16 KB of the widest elements.
inline constexpr int reversing_team_size = 256, reversed_chunk = 512;

/// Threads of a team that copies, transposed; else rows and columns of a block. Edge, and bytes of an element, from
/// which and up to which blocks suit both sides; on hosts too.
inline constexpr int copying_team_size = 256, copied_rows = 8, copied_cols = 32;
inline constexpr std::int64_t least_copied_edge = 8;
inline constexpr std::size_t most_copied_element = 16;

}  // namespace device
}  // namespace pantile::impl::arch
