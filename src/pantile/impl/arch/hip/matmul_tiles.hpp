// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Tiles of the blocked matmul on AMD GPUs, within the 57 KB of team scratch that Kokkos gives. From the
///        arithmetic of registers and scratch; no GPU has measured them, nor their rates, shares of what a compute unit
///        of gfx942 can do (perf_tests/notes/tuning.md).

#include <pantile/element.hpp>
#include <pantile/impl/arch/device_tile.hpp>
#include <pantile/impl/arch/hip/matrix_products.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::impl::arch::hip {
// Numbers of a tile stand beside each other.
// clang-format off

using enum ProductEngine;

/// Without a matrix instruction, 4 bytes: 32 sums per thread; with 64 the compiler spills.
struct Floats {
  static constexpr DeviceTile shape{.m = 128, .n = 128, .k = 8, .warp_m = 64, .warp_n = 32, .thread_m = 8,
                                     .thread_n = 4, .stages = 2, .warp = 64, .engine = multiply_add, .async = false,
                                     .min_blocks = 1, .k_pack_bytes = 4, .rate = 80};
};
/// Vector instructions for matrices that give too few large tiles, and real numbers of 8 bytes.
template <int Size>
struct Small {
  static constexpr DeviceTile shape{.m = 64, .n = 64, .k = 8, .warp_m = 32, .warp_n = 32, .thread_m = 4,
                                     .thread_n = 4, .stages = 2, .warp = 64, .engine = multiply_add, .async = false,
                                     .min_blocks = 2, .k_pack_bytes = Size, .rate = 240 / Size};
};
/// Complex types: fewer sums per thread, since the compiler spills with more.
struct Complex {
  static constexpr DeviceTile shape{.m = 64, .n = 32, .k = 8, .warp_m = 32, .warp_n = 16, .thread_m = 4,
                                     .thread_n = 2, .stages = 2, .warp = 64, .engine = multiply_add, .async = false,
                                     .min_blocks = 1, .k_pack_bytes = 8, .rate = 15};
};
/// Few rows, or few columns: long panels of the other operand. Of four waves, since HIP takes `min_blocks` of
/// LaunchBounds for waves per SIMD, which is the same for these only; teams of two waves spill.
struct FlatFloats {
  static constexpr DeviceTile shape{.m = 32, .n = 128, .k = 16, .warp_m = 16, .warp_n = 64, .thread_m = 4,
                                     .thread_n = 4, .stages = 2, .warp = 64, .engine = multiply_add, .async = false,
                                     .min_blocks = 2, .k_pack_bytes = 4, .rate = 55};
};
struct TallFloats {
  static constexpr DeviceTile shape{.m = 128, .n = 32, .k = 16, .warp_m = 64, .warp_n = 16, .thread_m = 4,
                                     .thread_n = 4, .stages = 2, .warp = 64, .engine = multiply_add, .async = false,
                                     .min_blocks = 2, .k_pack_bytes = 4, .rate = 55};
};
template <int Rate>
struct FlatPairs {
  static constexpr DeviceTile shape{.m = 16, .n = 128, .k = 16, .warp_m = 16, .warp_n = 32, .thread_m = 4,
                                     .thread_n = 2, .stages = 2, .warp = 64, .engine = multiply_add, .async = false,
                                     .min_blocks = 1, .k_pack_bytes = 8, .rate = Rate};
};
template <int Rate>
struct TallPairs {
  static constexpr DeviceTile shape{.m = 128, .n = 16, .k = 16, .warp_m = 32, .warp_n = 16, .thread_m = 4,
                                     .thread_n = 2, .stages = 2, .warp = 64, .engine = multiply_add, .async = false,
                                     .min_blocks = 1, .k_pack_bytes = 8, .rate = Rate};
};
/// 16 bytes: memory gives a compute unit half an element per clock, fewer than these rows or columns want.
struct DoubleComplex {
  static constexpr DeviceTile shape{.m = 32, .n = 32, .k = 8, .warp_m = 16, .warp_n = 16, .thread_m = 2,
                                     .thread_n = 2, .stages = 2, .warp = 64, .engine = multiply_add, .async = false,
                                     .min_blocks = 1, .k_pack_bytes = 16, .rate = 10};
};

