// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches on devices whose matrices lie anywhere: the tiled matmul's teams, which read a product's addresses
///        for each tile. The blocked matmul's tiles do not: their loads and stores would have to ask where each address
///        is.

#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/matmul/batch/policy.hpp>
#include <pantile/impl/matmul/batch/problem.hpp>
#include <pantile/impl/matmul/simple/tiled.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace pantile::impl::matmul {

/// \brief  One team per tile of each product. \tparam Tiled  the kernel of one product
template <class Tiled, class Batch>
struct BatchTiledKernel {
  static constexpr arch::KernelTag tag{"untuned", "any_address"};
  Tiled one;  // of the first product
  Batch batch;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    auto const scratch = one.scratch_of(member);
    auto const tiles = one.tiles();
    Tiled own = one;
    for (Index t = member.league_rank(); t < batch.count * tiles.count(); t += member.league_size()) {
      own.problem = batch.at(t / tiles.count());
      own.compute_tile(member, tiles.block(t % tiles.count()), scratch);
    }
  }
};

template <class Arch, class Exec, class TA, class TB, class TC, class Accumulator>
void launch_tiled_batch(Exec const& exec, BatchProblem<TA, TB, TC, Accumulator> const& batch, BatchPlan const& plan,
                        std::string const& name) {
  static constexpr arch::MicroTile wide = Arch::template micro_tile<compute_t<Accumulator>>();
  using Tiled = TiledKernel<TA, TB, TC, Accumulator, wide.rows, wide.cols, Arch::device>;
  using Bounds = Kokkos::LaunchBounds<Arch::launch_bound(wide), 1>;
  auto const& one = batch.first;
  Tiled const tiled{one, Epilogue<TC, Accumulator>(one.alpha, one.beta), plan.tile,
                    plan.scratch_bytes - tile::scratch_alignment, plan.scratch_level};
  launch::teams<Arch::device, Bounds>(exec, plan.over(plan.tiles * batch.count),
                                      BatchTiledKernel<Tiled, BatchProblem<TA, TB, TC, Accumulator>>{tiled, batch},
                                      name);
}

}  // namespace pantile::impl::matmul
