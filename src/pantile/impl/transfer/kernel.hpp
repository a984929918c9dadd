// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The copying kernels. All are given destination and source transposed so that the destination is fast along
///         rows.

#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/tile/load_store.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::transfer {

/// One element per thread; neighbours of a row go to neighbouring threads. Devices, nothing transposed.
template <class T>
struct ElementKernel {
  Matrix<T> destination;
  Matrix<T const> source;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const { destination(i, j) = source(i, j); }
};

/// \brief  One block per index, row by row. Hosts: blocks are wide when both sides are fast along rows, so that the
///         inner loop streams; square when the source is transposed, so that its cache lines are used up before they
///         leave.
template <class T>
struct BlockKernel {
  Matrix<T> destination;
  Matrix<T const> source;
  tile::TileGrid blocks;

  KOKKOS_INLINE_FUNCTION void operator()(Index index) const {
    tile::Block const block = blocks.block(index);
    for (int i = 0; i < block.rows; ++i) {
      T* const to = destination.data + (block.row + i) * destination.row_stride + block.col * destination.col_stride;
      T const* const from = source.data + (block.row + i) * source.row_stride + block.col * source.col_stride;
      if (destination.col_stride == 1 && source.col_stride == 1) {
        for (int j = 0; j < block.cols; ++j) to[j] = from[j];
      } else {
        for (Index j = 0; j < block.cols; ++j) to[j * destination.col_stride] = from[j * source.col_stride];
      }
    }
  }
};

/// \brief  Tiles through team scratch: read along the source's fast direction, written along the destination's. Rows
///         in scratch are one element longer than the tile, so that columns are read without bank conflicts.
///         Source: the padded tile of the source documents' transpose. Devices, source transposed.
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

}  // namespace pantile::impl::transfer
