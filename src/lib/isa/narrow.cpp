// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of matmul with narrow elements for the instruction set that this unit is compiled for.
#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/simd/narrow.hpp>

namespace pantile::impl::arch {

template <class Kernels, Isa I>
Kernels const* compiled_kernels();

template <>
NarrowKernels<Bytes> const* compiled_kernels<NarrowKernels<Bytes>, Isa::PANTILE_ISA>() {
  return &narrow_table<NativeSimd, Bytes>;
}
template <>
NarrowKernels<Half16> const* compiled_kernels<NarrowKernels<Half16>, Isa::PANTILE_ISA>() {
  return &narrow_table<NativeSimd, Half16>;
}
template <>
NarrowKernels<Brain16> const* compiled_kernels<NarrowKernels<Brain16>, Isa::PANTILE_ISA>() {
  return &narrow_table<NativeSimd, Brain16>;
}

}  // namespace pantile::impl::arch
