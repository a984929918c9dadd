// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Tiles of the blocked matmul on AMD GPUs with waves of 64 threads. From the arithmetic of registers and scratch;
///        no GPU has measured them yet.

#include <pantile/element.hpp>
#include <pantile/impl/arch/staged_shape.hpp>

#include <type_traits>

namespace pantile::impl::arch::hip {

/// 4 bytes: 32 sums per thread; with 64 the compiler spills.
struct Words {
  static constexpr StagedShape shape{.m = 128, .n = 128, .k = 8, .warp_m = 64, .warp_n = 32, .thread_m = 8, .thread_n = 4,
                                     .stages = 2, .warp = 64, .engine = ProductEngine::multiply_add, .async = false,
                                     .teams = 1};
};
/// The same for matrices that give too few large tiles, and real numbers of 8 bytes.
struct Small {
  static constexpr StagedShape shape{.m = 64, .n = 64, .k = 8, .warp_m = 32, .warp_n = 32, .thread_m = 4, .thread_n = 4,
                                     .stages = 2, .warp = 64, .engine = ProductEngine::multiply_add, .async = false,
                                     .teams = 2};
};
/// Complex types: fewer sums per thread, since the compiler spills with more.
struct Complex {
  static constexpr StagedShape shape{.m = 64, .n = 32, .k = 8, .warp_m = 32, .warp_n = 16, .thread_m = 4, .thread_n = 2,
                                     .stages = 2, .warp = 64, .engine = ProductEngine::multiply_add, .async = false,
                                     .teams = 1};
};
struct DoubleComplex {
  static constexpr StagedShape shape{.m = 32, .n = 32, .k = 8, .warp_m = 16, .warp_n = 16, .thread_m = 2, .thread_n = 2,
                                     .stages = 2, .warp = 64, .engine = ProductEngine::multiply_add, .async = false,
                                     .teams = 1};
};

template <class Compute>
using MatmulTiles =
    StagedTilesOf<Compute, StagedTiles<Words, Small>,
                  std::conditional_t<is_complex_v<Compute>, StagedTiles<Complex>, StagedTiles<Small>>,
                  StagedTiles<DoubleComplex>>;

}  // namespace pantile::impl::arch::hip
