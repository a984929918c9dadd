// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A device's tile on the host: one host thread emulates the threads of a team, with the device's own indices,
///        edges and stages.

#include <matmul/cases.hpp>
#include <support/emulated_warp.hpp>

#include <pantile/impl/arch/cuda/traits.hpp>
#include <pantile/impl/arch/hip/traits.hpp>
#include <pantile/impl/matmul/device/launch.hpp>

namespace pantile::testing {

/// Run the problem with the tile of this number, whose threads one host thread emulates, and k in slices of so many
/// panels (zero: in one slice).
template <class Arch, class Tile, class TA, class TB, class TC, class Accumulator>
void run_tile(int index, impl::matmul::Problem<TA, TB, TC, Accumulator> const& problem, int panels_of_slice = 0) {
  using Kernel = impl::matmul::MultistageKernel<TA, TB, TC, Accumulator, Tile>;
  using Compute = compute_t<Accumulator>;
  impl::matmul::Plan plan;
  plan.algorithm = MatmulAlgorithm::blocked;
  plan.device.tile = index;
  if (panels_of_slice > 0) {
    auto& device = plan.device;
    device.slice_depth = panels_of_slice * Tile::shape.k;
    device.slices = static_cast<int>((problem.k() + device.slice_depth - 1) / device.slice_depth);
    device.row_stride = (problem.n() + 3) / 4 * 4;
    device.slice_stride = problem.m() * device.row_stride;
    device.workspace_bytes = device.slices * device.slice_stride * static_cast<std::int64_t>(sizeof(Compute));
  }
  plan.tiles =
      impl::tile::TileGrid{problem.c.rows, problem.c.cols, Tile::shape.m, Tile::shape.n}.count() * plan.device.slices;
  plan.team_size = 1;
  plan.scratch_level = 1;
  using Member = typename Kokkos::TeamPolicy<Kokkos::DefaultHostExecutionSpace>::member_type;
  plan.scratch_bytes = Kernel::panel_bytes + Kernel::template Group<Member>::state_bytes + 64;
  Kokkos::DefaultHostExecutionSpace const exec;
  impl::matmul::run<Kokkos::DefaultHostExecutionSpace, TA, TB, TC, Accumulator, Arch>(exec, problem, plan);
  exec.fence();
}

/// f(index, tile) for every tile that the machine has for sums in Compute.
template <class F, class... Tile>
void for_each_tile(impl::arch::DeviceTiles<Tile...>, F const& f) {
  int index = 0;
  (f(index++, Tile{}), ...);
}

template <class T>
auto const_matrix(Placed<T, Kokkos::DefaultHostExecutionSpace> const& placed) {
  return impl::to_matrix(Kokkos::View<T const**, Kokkos::LayoutStride, Kokkos::HostSpace>(placed.view()));
}

}  // namespace pantile::testing
