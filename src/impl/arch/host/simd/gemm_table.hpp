// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The functions and block sizes of one instruction set.

#include <pantile/impl/arch/host/simd/gemm.hpp>
#include <pantile/impl/arch/host/simd/gemm_thin.hpp>

namespace pantile::impl::arch {

/// Blocks in elements: a panel of B (kc by a register tile) in half of a 32 KB first-level cache, a block of A
/// (mc x kc) in half of a 512 KB second-level cache, a block of B (kc x nc) in the third level.
template <class R>
inline constexpr GemmBlocks gemm_blocks = sizeof(R) == 4 ? GemmBlocks{192, 224, 2048} : GemmBlocks{96, 224, 2048};

template <class S, class R, bool Complex>
void gemm(GemmCall<R> const& call) {
  if (call.method == GemmMethod::tiles) {
    Gemm<S, R, Complex>::run(call);
  } else {
    GemmThin<S, R, Complex>::run(call);
  }
}

template <class S, class R>
constexpr auto complex_gemm() -> void (*)(GemmCall<R> const&) {
  if constexpr (R(1) / R(2) == R(0)) {
    return nullptr;
  } else {
    return &gemm<S, R, true>;
  }
}

template <class S, class R>
inline constexpr GemmKernels<R> gemm_table{GemmTile<S, R>::rows, GemmTile<S, R>::cols, gemm_blocks<R>,
                                           &gemm<S, R, false>, complex_gemm<S, R>()};

/// For `host_kernels`: the table of the flags of this compilation.
template <class S, class R>
GemmKernels<R> const* native_kernels(GemmKernels<R> const*) {
  return &gemm_table<S, R>;
}

}  // namespace pantile::impl::arch
