// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of matmul for the instruction set that this unit is compiled for.
#include <pantile/impl/arch/host/ukernel/gemm/full_precision.hpp>

#include <lib/isa/unit.hpp>

PANTILE_ISA_TABLE(GemmKernels<float>)
PANTILE_ISA_TABLE(GemmKernels<double>)
PANTILE_ISA_TABLE(GemmKernels<Pairs<float>>)
PANTILE_ISA_TABLE(GemmKernels<Pairs<double>>)
PANTILE_ISA_TABLE(GemmKernels<std::uint32_t>)
PANTILE_ISA_TABLE(GemmKernels<std::uint64_t>)
