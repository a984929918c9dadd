// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The matmul kernels of one instruction set: compiled once for each, with PANTILE_ISA as its name.
#include <pantile/impl/arch/host/simd/gemm_table.hpp>

#include <lib/isa/matmul.hpp>

namespace pantile::impl::arch::PANTILE_ISA {

constinit GemmKernels<float> const gemm_float = gemm_table<NativeSimd, float>;
constinit GemmKernels<double> const gemm_double = gemm_table<NativeSimd, double>;
constinit GemmKernels<std::uint32_t> const gemm_uint32 = gemm_table<NativeSimd, std::uint32_t>;
constinit GemmKernels<std::uint64_t> const gemm_uint64 = gemm_table<NativeSimd, std::uint64_t>;

}  // namespace pantile::impl::arch::PANTILE_ISA
