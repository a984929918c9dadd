// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to the kernels of the blocked matmul on devices.

#include <pantile/impl/launch/per_element.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/launch/workspace.hpp>
#include <pantile/impl/matmul/batch/problem.hpp>
#include <pantile/impl/matmul/device/mainloop.hpp>
#include <pantile/impl/matmul/device/slices.hpp>
#include <pantile/impl/matmul/policy.hpp>
#include <pantile/impl/matmul/problem.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace pantile::impl::matmul {

/// Run the blocked variant on a device with this tile, by so many teams.
template <class Tile, class Exec, class TA, class TB, class TC, class Accumulator>
void launch_multistage(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan,
                       std::int64_t tiles, Slices const& slices, std::string const& name) {
  using Kernel = MultistageKernel<TA, TB, TC, Accumulator, Tile>;
  using Bounds = Kokkos::LaunchBounds<Kernel::threads, Kernel::min_blocks>;
  launch::teams<true, Bounds>(exec, plan.over(tiles), Kernel(p, slices, plan.scratch_level), name);
}

/// A product with k in slices: their sums go to a workspace, from where a second kernel adds them to C.
template <class Tile, class Exec, class TA, class TB, class TC, class Accumulator>
void launch_split(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan,
                  std::string const& name) {
  // Where the accumulator computes in a type of its size, the kernel is that of an ordinary call.
  using Compute = compute_t<Accumulator>;
  using Part = std::conditional_t<sizeof(Accumulator) == sizeof(Compute), Accumulator, Compute>;
  DevicePlan const& device = plan.device;
  Slices const slices{device.slices, device.slice_depth, device.slice_depth * p.a.col_stride,
                      device.slice_depth * p.b.row_stride, device.slice_stride};
  auto const workspace = launch::workspace(exec, static_cast<std::size_t>(device.workspace_bytes), plan.workspace);
  auto* const sums = reinterpret_cast<Part*>(workspace.data());
  Problem<TA, TB, Part, Part> const parts{
      p.a, p.b, {sums, p.m(), p.n(), device.row_stride, 1}, p.conj_a, p.conj_b, Part(1), Part(0)};
  launch_multistage<Tile>(exec, parts, plan, plan.tiles, slices, name);
  Epilogue<TC, Accumulator> const epilogue(p.alpha, p.beta);
  launch::per_element(exec, p.m(), p.n(),
                      SliceSumKernel<Part, TC, Accumulator>{sums, device.row_stride, slices, p.c, epilogue}, name);
}

/// Call f.template operator()<Tile>() with the machine's tile of this number.
template <class... Tile, class F>
void with_tile(arch::DeviceTiles<Tile...>, [[maybe_unused]] int number, [[maybe_unused]] F const& f) {
  [[maybe_unused]] int index = 0;
  ((index++ == number ? f.template operator()<Tile>() : void()), ...);
}

/// A product with the tile of its plan, one of the machine's.
template <class Tiles, class Exec, class Problem>
void launch_on_device(Tiles tiles, Exec const& exec, Problem const& p, Plan const& plan, std::string const& name) {
  with_tile(tiles, plan.device.tile, [&]<class One>() {
    if (plan.device.slices > 1) {
      launch_split<One>(exec, p, plan, name);
    } else {
      launch_multistage<One>(exec, p, plan, plan.tiles, {}, name);
    }
  });
}

/// Products a stride apart, each a slice with plan.tiles tiles; in as few launches as leagues can have teams for.
template <class Tiles, class Exec, class TA, class TB, class TC, class Accumulator>
void launch_batch_on_device(Tiles tiles, Exec const& exec, BatchProblem<TA, TB, TC, Accumulator> const& batch,
                            Plan const& plan, std::string const& name) {
  with_tile(tiles, plan.device.tile, [&]<class One>() {
    Index const most = tile::league_limit / plan.tiles;
    for (Index begin = 0; begin < batch.count; begin += most) {
      Index const count = tile::smaller(most, batch.count - begin);
      Slices const slices{static_cast<int>(count), 0, batch.a.stride, batch.b.stride, batch.c.stride};
      launch_multistage<One>(exec, batch.at(begin), plan, plan.tiles * count, slices, name);
    }
  });
}

}  // namespace pantile::impl::matmul
