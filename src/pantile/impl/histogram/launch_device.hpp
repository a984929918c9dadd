// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to the counting kernels of devices.

#include <pantile/impl/histogram/kernel_device.hpp>
#include <pantile/impl/histogram/launch.hpp>
#include <pantile/impl/launch/workspace.hpp>
#include <pantile/impl/view/label.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pantile::impl::histogram {

/// Position of the first sample that is out of range, or all_in_range. Waits for exec.
template <class Exec, class I, class Word>
  requires(arch::Current<Exec>::device)
Index first_outside_counted(Exec const& exec, Problem<I, Absent, Word, 1> const& p, std::string const& name) {
  Index first = all_in_range;
  DeviceCheckKernel<I> const kernel(p.indices, static_cast<std::uint64_t>(p.bins.count()));
  Kokkos::parallel_reduce(name, WorkerRange<Exec>(exec, 0, kernel.count()), kernel, Kokkos::Min<Index>(first));
  return first;
}

/// Interleaved copies of the bins.
template <class Arch, class Exec, class I, class Word>
  requires(Arch::device)
void launch_copies(Exec const& exec, Problem<I, Absent, Word, 1> const& p, Plan const& plan, std::string const& name) {
  using Bounds = Kokkos::LaunchBounds<arch::device::counting_team_size, arch::device::counting_teams>;
  DeviceCountingKernel<I, Word> const kernel(p, plan.scratch_level, plan.copies);
  launch::teams<true, Bounds>(exec, plan.over(plan.teams), kernel, name);
}

/// \brief  Count and check in one pass: counts wait in the instance's workspace until it is known how many samples are
///         out of range.
template <class Arch, class Exec, class I, class Word>
  requires(Arch::device && counting_types<I, Absent, Word, 1>)
bool run_checked(Exec const& exec, Problem<I, Absent, Word, 1> const& p, Plan const& plan, Labels const& names) {
  std::string const& name = names.of(plan);
  static std::string const call = region_label("histogram");
  Kokkos::Profiling::ScopedRegion const region(call);
  std::size_t const bytes = waiting_bytes(p.bins.count(), sizeof(Word));
  auto const workspace = launch::workspace(exec, bytes + sizeof(std::uint64_t), plan.workspace);
  auto* const counts = reinterpret_cast<Word*>(workspace.data());
  Problem<I, Absent, Word, 1> waiting = p;
  waiting.bins = p.bins.packed(counts);
  waiting.ignored = reinterpret_cast<std::uint64_t*>(workspace.data() + bytes);
  Index const clearing = std::max<Index>(1, p.bins.count());
  launch::workers<true>(exec, clearing, ClearKernel<Word, 1>{waiting.bins, waiting.ignored, clearing}, names.clear);
  if (p.samples() > 0) launch_copies<Arch>(exec, waiting, plan, name);
  std::uint64_t outside = 0;
  Kokkos::parallel_reduce(names.check, WorkerRange<Exec>(exec, 0, 1),
                          ReadKernel<std::uint64_t, std::uint64_t>{waiting.ignored},
                          Kokkos::Max<std::uint64_t>(outside));
  if (outside != 0) return false;
  Kokkos::parallel_for(name, WorkerRange<Exec>(exec, 0, p.bins.count()),
                       ArriveKernel<Word>{p.bins, counts, p.accumulate});
  return true;
}

}  // namespace pantile::impl::histogram
