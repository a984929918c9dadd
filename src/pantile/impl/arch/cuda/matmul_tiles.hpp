// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Tiles of the blocked matmul on NVIDIA GPUs. Those without `Deep` or `Wide` in their name fit the 40 KB of
///         team scratch that Kokkos gives before 5.2. Shapes, groups and rates are measured on an H100
///         (perf_tests/notes/tuning.md).

#include <pantile/element.hpp>
#include <pantile/impl/arch/cuda/matrix_products.hpp>
#include <pantile/impl/arch/device_tile.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::impl::arch::cuda {
// Numbers of a tile stand beside each other.
// clang-format off

using enum ProductEngine;

/// 4 bytes, floats or integers: 64 sums per thread, four 16-byte reads of scratch per 64 multiply-adds.
struct Floats {
  static constexpr DeviceTile shape{.m = 128, .n = 128, .k = 8, .warp_m = 32, .warp_n = 64, .thread_m = 8,
                                     .thread_n = 8, .stages = 3, .warp = 32, .engine = multiply_add, .async = true,
                                     .min_blocks = 2, .k_pack_bytes = 4, .rate = 77};
};
/// 128 sums per thread: six reads per 128 multiply-adds.
struct WideFloats {
  static constexpr DeviceTile shape{.m = 256, .n = 128, .k = 32, .warp_m = 64, .warp_n = 64, .thread_m = 16,
                                     .thread_n = 8, .stages = 3, .warp = 32, .engine = multiply_add, .async = true,
                                     .min_blocks = 1, .k_pack_bytes = 4, .across = true, .fetch_groups = 2, .rate = 84};
};
/// For matrices that give too few large tiles.
struct SmallFloats {
  static constexpr DeviceTile shape{.m = 64, .n = 64, .k = 16, .warp_m = 32, .warp_n = 32, .thread_m = 8,
                                     .thread_n = 4, .stages = 3, .warp = 32, .engine = multiply_add, .async = true,
                                     .min_blocks = 3, .k_pack_bytes = 4, .rate = 73};
};
/// Few rows, or few columns: long panels of the other operand. 4 or 8 bytes.
template <int Size, int Rate>
struct Flat {
  static constexpr DeviceTile shape{.m = 16, .n = 128, .k = 128 / Size, .warp_m = 16, .warp_n = 32, .thread_m = 4,
                                     .thread_n = 4, .stages = 2, .warp = 32, .engine = multiply_add, .async = true,
                                     .min_blocks = 4, .k_pack_bytes = Size, .rate = Rate};
};
template <int Size, int Rate>
struct Tall {
  static constexpr DeviceTile shape{.m = 128, .n = 16, .k = 128 / Size, .warp_m = 32, .warp_n = 16, .thread_m = 4,
                                     .thread_n = 4, .stages = 2, .warp = 32, .engine = multiply_add, .async = true,
                                     .min_blocks = 4, .k_pack_bytes = Size, .rate = Rate};
};
using FlatFloats = Flat<4, 56>;
using TallFloats = Tall<4, 56>;

/// floats rounded to tf32.
struct Tf32Floats {
  using Product = Tf32Product;
  static constexpr DeviceTile shape{.m = 128, .n = 128, .k = 16, .warp_m = 64, .warp_n = 64, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 32, .engine = tf32, .async = true,
                                     .min_blocks = 2, .k_pack_bytes = 4, .rate = 190};
};
/// floats as pairs of tf32; fewer sums per thread, since the pairs take twice the registers.
struct ThreeTf32Floats {
  using Product = ThreeTf32Product;
  static constexpr DeviceTile shape{.m = 128, .n = 128, .k = 16, .warp_m = 64, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 32, .engine = three_tf32, .async = true,
                                     .min_blocks = 1, .k_pack_bytes = 4, .rate = 95};
};

