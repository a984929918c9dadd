// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of histogram for the instruction set that this unit is compiled for.
#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/ukernel/histogram/kernel.hpp>

namespace pantile::impl::arch {

template <>
HistogramKernels const* compiled_kernels<HistogramKernels, Isa::PANTILE_ISA>() {
  return &counting::kernels<NativeSimd>;
}

}  // namespace pantile::impl::arch
