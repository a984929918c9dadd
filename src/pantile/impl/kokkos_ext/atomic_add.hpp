// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Atomic addition that is one instruction wherever the machine has it.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::impl::kokkos_ext {

/// \brief  target += value, atomically and relaxed, without the old value. A 64-bit type that a machine's own addition
///         does not take would fall into a loop of compare and swap: HIP's takes unsigned long long (Kokkos before 4.6,
///         kokkos PR 7816), desul's for CUDA unsigned long.
template <class T>
KOKKOS_INLINE_FUNCTION void atomic_add(T* target, T value) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    asm volatile("red.add.u64 [%0], %1;" ::"l"(target), "l"(value) : "memory");
    return;
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    Kokkos::atomic_add(reinterpret_cast<unsigned long long*>(target), static_cast<unsigned long long>(value));
    return;
  }
#endif
  Kokkos::atomic_add(target, value);
}

/// \brief  Atomically *target += value, in a device's global memory. Of 64 bits Kokkos' own is twice as long on CUDA:
///         it names no memory, and team scratch has no such addition, so that code for both is there.
template <class T>
KOKKOS_INLINE_FUNCTION void global_add(T* target, T value) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(target)), "l"(value) : "memory");
    return;
  }
#endif
  atomic_add(target, value);
}

/// \brief  ++*counter for the threads of a team, in team scratch of level 0; nothing is returned. Kokkos' own atomics
///         name no memory: they were ATOM in sm_90's code, through generic addresses, where this is ATOMS, and
///         flat_atomic in gfx942's, where this is ds_add.
KOKKOS_INLINE_FUNCTION void scratch_increment(std::uint32_t* counter) {
#if defined(__CUDA_ARCH__)
  asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(counter)))
               : "memory");
#elif defined(__HIP_DEVICE_COMPILE__)
  auto* const local = (__attribute__((address_space(3))) std::uint32_t*)counter;
  __hip_atomic_fetch_add(local, 1U, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
#else
  Kokkos::atomic_add(counter, std::uint32_t{1});
#endif
}

}  // namespace pantile::impl::kokkos_ext
