// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of matmul for the instruction set that this unit is compiled for.
#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/full_precision.hpp>

namespace pantile::impl::arch {

#define PANTILE_TABLE(FORMAT)                                                            \
  template <>                                                                            \
  GemmKernels<FORMAT> const* compiled_kernels<GemmKernels<FORMAT>, Isa::PANTILE_ISA>() { \
    return &gemm_table<NativeSimd, FORMAT>;                                              \
  }
PANTILE_TABLE(float)
PANTILE_TABLE(double)
PANTILE_TABLE(Pairs<float>)
PANTILE_TABLE(Pairs<double>)
PANTILE_TABLE(std::uint32_t)
PANTILE_TABLE(std::uint64_t)

}  // namespace pantile::impl::arch
