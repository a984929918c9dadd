// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  On which instance a call of the C face runs: on hosts one of blas/instance_pool.hpp, on devices the caller's.

#include <c/status.hpp>

#include <blas/instance_pool.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::c {

using Device = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
inline constexpr bool has_devices = !std::is_same_v<Device, Host>;
template <class Exec>
inline constexpr bool is_device = has_devices && std::is_same_v<Exec, Device>;

/// Initialises Kokkos if need be; throws PANTILE_UNAVAILABLE where it is not to be had.
void require_kokkos();

/// Does the caller's instance, or the default one for a null pointer, belong to a device?
bool on_device(pantile_exec const* exec);

/// The caller's, or the default one where it has none of a device's.
Device device_instance(pantile_exec const* exec);

/// Throws where the host does not reach the address; null is reached by all.
void require_accessible(char const* name, void const* address);
/// Throws where the instance's device does not, such as memory of another one.
void require_accessible(char const* name, void const* address, Device const& device);

/// \brief  Is the address in memory that only the instance's device reaches?
/// \throws Refusal  where only another device does
bool lies_on_device(char const* name, void const* address, Device const& device);

/// Calls f(instance); on hosts the work is done when this returns. Throws what f throws.
template <class F>
void on_instance(pantile_exec const* exec, F const& f) {
  require_kokkos();
  if constexpr (has_devices) {
    if (on_device(exec)) return f(device_instance(exec));
  }
  if (!blas::lend_instance(blas::Lending::any, f)) {
    throw Refusal(PANTILE_UNAVAILABLE, "calls from OpenMP regions within OpenMP regions find no instance");
  }
}

}  // namespace pantile::c
