// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What decides between tiles of a device, and whether k is split. How each number was had stands in
///        perf_tests/notes/tuning.md.

namespace pantile::impl::arch {

/// Of a device of which nothing else is known; those of machines are in cuda/tuning.hpp and hip/tuning.hpp.
struct DeviceTuning {
  int multiprocessor_threads = 2048;  ///< that a multiprocessor holds, for machines that do not tell how many there are
  double memory_bytes_per_clock = 14;  ///< that a multiprocessor gets from memory
  double tile_clocks = 1500;           ///< for which a team waits for its first panels and writes its last sums
  double launch_clocks = 4000;         ///< that a second kernel costs
  double least_fill = 0.5;  ///< share of a full multiprocessor's time that its last teams take, however few they are
};

}  // namespace pantile::impl::arch
