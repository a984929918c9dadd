// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of matmul for the instruction set that this unit is compiled for.
#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/simd/gemm_table.hpp>

namespace pantile::impl::arch {

template <class Kernels, Isa I>
Kernels const* compiled_kernels();

template <>
GemmKernels<float> const* compiled_kernels<GemmKernels<float>, Isa::PANTILE_ISA>() {
  return &gemm_table<NativeSimd, float>;
}
template <>
GemmKernels<double> const* compiled_kernels<GemmKernels<double>, Isa::PANTILE_ISA>() {
  return &gemm_table<NativeSimd, double>;
}
template <>
GemmKernels<std::uint32_t> const* compiled_kernels<GemmKernels<std::uint32_t>, Isa::PANTILE_ISA>() {
  return &gemm_table<NativeSimd, std::uint32_t>;
}
template <>
GemmKernels<std::uint64_t> const* compiled_kernels<GemmKernels<std::uint64_t>, Isa::PANTILE_ISA>() {
  return &gemm_table<NativeSimd, std::uint64_t>;
}

}  // namespace pantile::impl::arch
