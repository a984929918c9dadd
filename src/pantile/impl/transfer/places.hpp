// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Memory spaces and what can access them, at compile time.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/kokkos_ext/memory.hpp>
#include <pantile/impl/transfer/policy.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::transfer {

using Host = Kokkos::DefaultHostExecutionSpace;

/// Kernels on Exec reach the memory space.
template <class Exec, class Space>
inline constexpr bool reaches = bool(Kokkos::SpaceAccessibility<Exec, Space>::accessible);

template <class Space>
constexpr Memory memory_kind() {
  if constexpr (!reaches<Host, Space>) {
    return Memory::device;
  } else if constexpr (std::is_same_v<Space, kokkos_ext::PinnedSpace> && !std::is_same_v<Space, Kokkos::HostSpace>) {
    return Memory::pinned;
  } else {
    // Memory that both reach belongs to a device's execution space where it is managed, and to a host's otherwise.
    return reaches<Host, typename Space::execution_space::memory_space> ? Memory::host : Memory::shared;
  }
}

/// \brief  The memory is where kernels on Exec want it: a device reaches pinned host memory too, but over the bus, and
///         who asks for it on the device means the device.
template <class Exec, class Space>
inline constexpr bool at_home =
    reaches<Exec, Space> && !(arch::Current<Exec>::device && memory_kind<Space>() == Memory::pinned);

/// Copies driven by Exec may go through pinned chunks: only where there is pinned memory that is not simply the host's.
template <class Exec>
inline constexpr bool has_chunks = arch::Current<Exec>::device && std::is_same_v<Exec, Kokkos::DefaultExecutionSpace> &&
                                   !std::is_same_v<kokkos_ext::PinnedSpace, Kokkos::HostSpace>;

/// \brief  The execution space whose instance drives a transfer: Exec where it reaches both sides or is a device's;
///         otherwise that of the side which lies on a device; otherwise the host's.
template <class Exec, class To, class From>
constexpr auto choose_driver() {
  constexpr bool to = reaches<Exec, To>, from = reaches<Exec, From>;
  if constexpr ((to && from) || ((to || from) && arch::Current<Exec>::device)) {
    return std::type_identity<Exec>{};
  } else if constexpr (!reaches<Host, To>) {
    return std::type_identity<typename To::execution_space>{};
  } else if constexpr (!reaches<Host, From>) {
    return std::type_identity<typename From::execution_space>{};
  } else {
    return std::type_identity<Host>{};
  }
}
template <class Exec, class To, class From>
using Driver = typename decltype(choose_driver<Exec, To, From>())::type;

/// Space of the instance that a call without one uses: the device's if one side lies there, else the destination's.
template <class To, class From>
using DefaultExec = std::conditional_t<!reaches<Host, typename From::memory_space>, typename From::execution_space,
                                       typename To::execution_space>;

/// Whose kernels pack or unpack the side: the driver's, or the host's where the driver does not reach it.
template <class DriverExec, class Space>
using Worker = std::conditional_t<reaches<DriverExec, Space>, DriverExec, Host>;

}  // namespace pantile::impl::transfer
