// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of matmul with elements of low precision for the instruction set that this unit is compiled
///         for.
#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/low_precision.hpp>

namespace pantile::impl::arch {

#define PANTILE_TABLE(FORMAT)                                                            \
  template <>                                                                            \
  GemmKernels<FORMAT> const* compiled_kernels<GemmKernels<FORMAT>, Isa::PANTILE_ISA>() { \
    return &low_precision_table<NativeSimd, FORMAT>;                                     \
  }
PANTILE_TABLE(Bytes)
PANTILE_TABLE(Half16)
PANTILE_TABLE(Brain16)

}  // namespace pantile::impl::arch
