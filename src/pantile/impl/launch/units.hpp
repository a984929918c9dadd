// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Launches of kernels that take a unit of work at a time; on hosts little work needs no launch.

#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/kokkos_ext/observed_kernel.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <new>
#include <string>

namespace pantile::impl::launch {

/// Should the calling thread do all? Also where there is no other one.
inline bool is_for_caller(arch::Machine const& machine, std::int64_t bytes) {
  return !machine.device && (machine.concurrency == 1 || bytes <= arch::host::launch_bytes);
}

/// Is a launch on this host no more than a loop on the calling thread? Without a parallel region, for which the OpenMP
/// run-time library allocates.
template <class Exec>
bool runs_inline(Exec const& exec) {
  return exec.concurrency() == 1;
}

/// A kernel for units of any type, by its address: Kokkos' launch is compiled once for all of them.
struct UnitKernel {
  void const* kernel;
  void (*call)(void const* kernel, Index unit);

  void operator()(Index unit) const { call(kernel, unit); }
};

/// \brief  kernel(unit) for each unit from 0 to count.
/// \param  on_caller  on the calling thread; hosts' launches wait for their end all the same. So too where Kokkos finds
///                    no memory for a launch, so that none of several launches is left out
template <class Exec>
void units(Exec const& exec, Index count, bool on_caller, UnitKernel const& kernel, std::string const& name) {
  if (!on_caller && !runs_inline(exec)) {
    try {
      Kokkos::parallel_for(name, Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>(exec, 0, count), kernel);
      return;
    } catch (std::bad_alloc const&) {  // Kokkos' own, before the first unit
    }
  }
  kokkos_ext::ObservedKernel const observed([&] { return kokkos_ext::KernelFacts(name, exec); });
  for (Index unit = 0; unit < count; ++unit) kernel(unit);
}
template <class Exec, class Kernel>
void units(Exec const& exec, Index count, bool on_caller, Kernel const& kernel, std::string const& name) {
  auto const call = [](void const* held, Index unit) { (*static_cast<Kernel const*>(held))(unit); };
  units(exec, count, on_caller, UnitKernel{&kernel, call}, name);
}

/// \brief  kernel(worker) for each worker from 0 to count, by threads of a device or as units of a host.
/// \tparam Device  is it a device's kernel, also where a test emulates it on a host?
template <bool Device, class Exec, class Kernel>
void workers(Exec const& exec, Index count, Kernel const& kernel, std::string const& name) {
  if constexpr (Device) {
    Kokkos::parallel_for(name, Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>(exec, 0, count), kernel);
  } else {
    units(exec, count, false, kernel, name);
  }
}

}  // namespace pantile::impl::launch
