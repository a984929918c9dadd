// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Launches of functors that take a piece of a row at a time (i, j, count): what hosts can vectorise.

#include <pantile/impl/kokkos_ext/mdrange.hpp>
#include <pantile/impl/launch/shape.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace pantile::impl::launch {

/// One iteration per tile: the pieces of its rows, one after the other.
template <class Kernel>
struct RowBlocks {
  Kernel kernel;
  Index rows, cols;
  Extent2 tile;

  KOKKOS_INLINE_FUNCTION void operator()(Index block_across, Index block_down) const {
    Index const col = block_across * tile.x, row = block_down * tile.y;
    Index const count = tile::smaller<Index>(tile.x, cols - col);
    Index const end = row + tile::smaller<Index>(tile.y, rows - row);
    for (Index i = row; i < end; ++i) kernel(i, col, count);
  }
};

/// Number of iterations of row_blocks.
inline Index row_block_count(Index rows, Index cols, Extent2 tile) {
  return tile::ceil_div<Index>(cols, tile.x) * tile::ceil_div<Index>(rows, tile.y);
}

/// \brief  A 2D range over the tiles of rows x cols. Over elements, the range's own loops call a functor that the
///         compiler does not vectorise (Kokkos issue 8652; perf_tests/notes/tuning.md).
template <class Exec, class Kernel>
void row_blocks(Exec const& exec, Index rows, Index cols, Extent2 tile, Kernel const& kernel, std::string const& name) {
  Index const across = tile::ceil_div<Index>(cols, tile.x), down = tile::ceil_div<Index>(rows, tile.y);
  RowBlocks<Kernel> const blocks{kernel, rows, cols, tile};
  if (!runs_inline(exec)) {
    Kokkos::parallel_for(name, kokkos_ext::fast_slow_policy(exec, across, down, 1, 1), blocks);
    return;
  }
  kokkos_ext::ObservedKernel const observed([&] { return kokkos_ext::KernelFacts(name, exec); });
  for (Index block_down = 0; block_down < down; ++block_down) {
    for (Index block_across = 0; block_across < across; ++block_across) blocks(block_across, block_down);
  }
}

}  // namespace pantile::impl::launch
