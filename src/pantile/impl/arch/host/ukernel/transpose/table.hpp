// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The table of transpose's micro-kernels for this process.

#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/functions.hpp>

#if defined(PANTILE_HAS_NATIVE_KERNELS)
#include <pantile/impl/arch/host/ukernel/transpose/kernel.hpp>
#endif
