// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The copying kernels of devices, and their launch. All are given destination and source transposed so that the
///        destination is fast along rows.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/kokkos_ext/range_2d.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/tile/load_store.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>
#include <pantile/impl/transfer/policy.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace pantile::impl::transfer {

/// One element per thread; neighbours of a row go to neighbouring threads. Nothing transposed.
template <class T>
struct ElementKernel {
  Matrix<T> destination;
  Matrix<T const> source;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const { destination(i, j) = source(i, j); }
};

/// \brief  Tiles through team scratch: read along the source's fast direction, written along the destination's. Rows
///         in scratch are one element longer than the tile, so that columns are read without bank conflicts.
///         Source: the padded tile of the source documents' transpose. Source transposed.
template <class T>
struct TransposingKernel {
  static constexpr arch::KernelTag tag{"untuned"};
  Matrix<T> destination;
  Matrix<T const> source;
  tile::TileGrid tiles;

  [[nodiscard]] KOKKOS_INLINE_FUNCTION static constexpr std::size_t scratch_bytes(int tile_rows, int tile_cols) {
    return tile::scratch_bytes(static_cast<std::size_t>(tile_rows) * (tile_cols + 1), sizeof(T));
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    std::size_t const bytes = scratch_bytes(tiles.tile_rows, tiles.tile_cols);
    tile::ScratchMatrix<T> const stage{static_cast<T*>(tile::team_scratch(member, bytes, 0)), tiles.tile_cols + 1};
    for (Index t = member.league_rank(); t < tiles.count(); t += member.league_size()) {
      tile::Block const block = tiles.block(t);
      tile::for_each_2d(member, block.cols, block.rows,
                        [&](int j, int i) { stage(i, j) = source(block.row + i, block.col + j); });
      member.team_barrier();
      tile::for_each_2d(member, block.rows, block.cols,
                        [&](int i, int j) { destination(block.row + i, block.col + j) = stage(i, j); });
      member.team_barrier();
    }
  }
};

template <class Exec, class Element>
void run_on_device(Exec const& exec, Matrix<Element> const& to, Matrix<Element const> const& from,
                   KernelPlan const& plan, std::string const& name) {
  if (!plan.transposed) {
    kokkos_ext::for_fast_slow(name, exec, to.cols, to.rows, plan.block_cols, plan.block_rows,
                              ElementKernel<Element>{to, from});
    return;
  }
  using Bounds = Kokkos::LaunchBounds<arch::device::copying_team_size, 1>;
  using Kernel = TransposingKernel<Element>;
  tile::TileGrid const tiles{to.rows, to.cols, plan.block_rows, plan.block_cols};
  launch::TeamPlan teams;
  teams.team_size = std::min(plan.team_size, arch::Current<Exec>::max_team_size);
  teams.scratch_bytes = Kernel::scratch_bytes(plan.block_rows, plan.block_cols) + tile::scratch_alignment;
  launch::teams<true, Bounds>(exec, teams.over(tiles.count()), Kernel{to, from, tiles}, name);
}

}  // namespace pantile::impl::transfer