/// double: matrix instructions; two teams of four warps per multiprocessor.
struct Doubles {
  using Product = DoubleProduct;
  static constexpr DeviceTile shape{.m = 128, .n = 64, .k = 8, .warp_m = 64, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 3, .warp = 32, .engine = matrix, .async = true,
                                     .min_blocks = 2, .k_pack_bytes = 8, .across = true, .rate = 91};
};
/// Source of the tile: NVIDIA, CUTLASS, its sm90 tiles for double.
struct DeepDoubles {
  using Product = DoubleProduct;
  static constexpr DeviceTile shape{.m = 128, .n = 128, .k = 16, .warp_m = 64, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 3, .warp = 32, .engine = matrix, .async = true,
                                     .min_blocks = 1, .k_pack_bytes = 8, .across = true, .fetch_groups = 2,
                                     .rate = 102};
};
struct SmallDoubles {
  using Product = DoubleProduct;
  static constexpr DeviceTile shape{.m = 64, .n = 64, .k = 8, .warp_m = 32, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 4, .warp = 32, .engine = matrix, .async = true,
                                     .min_blocks = 3, .k_pack_bytes = 8, .rate = 86};
};
struct FlatDoubles {
  using Product = DoubleProduct;
  static constexpr DeviceTile shape{.m = 16, .n = 128, .k = 16, .warp_m = 16, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 32, .engine = matrix, .async = true,
                                     .min_blocks = 4, .k_pack_bytes = 8, .rate = 62};
};
/// Four teams leave too few registers.
struct TallDoubles {
  using Product = DoubleProduct;
  static constexpr DeviceTile shape{.m = 128, .n = 16, .k = 16, .warp_m = 32, .warp_n = 16, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 32, .engine = matrix, .async = true,
                                     .min_blocks = 3, .k_pack_bytes = 8, .rate = 62};
};

/// 8 bytes without a matrix instruction: complex<float>, 64-bit integers.
struct Pairs {
  static constexpr DeviceTile shape{.m = 64, .n = 64, .k = 8, .warp_m = 32, .warp_n = 32, .thread_m = 8,
                                     .thread_n = 4, .stages = 4, .warp = 32, .engine = multiply_add, .async = true,
                                     .min_blocks = 2, .k_pack_bytes = 8, .rate = 18};
};
using FlatPairs = Flat<8, 14>;
using TallPairs = Tall<8, 14>;
/// complex<double> by the matrix instruction of doubles, four for each product.
struct DeepComplexDoubles {
  using Product = ComplexDoubleProduct;
  static constexpr DeviceTile shape{.m = 128, .n = 64, .k = 8, .warp_m = 32, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 3, .warp = 32, .engine = matrix, .async = true,
                                     .min_blocks = 1, .k_pack_bytes = 16, .ahead = 0, .fetch_groups = 2, .rate = 20};
};
struct ComplexDoubles {
  using Product = ComplexDoubleProduct;
  static constexpr DeviceTile shape{.m = 64, .n = 64, .k = 8, .warp_m = 32, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 32, .engine = matrix, .async = true,
                                     .min_blocks = 2, .k_pack_bytes = 16, .ahead = 0, .rate = 18};
};
/// 16 bytes by multiply-adds: complex<double> where an operand is real, or there is no instruction for doubles.
struct Quads {
  static constexpr DeviceTile shape{.m = 64, .n = 32, .k = 8, .warp_m = 32, .warp_n = 16, .thread_m = 4,
                                     .thread_n = 4, .stages = 3, .warp = 32, .engine = multiply_add, .async = true,
                                     .min_blocks = 2, .k_pack_bytes = 16, .rate = 9};
};
struct FlatQuads {
  static constexpr DeviceTile shape{.m = 16, .n = 64, .k = 8, .warp_m = 16, .warp_n = 16, .thread_m = 4,
                                     .thread_n = 2, .stages = 2, .warp = 32, .engine = multiply_add, .async = true,
                                     .min_blocks = 4, .k_pack_bytes = 16, .rate = 7};
};
struct TallQuads {
  static constexpr DeviceTile shape{.m = 64, .n = 16, .k = 8, .warp_m = 16, .warp_n = 16, .thread_m = 4,
                                     .thread_n = 2, .stages = 2, .warp = 32, .engine = multiply_add, .async = true,
                                     .min_blocks = 4, .k_pack_bytes = 16, .rate = 7};
};

