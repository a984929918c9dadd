// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How much memory a device has left, which Kokkos does not tell of every one.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace pantile::impl::kokkos_ext {

/// \brief  Free bytes of the device of Exec's default instance; nothing for hosts, and where the driver does not say.
template <class Exec>
std::optional<std::uint64_t> free_device_memory() {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    std::size_t free = 0, all = 0;
    if (cudaMemGetInfo(&free, &all) == cudaSuccess) return free;
    static_cast<void>(cudaGetLastError());  // or the next call would report it
  }
#endif
#if defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) {
    std::size_t free = 0, all = 0;
    if (hipMemGetInfo(&free, &all) == hipSuccess) return free;
    static_cast<void>(hipGetLastError());
  }
#endif
  return std::nullopt;
}

}  // namespace pantile::impl::kokkos_ext
