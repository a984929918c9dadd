// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host kernels of add for the instruction set that this unit is compiled for.
#include <pantile/impl/arch/host/ukernel/add/kernel.hpp>

#include <lib/isa/unit.hpp>

PANTILE_ISA_TABLE(AddKernels)
