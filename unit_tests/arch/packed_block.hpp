// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A block by the host kernels alone, with operands packed in memory that has no byte more than they need.

#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace pantile::testing {

/// \brief  f.operator()<S>() for the registers of other machines: 32 of 64 bytes (AVX-512), of 16 (NEON).
///
/// Types of their own: of one name with the library's, the linker would take these kernels in their place. A set that
/// this compilation is for is tested by the library's.
template <class F>
void for_simd_elsewhere(F const& f) {
  using impl::arch::NativeSimd, impl::arch::Simd;
  f.template operator()<Simd<64, 32, -1>>();
  if constexpr (!(NativeSimd::bytes == 16 && NativeSimd::registers == 32)) f.template operator()<Simd<16, 32, -1>>();
}

using Memory = std::unique_ptr<void, void (*)(void*)>;
inline Memory aligned_memory(std::int64_t bytes) {
  return {std::aligned_alloc(64, static_cast<std::size_t>((bytes + 63) / 64 * 64)), std::free};
}

/// Bytes of a packed operand, whose panels are `width` lines wide.
template <class Format>
std::int64_t packed_bytes_of(impl::arch::GemmKernels<Format> const& kernels, std::int64_t lines, std::int64_t depth,
                             int width) {
  return impl::arch::packed_bytes(lines, depth, width, kernels.shape.k_pack, kernels.shape.behind,
                                  kernels.shape.position_bytes);
}

/// \brief  Runs the block; which operands are packed for it the call says.
/// \param  a, b  the operands, whose strides are the call's
template <class Format>
void run_block(impl::arch::GemmKernels<Format> const& kernels, impl::arch::GemmCall<impl::arch::sum_t<Format>> call,
               void const* a, void const* b, bool a_signed = false, bool b_signed = false) {
  using R = impl::arch::sum_t<Format>;
  Memory const packed_a = aligned_memory(packed_bytes_of(kernels, call.m, call.k, kernels.shape.panel_rows));
  Memory const packed_b = aligned_memory(packed_bytes_of(kernels, call.n, call.k, kernels.shape.panel_cols));
  if (call.packed_a) {
    kernels.pack_a(
        {a, call.a_rs, call.a_cs, call.m, call.k, packed_a.get(), kernels.shape.panel_rows, a_signed, b_signed, false});
  }
  if (call.packed_b) {
    kernels.pack_b(
        {b, call.b_cs, call.b_rs, call.n, call.k, packed_b.get(), kernels.shape.panel_cols, b_signed, a_signed, false});
  }
  call.a = static_cast<R const*>(call.packed_a ? packed_a.get() : a);
  call.b = static_cast<R const*>(call.packed_b ? packed_b.get() : b);
  kernels.block(call);
}

}  // namespace pantile::testing
