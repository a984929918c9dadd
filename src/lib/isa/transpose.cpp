// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of transpose for the instruction set that this unit is compiled for.
#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/kernel.hpp>

namespace pantile::impl::arch {

template <>
TransposeKernels const* compiled_kernels<TransposeKernels, Isa::PANTILE_ISA>() {
  return &transposing::kernels<NativeSimd>;
}

}  // namespace pantile::impl::arch
