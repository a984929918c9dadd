// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to the kernels of the blocked matmul on devices.

#include <pantile/impl/launch/per_element.hpp>
#include <pantile/impl/launch/workspace.hpp>
#include <pantile/impl/matmul/device/mainloop.hpp>
#include <pantile/impl/matmul/device/split_k.hpp>
#include <pantile/impl/matmul/policy.hpp>
#include <pantile/impl/matmul/problem.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace pantile::impl::matmul {

/// Run the blocked variant on a device with this tile.
template <class Tile, class Exec, class TA, class TB, class TC, class Accumulator>
void launch_multistage(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan,
                       SplitK const& split, std::string const& name) {
  using Kernel = MultistageKernel<TA, TB, TC, Accumulator, Tile>;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<Kernel::threads, Kernel::min_blocks>>;
  Policy policy(exec, static_cast<int>(plan.tiles), plan.team_size);
  policy.set_scratch_size(plan.scratch_level, Kokkos::PerTeam(static_cast<int>(plan.scratch_bytes)));
  Kokkos::parallel_for(name, policy, Kernel(p, split, plan.scratch_level));
}

/// The same with k in slices: their sums go to a workspace, from where a second kernel adds them to C.
template <class Tile, class Exec, class TA, class TB, class TC, class Accumulator>
void launch_split(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan,
                  std::string const& name) {
  // Where the accumulator computes in a type of its size, the kernel is that of an ordinary call.
  using Compute = compute_t<Accumulator>;
  using Part = std::conditional_t<sizeof(Accumulator) == sizeof(Compute), Accumulator, Compute>;
  DevicePlan const& device = plan.device;
  SplitK const split{device.slices, device.slice_depth, device.slice_stride};
  auto const workspace = launch::workspace(exec, static_cast<std::size_t>(device.workspace_bytes), plan.workspace);
  auto* const sums = reinterpret_cast<Part*>(workspace.data());
  Problem<TA, TB, Part, Part> const slices{
      p.a, p.b, {sums, p.m(), p.n(), device.row_stride, 1}, p.conj_a, p.conj_b, Part(1), Part(0)};
  launch_multistage<Tile>(exec, slices, plan, split, name);
  Epilogue<TC, Accumulator> const epilogue(p.alpha, p.beta);
  launch::per_element(exec, p.m(), p.n(),
                      SliceSumKernel<Part, TC, Accumulator>{sums, device.row_stride, split, p.c, epilogue}, name);
}

/// The same with the tile of the plan, one of the machine's.
template <class... Tile, class Exec, class Problem>
void launch_on_device(arch::DeviceTiles<Tile...>, Exec const& exec, Problem const& p, Plan const& plan,
                      std::string const& name) {
  [[maybe_unused]] auto const launch_this = [&]<class One>() {
    if (plan.device.slices > 1) {
      launch_split<One>(exec, p, plan, name);
    } else {
      launch_multistage<One>(exec, p, plan, {}, name);
    }
  };
  [[maybe_unused]] int index = 0;
  ((index++ == plan.device.tile ? launch_this.template operator()<Tile>() : void()), ...);
}

}  // namespace pantile::impl::matmul
