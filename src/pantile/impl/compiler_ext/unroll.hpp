// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  PANTILE_UNROLL: the loop that follows has a constant length, and arrays indexed by it belong in registers.

#include <Kokkos_Core.hpp>

#if defined(__CUDA_ARCH__) || defined(__HIPCC__) || defined(__clang__)
#define PANTILE_UNROLL _Pragma("unroll")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define PANTILE_UNROLL _Pragma("GCC unroll 8")
#else
#define PANTILE_UNROLL
#endif

namespace pantile::impl::compiler_ext {

/// The same number, of which the compiler does not know it: what rare code computes from it is not computed before the
/// loop around and kept in registers that the loop is short of.
KOKKOS_INLINE_FUNCTION int recomputed(int number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

/// Between the steps of an unrolled loop: where a compiler would collect the reads of all steps before the first and
/// run out of registers, it does not move them past this place. NVIDIA's assembler heeds nothing less than a barrier of
/// the warp, so that it is told only where Asked, and not for sm_90, of which it keeps the registers better untold.
template <bool Asked>
KOKKOS_INLINE_FUNCTION void end_of_step() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_sched_barrier(0);
#elif defined(__CUDA_ARCH__)
  if constexpr (Asked && __CUDA_ARCH__ < 900) __syncwarp();
#endif
}

}  // namespace pantile::impl::compiler_ext
