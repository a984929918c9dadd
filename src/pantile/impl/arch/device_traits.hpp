// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What CUDA and HIP devices have in common as far as the tiled kernels go; also used on hosts by the tests that
///        run device tiles there.

#include <pantile/impl/arch/device_tile.hpp>
#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/machine.hpp>

namespace pantile::impl::arch {

struct DeviceTraits {
  static constexpr bool device = true;
  static constexpr int max_team_size = 1024;
  static constexpr int scratch_levels = 1;  // level 1 is global memory

  /// One output per thread as in the source documents (up to 32 x 32 of them), or 4 x 4 with fewer, fatter threads.
  static constexpr int launch_bound(MicroTile micro) { return micro == MicroTile{1, 1} ? 1024 : 256; }

  template <class Compute>
  static constexpr MicroTile micro_tile() {
    return {4, 4};
  }

  /// 64 x 64 outputs by 256 threads; half the rows for 16-byte elements, whose sums take twice the registers.
  template <class Compute>
  static constexpr int matmul_edge = sizeof(Compute) >= 16 ? 32 : 64;
  static constexpr int matmul_depth = 16;

  /// Tiles of the blocked matmul of TA by TB, summed in Compute; a machine's own traits hide this.
  template <class TA, class TB, class Compute>
  using MatmulTiles = DeviceTiles<>;

  static constexpr int transpose_edge = 32;
  static constexpr DeviceTuning tuning{};
};

}  // namespace pantile::impl::arch
