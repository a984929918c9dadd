// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Launches of the hosts' own kernels, which take a unit of work at a time; little work needs no launch.

#include <pantile/impl/arch/host/tuning.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/kokkos_ext/launch.hpp>
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

/// \brief  kernel(unit) for each unit from 0 to count.
/// \param  on_caller  on the calling thread; hosts' launches wait for their end all the same. So too where Kokkos finds
///                    no memory for a launch, so that none of several launches is left out
template <class Exec, class Kernel>
void units(Exec const& exec, Index count, bool on_caller, Kernel const& kernel, std::string const& name) {
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

}  // namespace pantile::impl::launch
