// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers that decide on devices of any maker, and those that hosts have in common with them. How each was
///        measured, or that it is an estimate: perf_tests/notes/tuning.md.

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
  std::size_t scratch_of_thread = 8;     ///< bytes of a team's scratch that Kokkos takes for each thread, and two more
  std::size_t scratch_of_driver = 1024;  ///< bytes that the driver takes of each team's
};

namespace device {

// Matmul.

/// Panels below which a slice of k is not worth its sums.
inline constexpr std::int64_t least_slice_panels = 8;
/// Bytes of all slices' sums at most.
inline constexpr std::int64_t most_slices_bytes = std::int64_t{64} << 20;
/// Slices at most.
inline constexpr std::int64_t most_slices = 1024;
/// Threads of a tile's team from which products of a batch that lie anywhere go through scratch: a whole warp's.
inline constexpr int least_batch_team = 32;
/// Multiply-adds of a matmul up to which tiles do not go through scratch: less than a register tile's worth; on hosts
/// too.
inline constexpr std::int64_t naive_work_limit = 8 * 8 * 8;

// Launches.

/// Threads of a block of a 2D range.
inline constexpr int range_threads = 256;
/// Threads across such a block.
inline constexpr int range_cols = 32;
/// Threads across and down a block of a launch whose shape is not given.
inline constexpr int block_cols = 32, block_rows = 8;

// Additions.

/// Packs of 16 bytes that a thread has in flight for each operand of a sum.
inline constexpr int packs_per_thread = 4;
/// Threads that take neighbouring packs before a thread goes on in the same row: a whole access of AMD's waves, two of
/// NVIDIA's warps.
inline constexpr int packed_lanes = 64;
/// Threads of a block of a sum.
inline constexpr int packed_block = 256;
/// Such blocks that should fit a multiprocessor at once: 64 registers.
inline constexpr int packed_blocks = 4;
/// Packs of a row from which sums are by packs: rows of fewer are cut short at their ends too often.
inline constexpr std::int64_t packed_row_limit = 8;

// Histograms.

/// Threads of a team of a histogram without copies.
inline constexpr int histogram_team_size = 256;
/// Samples that a thread of it should have.
inline constexpr std::int64_t histogram_grain = 8;
/// Threads of a team that counts into copies.
inline constexpr int counting_team_size = 512;
/// Samples that a thread of it should have.
inline constexpr std::int64_t counting_grain = 16;
/// Bytes of scratch for its copies.
inline constexpr std::size_t counting_budget = 36 << 10;
/// Its copies at most, one for each bank of scratch: of c of them, 32 / c threads of a warp share a bank where all
/// samples are equal.
inline constexpr int most_device_copies = 32;
/// Such teams that a multiprocessor has scratch for.
inline constexpr int counting_teams = 2;
/// Packs of samples that a thread has in flight.
inline constexpr int counted_packs = 4;
/// Threads that take neighbouring packs where samples are only checked.
inline constexpr int checking_lanes = 64;
/// Samples for each bin from which copies of the bins pay, which are cleared and flushed; on hosts too.
inline constexpr std::int64_t samples_per_bin = 4;

// Transpositions.

/// Threads of a padded team that the appendix of the transposition's source uses, 32 x 8.
inline constexpr int padded_team_size = 256;
/// Threads of a team that permutes a line.
inline constexpr int permuting_team_size = 256;
/// Threads of a team at most that kernels of transpositions by tiles are compiled for.
inline constexpr int most_tile_threads = 1024;
/// Elements of an edge of a transposition's tiles, by bytes of an element: rows of 256 or 512 bytes on both sides
/// (single bytes 128), in the 40 KB of scratch that Kokkos gives on NVIDIA GPUs before 5.2.
inline constexpr int packed_edge_1 = 128, packed_edge_2 = 128, packed_edge_4 = 64, packed_edge_8 = 64,
                     packed_edge_16 = 32;
/// Single bytes that are moved at once: of 16 a thread's 16 x 16 are too many for its registers.
inline constexpr int packed_bytes = 4;
/// Threads of such a tile's team at most: each has 64 or 128 bytes in flight.
inline constexpr int packed_tile_threads = 256;
/// Such teams that should fit a multiprocessor at once, which bounds their registers.
inline constexpr int packed_tile_teams = 3;
/// The same of tiles of two bytes, and of pairs of tiles whose small elements are moved one by one.
inline constexpr int crowded_tile_teams = 2;
/// Bytes of scratch from which one team should, as for packs of single bytes: AMD's 64 KiB hold one of 32 KiB.
inline constexpr std::size_t single_team_scratch = std::size_t{32} << 10;
/// Rows of a transposition's tiles in a band. Of T tiles in flight, band x T/band touch fewest pages of source and
/// target where both numbers are alike, and some hundreds are in flight; row by row, each touches pages of its own.
inline constexpr int packed_band = 16;
/// Edge of a matrix up to which a tile costs more than it brings.
inline constexpr std::int64_t naive_edge_limit = 4;
/// Elements of a matrix up to which it does, on hosts too.
inline constexpr std::int64_t naive_count_limit = 256;

// Reversals and copies.

/// Threads of a team that reverses a vector.
inline constexpr int reversing_team_size = 256;
/// Elements of a chunk of it, of hosts too: two accesses per thread, and with its mirror image 16 KB of the widest
/// elements.
inline constexpr int reversed_chunk = 512;
/// Threads of a team that copies, transposed.
inline constexpr int copying_team_size = 256;
/// Rows and columns of a block of a copy that does not transpose.
inline constexpr int copied_rows = 8, copied_cols = 32;
/// Edge from which blocks suit both sides; on hosts too.
inline constexpr std::int64_t least_copied_edge = 8;
/// Bytes of an element up to which they do; on hosts too.
inline constexpr std::size_t most_copied_element = 16;

}  // namespace device
}  // namespace pantile::impl::arch
