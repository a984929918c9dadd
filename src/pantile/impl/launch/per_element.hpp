// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Launches of functors that take one output element (j, i), fast index first, or a chunk of a row (i, j, count)
///        at a time: what hosts can vectorise.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/kokkos_ext/range_2d.hpp>
#include <pantile/impl/launch/shape.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace pantile::impl::launch {

/// One iteration of a 2D range per element of rows x cols, fast along the columns index.
template <class Exec, class Kernel>
void per_element(Exec const& exec, Index rows, Index cols, Extent2 tile, Kernel const& kernel,
                 std::string const& name) {
  kokkos_ext::for_fast_slow(name, exec, cols, rows, tile.x, tile.y, kernel);
}

/// kernel(column, row) for each element, with the tile that `element_tile` gives.
template <class Exec, class Kernel>
void per_element(Exec const& exec, Index rows, Index cols, Kernel const& kernel, std::string const& name) {
  per_element(exec, rows, cols, element_tile(arch::Current<Exec>::device, rows, cols), kernel, name);
}

/// \brief  Every thread of a launch of any shape strides over the elements until all are done.
///         Source: Numba CUDA user guide, grid(2) and gridsize(2).
template <class Kernel>
struct GridStride {
  Kernel kernel;
  Index rows, cols;
  Index threads_x, threads_y;

  KOKKOS_INLINE_FUNCTION void operator()(Index thread) const {
    for (Index i = thread / threads_x; i < rows; i += threads_y) {
      for (Index j = thread % threads_x; j < cols; j += threads_x) kernel(j, i);
    }
  }
};

/// The elements of rows x cols shared by the threads of the launch shape, which is complete (default_launch).
template <class Exec, class Kernel>
void grid_stride(Exec const& exec, Index rows, Index cols, LaunchShape const& shape, Kernel const& kernel,
                 std::string const& name) {
  // Threads beyond the last column or row have nothing to do.
  Index const threads_x = tile::smaller(Index{shape.grid.x} * shape.block.x, cols);
  Index const threads_y = tile::smaller(Index{shape.grid.y} * shape.block.y, rows);
  workers<arch::Current<Exec>::device>(exec, threads_x * threads_y,
                                       GridStride<Kernel>{kernel, rows, cols, threads_x, threads_y}, name);
}

/// A tile: its rows, one after the other.
template <class Kernel>
struct RowBlocks {
  Kernel kernel;
  tile::TileGrid tiles;

  KOKKOS_INLINE_FUNCTION void operator()(Index unit) const {
    tile::Block const block = tiles.block(unit);
    for (Index i = block.row; i < block.row + block.rows; ++i) kernel(i, block.col, Index{block.cols});
  }
};

/// The units of row_blocks.
inline tile::TileGrid row_tiles(Index rows, Index cols, Extent2 tile) { return {rows, cols, tile.y, tile.x}; }

/// \brief  A unit for each tile of rows x cols. Over elements, Kokkos' 2D range calls a functor that the compiler does
///         not vectorise (Kokkos issue 8652; perf_tests/notes/tuning.md).
template <class Exec, class Kernel>
void row_blocks(Exec const& exec, Index rows, Index cols, Extent2 tile, bool on_caller, Kernel const& kernel,
                std::string const& name) {
  tile::TileGrid const tiles = row_tiles(rows, cols, tile);
  units(exec, tiles.count(), on_caller, RowBlocks<Kernel>{kernel, tiles}, name);
}

}  // namespace pantile::impl::launch
