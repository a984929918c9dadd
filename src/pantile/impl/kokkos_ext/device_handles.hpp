// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the vendor's runtime tells and Kokkos does not: streams, whose an address is, how much memory is left.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace pantile::impl::kokkos_ext {

/// \brief  An instance of a device that works on the caller's stream, which must outlive it; the default one for null
///         and for spaces without streams.
template <class Exec>
Exec instance_on([[maybe_unused]] void* stream) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    if (stream != nullptr) return Exec(static_cast<cudaStream_t>(stream));
  }
#endif
#if defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) {
    if (stream != nullptr) return Exec(static_cast<hipStream_t>(stream));
  }
#endif
  return Exec();
}

/// \brief  The queue that the instance's work goes through: equal for instances whose kernels never run at the same
///         time. A new stream may reuse the handle of a destroyed one: who ends a stream waits for its work before.
template <class Exec>
void const* instance_queue([[maybe_unused]] Exec const& exec) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return exec.cuda_stream();
#endif
#if defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) return exec.hip_stream();
#endif
  return nullptr;  // of hosts, where a launch returns when its work is done
}

/// What can access an address: host and device for managed and pinned memory, one device for its own memory.
enum class Place { host, device, other_device, both };

/// Asks the driver of the instance's device; what it does not know is the host's.
template <class Exec>
Place place_of([[maybe_unused]] Exec const& exec, [[maybe_unused]] void const* address) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // or the next call would report it
      return Place::host;
    }
    if (attributes.type == cudaMemoryTypeUnregistered) return Place::host;
    if (attributes.type != cudaMemoryTypeDevice) return Place::both;
    return attributes.device == exec.cuda_device() ? Place::device : Place::other_device;
  }
#endif
#if defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) {
    hipPointerAttribute_t attributes{};
    if (hipPointerGetAttributes(&attributes, address) != hipSuccess) {
      static_cast<void>(hipGetLastError());
      return Place::host;
    }
    if (attributes.type == hipMemoryTypeUnregistered) return Place::host;
    if (attributes.type != hipMemoryTypeDevice) return Place::both;
    return attributes.device == exec.hip_device() ? Place::device : Place::other_device;
  }
#endif
  return Place::host;
}

/// \brief  False for addresses in memory that only a device can access. True without a query where there are no
///         devices, and where hosts can access all memory of a device.
inline bool host_can_access([[maybe_unused]] void const* address) {
  using Device = Kokkos::DefaultExecutionSpace;
  using Host = Kokkos::DefaultHostExecutionSpace;
  if constexpr (Kokkos::SpaceAccessibility<Host, Device::memory_space>::accessible) {
    return true;
  } else {
    Place const place = address == nullptr ? Place::both : place_of(Device(), address);
    return place == Place::both || place == Place::host;
  }
}

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
