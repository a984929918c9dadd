// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The functions and block sizes of one instruction set, for real and complex numbers.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/block.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/rank_k.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/skinny.hpp>

#include <type_traits>

namespace pantile::impl::arch {

template <class S, class R>
constexpr GemmBlocks gemm_blocks() {
  if (S::registers >= 32) return sizeof(R) == 4 ? host::blocks_4_of_32_registers : host::blocks_8_of_32_registers;
  return sizeof(R) == 4 ? host::blocks_4_of_16_registers : host::blocks_8_of_16_registers;
}

template <class S, class R, bool Complex>
constexpr auto make_gemm_table() {
  using Tile = GemmTile<S, R>;
  using Blocks = Gemm<S, R, Complex>;
  using Skinny = GemmSkinny<S, R, Complex>;
  constexpr int parts = Complex ? 2 : 1;
  constexpr GemmBlocks blocks = gemm_blocks<S, R>();
  return GemmKernels<std::conditional_t<Complex, Pairs<R>, R>>{
      .shape = {{.panel_rows = Tile::rows / parts,
                 .panel_cols = Tile::cols / parts,
                 .position_bytes = Blocks::element_bytes},
                lanes<S, R> / parts,
                {blocks.mc / parts, blocks.kc, blocks.nc / parts},
                S::bytes >= 64 ? host::in_place_512_bits : host::in_place_256_bits,
                !Complex && Tile::has_broad ? Tile::broad_vecs * lanes<S, R> : Tile::cols / parts},
      .must_pack = false,
      .pack_a = &Blocks::pack_a,
      .pack_b = &Blocks::pack_b,
      .block = &Blocks::block,
      .skinny_rows = &Skinny::by_rows,
      .skinny_dots = &Skinny::by_dots,
      .column_rows = &Skinny::by_rows_of_transpose,
      .column_dots = &Skinny::by_dots_of_transpose,
      .tiny = &Blocks::tiny,
      .tiny_transposed = Complex ? nullptr : &Blocks::tiny_transposed,
      .tiny_batch = &Blocks::tiny_batch,
      .interleaved = Complex ? nullptr : &GemmInterleaved<S, R>::run,
      .rank_k = Complex ? nullptr : &GemmRankK<S, R>::run,
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
