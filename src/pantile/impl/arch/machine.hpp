// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A machine as policies see it: numbers only, so that a choice can be made and tested anywhere.

#include <climits>
#include <cstddef>

namespace pantile::impl::arch {

/// \brief  The machine behind an execution-space instance, as data. `arch::machine(exec)` fills it in; tests invent
///         others.
struct Machine {
  char const* name = "serial";            ///< lower case, as in labels
  bool device = false;                    ///< many light threads per team, coalesced accesses
  int concurrency = 1;                    ///< threads that run at once (host), resident threads (device)
  int max_team_size = 1;                  ///< upper limit for the threads of a team
  std::size_t scratch_limit[2] = {0, 0};  ///< bytes of team scratch at level 0 and 1; 0 where a level is not to be used
  int scratch_levels = 1;                 ///< how many levels the kernels may use
  int multiprocessors = 0;                ///< of a device; zero where not known
  std::size_t scratch_of_multiprocessor = std::size_t{1}
                                          << 40;  ///< bytes that its teams share; no limit where not known
  std::size_t scratch_of_thread = 0;              ///< bytes that Kokkos takes of a team's for each thread, of a device
  std::size_t scratch_of_driver = 0;              ///< bytes that the driver takes of each team's
  int threads_per_cache = INT_MAX;                ///< of a host: that share a last-level cache (with_caches)
  int max_tile_size = INT_MAX;                    ///< elements of a tile of a 2D range, above which Kokkos aborts

  /// Bytes of a level that a team can request: Kokkos takes their number as an int.
  [[nodiscard]] constexpr std::size_t scratch_room(int level) const {
    return scratch_limit[level] < INT_MAX ? scratch_limit[level] : INT_MAX;
  }
  /// The lowest level that has room, or the last one there is.
  [[nodiscard]] constexpr int scratch_level(std::size_t bytes) const {
    int level = 0;
    while (level + 1 < scratch_levels && bytes > scratch_limit[level]) ++level;
    return level;
  }
  /// Bytes of a multiprocessor's scratch for a team that requests so many: Kokkos takes some for itself, as of two
  /// threads more, and on CUDA refuses a launch where fewer teams fit than LaunchBounds requires.
  [[nodiscard]] constexpr std::size_t scratch_of_team(std::size_t bytes, int threads) const {
    return bytes + scratch_of_thread * (static_cast<std::size_t>(threads) + 2) + scratch_of_driver;
  }
};

/// Register tile of the tiled matmul: each thread computes rows x cols outputs at a time.
struct MicroTile {
  int rows;
  int cols;
  friend constexpr bool operator==(MicroTile, MicroTile) = default;
};

}  // namespace pantile::impl::arch
