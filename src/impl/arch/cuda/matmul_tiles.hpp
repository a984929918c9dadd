// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Tiles of the blocked matmul on NVIDIA GPUs. All fit the 40 KB of team scratch that Kokkos gives before 5.2. From
///        the arithmetic of registers, scratch and their bandwidth; no GPU has measured them yet.

#include <pantile/impl/arch/staged_shape.hpp>

#include <type_traits>

namespace pantile::impl::arch::cuda {

/// 4 bytes: 64 sums per thread, four 16-byte reads of scratch per 64 multiply-adds.
struct Words {
  static constexpr StagedShape shape{.m = 128, .n = 128, .k = 16, .warp_m = 32, .warp_n = 64, .thread_m = 8, .thread_n = 8,
                                     .stages = 2, .warp = 32, .engine = ProductEngine::multiply_add, .async = true,
                                     .teams = 2};
};
/// The same for matrices that give too few large tiles.
struct SmallWords {
  static constexpr StagedShape shape{.m = 64, .n = 64, .k = 16, .warp_m = 32, .warp_n = 32, .thread_m = 8, .thread_n = 4,
                                     .stages = 3, .warp = 32, .engine = ProductEngine::multiply_add, .async = true,
                                     .teams = 3};
};
/// double: matrix instructions; two teams of four warps per multiprocessor.
struct Doubles {
  static constexpr StagedShape shape{.m = 128, .n = 64, .k = 8, .warp_m = 64, .warp_n = 32, .thread_m = 0, .thread_n = 0,
                                     .stages = 3, .warp = 32, .engine = ProductEngine::double_matrix, .async = true,
                                     .teams = 2};
};
struct SmallDoubles {
  static constexpr StagedShape shape{.m = 64, .n = 64, .k = 8, .warp_m = 32, .warp_n = 32, .thread_m = 0, .thread_n = 0,
                                     .stages = 4, .warp = 32, .engine = ProductEngine::double_matrix, .async = true,
                                     .teams = 3};
};
/// 8 bytes without a matrix instruction: complex<float>, 64-bit integers.
struct Pairs {
  static constexpr StagedShape shape{.m = 64, .n = 64, .k = 8, .warp_m = 32, .warp_n = 32, .thread_m = 8, .thread_n = 4,
                                     .stages = 4, .warp = 32, .engine = ProductEngine::multiply_add, .async = true,
                                     .teams = 2};
};
/// 16 bytes: complex<double>.
struct Quads {
  static constexpr StagedShape shape{.m = 64, .n = 32, .k = 8, .warp_m = 32, .warp_n = 16, .thread_m = 4, .thread_n = 4,
                                     .stages = 3, .warp = 32, .engine = ProductEngine::multiply_add, .async = true,
                                     .teams = 2};
};

template <class Compute>
using MatmulTiles = StagedTilesOf<
    Compute, StagedTiles<Words, SmallWords>,
    std::conditional_t<std::is_same_v<Compute, double>, StagedTiles<Doubles, SmallDoubles>, StagedTiles<Pairs>>,
    StagedTiles<Quads>>;

}  // namespace pantile::impl::arch::cuda
