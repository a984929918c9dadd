// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The functions and block sizes of one instruction set, for numbers and pairs of them.

#include <pantile/impl/arch/host/ukernel/gemm/block.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/skinny.hpp>

#include <type_traits>

namespace pantile::impl::arch {

/// \brief  Blocks in elements: a panel of B (kc by a register tile) in two thirds of a 32 KB first-level cache, a block
///         of A (mc x kc) in half of a 512 KB second-level cache, a block of B (kc x nc) in the third level.
///
/// Measured on an AMD EPYC Zen 3 (one thread, a share of the best of OpenBLAS and BLIS in one run, n = 240, 257, 511,
/// 512, 768, 1021, 1024, 1536, 2048). Float: (192, 224) 0.89 0.97 1.04 1.00 1.00 0.94 0.97 0.95 0.94; (128, 320) 0.92
/// 1.06 1.03 1.00 1.00 0.97 0.99 0.94 0.95; (96, 448) 0.94 1.05 1.02 1.00 1.00 0.98 0.93 0.98 0.92; (192, 448) 0.95
/// 1.06 1.02 0.99 0.99 0.96 1.00 0.95 0.96. Double: (96, 224) 1.08 1.10 1.02 1.06 1.03 0.96 0.97 0.88 0.94; (96, 256)
/// 1.08 1.12 1.03 1.07 0.99 1.00 0.93 0.93 0.96; (72, 320) 1.09 1.14 1.05 1.07 1.02 1.01 0.93 0.98 0.91; (48, 448) 1.08
/// 1.12 1.05 1.07 1.04 0.92 0.97 0.91 0.91.
///
/// AVX-512 on an AMD EPYC Zen 5 (one thread, over OpenBLAS, n = 512, 768, 1024, 1536, 2048, before the next panel of B
/// was prefetched). Double: (96, 224) 1.21 1.10 1.08 1.03 0.98; (96, 320) 1.29 1.16 1.14 1.10 1.04; (96, 448) 1.34 1.21
/// 1.18 1.13 1.07; (96, 512) 1.34 1.22 1.23 1.15 1.09; (96, 640) 1.32 1.21 1.22 1.15 1.06. Float: (96, 224) 0.96 0.95
/// 0.97 0.81 0.87; (96, 512) 1.03 1.01 1.01 0.97 0.96; (192, 448) 1.01 1.02 0.98 0.93 0.93. NEON was not measured.
template <class S, class R>
inline constexpr GemmBlocks gemm_blocks = S::registers >= 32 ? GemmBlocks{sizeof(R) == 4 ? 192 : 96, 512, 2048}
                                                             : GemmBlocks{sizeof(R) == 4 ? 126 : 72, 320, 2048};

/// \brief  Cores with AVX-512 have a second-level cache of 1 MB or more, and read a third-level one fast enough.
///
/// Measured on an AMD EPYC Zen 5 (one thread, GFLOP/s of double; neither, B, both packed): n = 96: 112, 105, 98; 192:
/// 110, 107, 104; 320: 109, 108, 105; 448: 107, 105, 104; 512: 99, 104, 103; 640: 95, 95, 96; 1000: 89, 98, 100. Float:
/// 100: 195, 179, 165; 512: 220, 221, 216; 640: 216, 211, 213; 768: 213, 209, 205; 1000: 195, 200, 204.
template <class S>
inline constexpr InPlaceLimits in_place_limits =
    S::bytes >= 64 ? InPlaceLimits{1536 * 1024, 1536 * 1024, 4096, 1'000'000}
                   : InPlaceLimits{320 * 1024, 32 * 1024, 1 << 30, 10'000'000};

template <class S, class R, bool Complex>
constexpr auto make_gemm_table() {
  using Tile = GemmTile<S, R>;
  using Blocks = Gemm<S, R, Complex>;
  using Skinny = GemmSkinny<S, R, Complex>;
  constexpr int parts = Complex ? 2 : 1;
  constexpr GemmBlocks blocks = gemm_blocks<S, R>;
  return GemmKernels<std::conditional_t<Complex, Pairs<R>, R>>{
      .rows = Tile::rows / parts,
      .cols = Tile::cols / parts,
      .lanes = lanes<S, R> / parts,
      .k_pack = 1,
      .behind = 0,
      .position_bytes = Blocks::element_bytes,
      .must_pack = false,
      .blocks = {blocks.mc / parts, blocks.kc, blocks.nc / parts},
      .in_place = in_place_limits<S>,
      .pack_a = &Blocks::pack_a,
      .pack_b = &Blocks::pack_b,
      .block = &Blocks::block,
      .skinny_rows = &Skinny::by_rows,
      .skinny_dots = &Skinny::by_dots,
  };
}

template <class S, class R>
inline constexpr GemmKernels<R> gemm_table = make_gemm_table<S, R, false>();
template <class S, class R>
inline constexpr GemmKernels<Pairs<R>> gemm_table<S, Pairs<R>> = make_gemm_table<S, R, true>();

/// For `host_kernels`: the table of the flags of this compilation.
template <class S, class Format>
GemmKernels<Format> const* native_kernels(GemmKernels<Format> const*) {
  return &gemm_table<S, Format>;
}

}  // namespace pantile::impl::arch
