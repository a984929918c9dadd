// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A device's tile on the host: one host thread plays the threads of a team, with the device's own indices, edges and
///        stages.

#include <matmul/cases.hpp>

#include <pantile/impl/arch/cuda/traits.hpp>
#include <pantile/impl/arch/hip/traits.hpp>

namespace pantile::testing {

/// Run the problem with the tile of this number, whose threads one host thread plays, and k in pieces of so many panels
/// (zero: in one piece).
template <class Arch, class Tile, class TA, class TB, class TC, class Accumulator>
void run_tile(int index, impl::matmul::Problem<TA, TB, TC, Accumulator> const& problem, int panels_of_piece = 0) {
  using Kernel = impl::matmul::StagedKernel<TA, TB, TC, Accumulator, Tile>;
  using Compute = compute_t<Accumulator>;
  impl::matmul::Plan plan;
  plan.algorithm = Algorithm::blocked;
  plan.staged.tile = index;
  if (panels_of_piece > 0) {
    auto& staged = plan.staged;
    staged.piece_depth = panels_of_piece * Tile::shape.k;
    staged.pieces = static_cast<int>((problem.k() + staged.piece_depth - 1) / staged.piece_depth);
    staged.row_stride = (problem.n() + 3) / 4 * 4;
    staged.piece_stride = problem.m() * staged.row_stride;
    staged.workspace_bytes = staged.pieces * staged.piece_stride * static_cast<std::int64_t>(sizeof(Compute));
  }
  plan.tiles = impl::tile::TileGrid{problem.c.rows, problem.c.cols, Tile::shape.m, Tile::shape.n}.count() * plan.staged.pieces;
  plan.team_size = 1;
  plan.scratch_level = 1;
  plan.scratch_bytes = Kernel::panel_bytes + Kernel::Group::played_bytes + 64;
  Kokkos::DefaultHostExecutionSpace const exec;
  impl::matmul::run<Kokkos::DefaultHostExecutionSpace, TA, TB, TC, Accumulator, Arch>(exec, problem, plan);
  exec.fence();
}

/// f(index, tile) for every tile that the machine has for sums in Compute.
template <class F, class... Tile>
void for_each_tile(impl::arch::StagedTiles<Tile...>, F const& f) {
  int index = 0;
  (f(index++, Tile{}), ...);
}

template <class T>
auto const_matrix(Placed<T, Kokkos::DefaultHostExecutionSpace> const& placed) {
  return impl::to_matrix(Kokkos::View<T const**, Kokkos::LayoutStride, Kokkos::HostSpace>(placed.view()));
}

}  // namespace pantile::testing
