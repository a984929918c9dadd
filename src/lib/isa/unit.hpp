// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the units of host kernels, compiled once per instruction set, have to say: which tables they hold.

#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

/// The tables of these functions, a type of pantile::impl::arch, for the instruction set that the unit is compiled for.
#define PANTILE_ISA_TABLE(...)                                                   \
  namespace pantile::impl::arch {                                                \
  template <>                                                                    \
  __VA_ARGS__ const* compiled_kernels<__VA_ARGS__, Isa::PANTILE_ISA>() {         \
    return native_kernels<NativeSimd>(static_cast<__VA_ARGS__ const*>(nullptr)); \
  }                                                                              \
  }
