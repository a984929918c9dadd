// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A store of 16 bytes by one instruction.

#include <Kokkos_Core.hpp>

namespace pantile::impl::compiler_ext {

/// *to = value, an object of 16 bytes that is aligned to them, on devices in a team's scratch or in global memory; `to`
/// may point to its first element. nvcc 12.4 makes two to four stores of the assignment of an object that was computed
/// element by element: tried as it is, by way of 64-bit words, with an assumed alignment, and by way of uint4.
template <bool InScratch, class Object, class T>
KOKKOS_INLINE_FUNCTION void store_16_bytes(T* to, Object const& value) {
  static_assert(sizeof(Object) == 16 && alignof(Object) == 16);
#if defined(__CUDA_ARCH__)
  uint4 words;
  __builtin_memcpy(&words, &value, 16);
  if constexpr (InScratch) {
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "r"(words.x), "r"(words.y), "r"(words.z), "r"(words.w)
                 : "memory");
  } else {
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(words.x),
                 "r"(words.y), "r"(words.z), "r"(words.w)
                 : "memory");
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  // Of half types the assignment becomes stores of 12 and of 2 bytes where a branch beside it stores single elements.
  using Words = unsigned __attribute__((ext_vector_type(4)));
  Words words;
  __builtin_memcpy(&words, &value, 16);
  *reinterpret_cast<Words*>(to) = words;
#else
  *reinterpret_cast<Object*>(to) = value;
#endif
}

}  // namespace pantile::impl::compiler_ext
