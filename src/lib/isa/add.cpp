// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of add for the instruction set that this unit is compiled for.
#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/ukernel/add/kernel.hpp>

namespace pantile::impl::arch {

template <>
AddKernels const* compiled_kernels<AddKernels, Isa::PANTILE_ISA>() {
  return &adding::kernels<NativeSimd>;
}

}  // namespace pantile::impl::arch