/// Matrix instructions: 64 x 64 sums per wave, in k-packs of Count elements, Size bytes.
template <class WaveProduct, int Depth, int Size, int Count, int Rate, int Ahead = 1>
struct Wave {
  using Product = WaveProduct;
  static constexpr DeviceTile shape{.m = 128, .n = 128, .k = Depth, .warp_m = 64, .warp_n = 64, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 64, .engine = matrix, .async = false,
                                     .min_blocks = 1, .k_pack_bytes = Size, .k_pack = Count, .ahead = Ahead,
                                     .rate = Rate};
};
template <class WaveProduct, int Depth, int Size, int Count, int Rate, int MinBlocks = 2>
struct SmallWave {
  using Product = WaveProduct;
  static constexpr DeviceTile shape{.m = 64, .n = 64, .k = Depth, .warp_m = 32, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 64, .engine = matrix, .async = false,
                                     .min_blocks = MinBlocks, .k_pack_bytes = Size, .k_pack = Count,
                                     .rate = Rate * 3 / 4};
};
/// Few rows, or few columns, of floats. With smaller elements SmallWave keeps up with memory, and with doubles, one
/// per clock, too.
template <class WaveProduct, int Size, int Rate>
struct FlatWave {
  using Product = WaveProduct;
  static constexpr DeviceTile shape{.m = 32, .n = 128, .k = 16, .warp_m = 32, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 64, .engine = matrix, .async = false,
                                     .min_blocks = 2, .k_pack_bytes = Size, .rate = Rate};
};
template <class WaveProduct, int Size, int Rate>
struct TallWave {
  using Product = WaveProduct;
  static constexpr DeviceTile shape{.m = 128, .n = 32, .k = 16, .warp_m = 32, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 64, .engine = matrix, .async = false,
                                     .min_blocks = 2, .k_pack_bytes = Size, .rate = Rate};
};
template <class Product, int Depth, int Size, int Count, int Rate>
using WaveTiles = DeviceTiles<Wave<Product, Depth, Size, Count, Rate>, SmallWave<Product, Depth, Size, Count, Rate>>;

/// Tiles for sums in Compute without matrix instructions.
template <class Compute>
using PlainTiles =
    DeviceTilesOf<Compute, DeviceTiles<Floats, Small<4>, FlatFloats, TallFloats>,
                  std::conditional_t<is_complex_v<Compute>, DeviceTiles<Complex, FlatPairs<14>, TallPairs<14>>,
                                     DeviceTiles<Small<8>, FlatPairs<25>, TallPairs<25>>>,
                  DeviceTiles<DoubleComplex>>;

/// Tiles for products of TA and TB summed in Compute, floats in full precision.
template <class TA, class TB, class Compute>
consteval auto matrix_tiles() {
  constexpr bool same = std::is_same_v<TA, TB>;
  if constexpr (same && (is_half<TA> || is_brain<TA>) && std::is_same_v<Compute, float>) {
    return WaveTiles<HalfProduct<TA>, 32, 8, 4, 500>{};
  } else if constexpr (same && std::is_same_v<TA, std::int8_t> && std::is_same_v<Compute, std::uint32_t>) {
    // Threads that take registers of four bytes of eight neighbours along k each need twice the depth.
    return DeviceTiles<Wave<ByteProduct, 64, 8, 8, 1000>, SmallWave<ByteProduct, 128, 8, 8, 1000, 1>>{};
  } else if constexpr (std::is_same_v<Compute, float>) {
    return DeviceTiles<Wave<FloatProduct, 16, 4, 1, 100>, SmallWave<FloatProduct, 16, 4, 1, 100>,
                       FlatWave<FloatProduct, 4, 60>, TallWave<FloatProduct, 4, 60>>{};
  } else if constexpr (std::is_same_v<Compute, double>) {
    // Fragments of one step: with two of them the compiler spills.
    return DeviceTiles<Wave<DoubleProduct, 8, 8, 1, 100, 0>, SmallWave<DoubleProduct, 8, 8, 1, 100>>{};
  } else {
    return PlainTiles<Compute>{};
  }
}

// clang-format on
}  // namespace pantile::impl::arch::hip
