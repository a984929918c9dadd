// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of matmul with elements of low precision for the instruction set that this unit is compiled
///         for.
#include <pantile/impl/arch/host/ukernel/gemm/low_precision.hpp>

#include <lib/isa/unit.hpp>

PANTILE_ISA_TABLE(GemmKernels<Bytes>)
PANTILE_ISA_TABLE(GemmKernels<Half16>)
PANTILE_ISA_TABLE(GemmKernels<Brain16>)
