// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Host backends (Serial, OpenMP, Threads): one thread per team, tiles sized for the caches.

#include <pantile/impl/arch/machine.hpp>

#include <algorithm>

namespace pantile::impl::arch {

struct Host {
  static constexpr bool device = false;
  static constexpr int max_team_size = 1;
  static constexpr int scratch_levels = 2;  // level 0 has 32 KB on hosts: larger tiles go to level 1

  /// Threads per team that the kernels are compiled for, per register tile.
  static constexpr int launch_bound(MicroTile) { return 1; }

  /// Four rows by 32 bytes: the accumulators fill half of the sixteen vector registers of baseline x86-64.
  template <class Compute>
  static constexpr MicroTile micro_tile() {
    return {4, std::max(2, static_cast<int>(32 / sizeof(Compute)))};
  }

  /// Tile edges for the tiled matmul: the three tiles together stay within a 256 KB second-level cache.
  template <class Compute>
  static constexpr int matmul_edge = sizeof(Compute) >= 16 ? 32 : 64;
  static constexpr int matmul_depth = 128;

  static constexpr int transpose_edge = 32;
};

}  // namespace pantile::impl::arch
