// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Copies of tiles between matrices and team scratch, with checks at the matrices' edges.

#include <pantile/team/scratch_tile.hpp>

#include <pantile/impl/tile/load_store.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::team {

namespace detail {
/// Part of a matrix under a tile whose corner lies at (row, col); empty beyond the matrix.
template <class Matrix, class T>
KOKKOS_INLINE_FUNCTION impl::tile::Block covered(Matrix const& matrix, std::int64_t row, std::int64_t col,
                                                 ScratchTile<T> const& tile) {
  KOKKOS_ASSERT(row >= 0 && col >= 0);
  auto const part = [](std::int64_t edge, std::int64_t left) {
    return static_cast<int>(left < 0 ? 0 : impl::tile::smaller(edge, left));
  };
  return {row, col, part(tile.rows(), matrix.rows - row), part(tile.cols(), matrix.cols - col)};
}
}  // namespace detail

/// \brief  tile(i, j) = source(row + i, col + j), zero where that lies beyond the edges of source. Elements are
///         converted. source is read along its contiguous direction, whatever its layout. row and col are not
///         negative.
///
/// Called by the whole team. No barrier inside: put one before the tile is read, and one before it is loaded again.
/// \code
///   pantile::team::load_tile(member, A, 32 * block_row, 32 * block_col, tile);
///   member.team_barrier();
/// \endcode
template <class Member, TeamMatrix Source, class T>
KOKKOS_INLINE_FUNCTION void load_tile(Member const& member, Source const& source, std::int64_t row, std::int64_t col,
                                      ScratchTile<T> const& tile) {
  auto const matrix = impl::to_matrix(source);
  impl::tile::load_tile<T>(member, matrix, false, detail::covered(matrix, row, col, tile), tile.rows(), tile.cols(),
                           [&](int i, int j, T const& value) { tile(i, j) = value; });
}

/// \brief  target(row + i, col + j) = tile(i, j) where that lies within target; nothing else is written.
///
/// Called by the whole team. No barrier inside: put one before, if other threads wrote the tile, and one after, before
/// the tile is written again.
/// \code
///   pantile::team::store_tile(member, tile, C, 32 * block_row, 32 * block_col);
/// \endcode
template <class Member, class T, TeamMatrix Target>
KOKKOS_INLINE_FUNCTION void store_tile(Member const& member, ScratchTile<T> const& tile, Target const& target,
                                       std::int64_t row, std::int64_t col) {
  auto const matrix = impl::to_matrix(target);
  impl::tile::store_tile(member, matrix, detail::covered(matrix, row, col, tile),
                         [&](int i, int j) -> T const& { return tile(i, j); });
}

}  // namespace pantile::team
