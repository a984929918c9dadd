// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The tables that matmul.cpp defines for each instruction set that the library is built with.

#include <pantile/impl/arch/gemm_kernels.hpp>

#define PANTILE_DECLARE_GEMM(ISA)                         \
  namespace pantile::impl::arch::ISA {                    \
  extern GemmKernels<float> const gemm_float;             \
  extern GemmKernels<double> const gemm_double;           \
  extern GemmKernels<std::uint32_t> const gemm_uint32;    \
  extern GemmKernels<std::uint64_t> const gemm_uint64;    \
  }

PANTILE_DECLARE_GEMM(generic)
PANTILE_DECLARE_GEMM(neon)
PANTILE_DECLARE_GEMM(avx2)
PANTILE_DECLARE_GEMM(avx512)
