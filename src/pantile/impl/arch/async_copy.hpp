// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Asynchronous copies from global memory to team scratch. Source: NVIDIA, PTX ISA, "cp.async". Where a machine
///        has none, the copy is synchronous.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::impl::arch {

/// \brief  Copy `valid` bytes, a multiple of four, and set the rest of Bytes to zero. Both addresses are multiples of
///         Bytes (4, 8 or 16).
template <int Bytes>
KOKKOS_INLINE_FUNCTION void copy_async(void* scratch, void const* global, int valid) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto const to = static_cast<std::uint32_t>(__cvta_generic_to_shared(scratch));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(valid) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global), "n"(Bytes), "r"(valid)
                 : "memory");
  }
#elif defined(__CUDA_ARCH__)
  struct alignas(Bytes) Words {
    std::uint32_t value[Bytes / 4];
  } words{};
  if (valid == Bytes) {
    words = *static_cast<Words const*>(global);
  } else {
    for (int i = 0; i < Bytes / 4; ++i) {
      if (4 * i < valid) words.value[i] = static_cast<std::uint32_t const*>(global)[i];
    }
  }
  *static_cast<Words*>(scratch) = words;
#else
  if ((reinterpret_cast<std::uintptr_t>(scratch) | reinterpret_cast<std::uintptr_t>(global)) % Bytes != 0) {
    Kokkos::abort("pantile: a copy to scratch from or to an address that devices do not take");
  }
  auto* const to = static_cast<unsigned char*>(scratch);
  auto const* const from = static_cast<unsigned char const*>(global);
  for (int i = 0; i < Bytes; ++i) to[i] = i < valid ? from[i] : 0;
#endif
}

/// The copies since the last call are a group.
KOKKOS_INLINE_FUNCTION void close_copy_group() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// All of this thread's groups but the Newest have arrived. Other threads see them after a barrier.
template <int Newest>
KOKKOS_INLINE_FUNCTION void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Newest) : "memory");
#endif
}

}  // namespace pantile::impl::arch
