// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to kernels on the caller's instance.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/reverse/kernel.hpp>
#include <pantile/impl/reverse/policy.hpp>
#include <pantile/impl/view/label.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <string>

namespace pantile::impl::reverse {

/// Label of the variant, made once per space and element.
template <class Exec, class T>
std::string const& label(bool in_place) {
  static auto const make = [](char const* variant) {
    return kernel_label("reverse", variant, arch::space_name<Exec>(), element_name_v<T>);
  };
  static std::string const copy = make("copy"), same = make("in_place");
  return in_place ? same : copy;
}

template <bool InPlace, class Arch, class Exec, class T>
void launch(Exec const& exec, Problem<T> const& p, Plan const& plan, std::string const& name) {
  if constexpr (Arch::device) {
    using Bounds = Kokkos::LaunchBounds<arch::device::reversing_team_size, 1>;
    ReverseKernel<T, InPlace> const kernel{p, plan.chunk, plan.scratch_bytes - tile::scratch_alignment,
                                           plan.scratch_level};
    launch::teams<true, Bounds>(exec, plan.over(plan.chunks), kernel, name);
  } else {
    launch::units(exec, plan.chunks, plan.on_caller, ChunkKernel<T, InPlace>{p, plan.chunk}, name);
  }
}

/// \brief  Run the plan. Everything that is instantiated per element type and space is behind this function.
/// \tparam Arch  normally the machine of Exec; tests pass a device's traits to run its kernels on the host
template <class Exec, class T, class Arch = arch::Current<Exec>>
void run(Exec const& exec, Problem<T> const& p, Plan const& plan) {
  std::string const& name = label<Exec, T>(p.in_place);
  static std::string const call = region_label("reverse");
  Kokkos::Profiling::ScopedRegion const region(call);
  if (p.in_place) {
    launch<true, Arch>(exec, p, plan, name);
  } else {
    launch<false, Arch>(exec, p, plan, name);
  }
}

}  // namespace pantile::impl::reverse
