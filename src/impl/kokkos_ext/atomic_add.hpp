// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Atomic addition that is one instruction wherever the machine has it.

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::kokkos_ext {

/// \brief  target += value, atomically and relaxed; nothing is returned, so that devices need not wait for the old value.
///
/// CUDA's and HIP's 64-bit atomicAdd takes unsigned long long, while std::uint64_t is unsigned long on Linux: that type
/// fell into a compare-and-swap loop in Kokkos before 4.6 (kokkos PR 7816).
template <class T>
KOKKOS_INLINE_FUNCTION void atomic_add(T* target, T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == sizeof(unsigned long long)) {
    KOKKOS_IF_ON_DEVICE((Kokkos::atomic_add(reinterpret_cast<unsigned long long*>(target),
                                            static_cast<unsigned long long>(value));))
    KOKKOS_IF_ON_HOST((Kokkos::atomic_add(target, value);))
  } else {
    Kokkos::atomic_add(target, value);
  }
}

}  // namespace pantile::impl::kokkos_ext