/// Elements of low precision: 64 x 64 sums per warp, so that scratch keeps up with the instruction. Two steps of bytes
/// spill on sm_80. The instructions of a group of warps, wgmma, are in sm_90a only (NVIDIA, "PTX ISA"); Kokkos compiles
/// for sm_90.
template <class LowPrecisionProduct, int Count, int Rate>
struct LowPrecision {
  using Product = LowPrecisionProduct;
  static constexpr DeviceTile shape{.m = 128, .n = 128, .k = 16 * Count, .warp_m = 64, .warp_n = 64, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 32, .engine = matrix, .async = false,
                                     .min_blocks = 2, .k_pack_bytes = 4, .k_pack = Count, .ahead = 0,
                                     .in_order = Count == 4, .rate = Rate};
};
template <class LowPrecisionProduct, int Count, int Rate>
struct SmallLowPrecision {
  using Product = LowPrecisionProduct;
  static constexpr DeviceTile shape{.m = 64, .n = 64, .k = 16 * Count, .warp_m = 32, .warp_n = 32, .thread_m = 0,
                                     .thread_n = 0, .stages = 2, .warp = 32, .engine = matrix, .async = false,
                                     .min_blocks = 3, .k_pack_bytes = 4, .k_pack = Count, .rate = Rate};
};
template <class LowPrecisionProduct, int Count, int Rate, int SmallRate>
using LowPrecisionTiles = DeviceTiles<LowPrecision<LowPrecisionProduct, Count, Rate>,
                                      SmallLowPrecision<LowPrecisionProduct, Count, SmallRate>>;

template <class T>
inline constexpr bool is_byte = std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>;

/// Tiles for sums in Compute without matrix instructions: all that GPUs before sm_80 have.
template <class Compute>
using PlainTiles = DeviceTilesOf<Compute, DeviceTiles<Floats, SmallFloats, FlatFloats, TallFloats>,
                                 DeviceTiles<Pairs, FlatPairs, TallPairs>, DeviceTiles<Quads, FlatQuads, TallQuads>>;

/// Tiles for products of TA and TB summed in Compute.
template <class TA, class TB, class Compute>
consteval auto matrix_tiles() {
  constexpr bool same = std::is_same_v<TA, TB>;
  if constexpr (same && (is_half<TA> || is_brain<TA>) && std::is_same_v<Compute, float>) {
    return LowPrecisionTiles<HalfProduct<TA>, 2, 308, 216>{};
  } else if constexpr (is_byte<TA> && is_byte<TB> && std::is_same_v<Compute, std::uint32_t>) {
    return LowPrecisionTiles<ByteProduct<TA, TB>, 4, 470, 400>{};
  } else if constexpr (same && std::is_same_v<TA, float> && std::is_same_v<Compute, float>) {
    return DeviceTiles<WideFloats, Floats, SmallFloats, FlatFloats, TallFloats, Tf32Floats, ThreeTf32Floats>{};
  } else if constexpr (std::is_same_v<Compute, double>) {
    return DeviceTiles<DeepDoubles, Doubles, SmallDoubles, FlatDoubles, TallDoubles>{};
  } else if constexpr (same && std::is_same_v<TA, Compute> && std::is_same_v<Compute, Kokkos::complex<double>>) {
    return DeviceTiles<DeepComplexDoubles, ComplexDoubles, FlatQuads, TallQuads>{};
  } else {
    return PlainTiles<Compute>{};
  }
}

// clang-format on
}  // namespace pantile::impl::arch::cuda
