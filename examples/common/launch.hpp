// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The documents' `kernel[grid, block](...)` in plain Kokkos; example 04 explains it.

#include <pantile/policy.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace example {

/// What `cuda.grid(2)` and `cuda.gridsize(2)` say: x runs along a row of blocks and of threads, neighbours along x.
struct Thread {
  int x, y, stride_x, stride_y;
};

/// \brief  kernel(thread) for every thread of the launch. A block is a team; its threads are dealt to as many as the
///         team has, one on many hosts.
template <class Exec, class Kernel>
void launch(std::string const& name, Exec const& exec, pantile::LaunchShape const& shape, Kernel const& kernel) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  auto const [grid, block] = shape;
  int const grid_x = grid.x, block_x = block.x, block_y = block.y, width = grid.x * block.x, height = grid.y * block.y;
  Kokkos::parallel_for(
      name, Policy(exec, grid.x * grid.y, Kokkos::AUTO), KOKKOS_LAMBDA(typename Policy::member_type const& member) {
        int const x = member.league_rank() % grid_x * block_x, y = member.league_rank() / grid_x * block_y;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, block_x * block_y), [&](int t) {
          kernel(Thread{x + t % block_x, y + t / block_x, width, height});
        });
      });
}

}  // namespace example
