// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Hints to compilers about loops and addresses, which they cannot deduce.

#include <Kokkos_Core.hpp>

// PANTILE_UNROLL: the loop that follows has a constant length, and arrays indexed by it belong in registers.
#if defined(__CUDA_ARCH__) || defined(__HIPCC__) || defined(__clang__)
#define PANTILE_UNROLL _Pragma("unroll")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define PANTILE_UNROLL _Pragma("GCC unroll 8")
#else
#define PANTILE_UNROLL
#endif

// Without the promise, compilers test at run time whether the arrays overlap, and an operation in place then takes the
// scalar loop. A pragma can only come from a macro or stand before the loop; nvcc's front end knows neither form.
#if defined(__clang__)
#define PANTILE_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define PANTILE_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define PANTILE_INDEPENDENT_ITERATIONS
#endif

namespace pantile::impl::compiler_ext {

/// f(0) ... f(count - 1), where no call reads what another one writes.
template <class Count, class F>
KOKKOS_INLINE_FUNCTION void independent_loop(Count count, F const& f) {
  PANTILE_INDEPENDENT_ITERATIONS
  for (Count i = 0; i < count; ++i) f(i);
}

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

/// The same address, of which the compiler then knows that it is in team scratch of level 0, and not how it was
/// computed: it reads and writes there with the instructions for scratch, and keeps the address in a register instead
/// of computing it again in a loop.
KOKKOS_INLINE_FUNCTION void* assume_shared(void* address) {
#if defined(__CUDA_ARCH__)
  auto place = static_cast<unsigned>(__cvta_generic_to_shared(address));
  asm volatile("" : "+r"(place));
  return __cvta_shared_to_generic(place);
#elif defined(__HIP_DEVICE_COMPILE__)
  return (void*)(__attribute__((address_space(3))) void*)address;
#else
  return address;
#endif
}

}  // namespace pantile::impl::compiler_ext

#undef PANTILE_INDEPENDENT_ITERATIONS
