// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Copies of tiles between global memory and team scratch, with checks at the edges, and the inner product of
///        two tiles there: the only arithmetic loop of the tiled matmul.

#include <pantile/element.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::tile {

/// A tile in scratch: rows x cols elements, row i beginning at i * ld.
template <class T>
struct ScratchMatrix {
  T* data;
  int ld;
  KOKKOS_INLINE_FUNCTION T& operator()(int i, int j) const { return data[i * ld + j]; }
};

/// \brief  Fill a padded rows x cols tile from the part of source that begins at (row, col): elements inside the block
///         are converted (and conjugated), the rest is set to zero. Walks source along its contiguous direction.
/// \param  put  put(i, j, value) stores element (i, j) of the tile, in whatever order the tile is kept
template <class Value, class Member, class Source, class Put>
KOKKOS_INLINE_FUNCTION void load_tile(Member const& member, Source const& source, bool conjugated, Block const& block,
                                      int rows, int cols, Put const& put) {
  auto const element = [&](int i, int j) {
    if (i >= block.rows || j >= block.cols) return Value(0);
    Value const value = convert<Value>(source(block.row + i, block.col + j));
    return conjugated ? conjugate(value) : value;
  };
  if (source.fast_along_row()) {
    for_each_2d(member, rows, cols, [&](int i, int j) { put(i, j, element(i, j)); });
  } else {
    for_each_2d(member, cols, rows, [&](int j, int i) { put(i, j, element(i, j)); });
  }
}

/// \brief  Write the block's part of a tile into target. Walks target along its contiguous direction.
/// \param  get  get(i, j) is element (i, j) of the tile
template <class Member, class Target, class Get>
KOKKOS_INLINE_FUNCTION void store_tile(Member const& member, Target const& target, Block const& block, Get const& get) {
  using Element = std::remove_reference_t<decltype(target(0, 0))>;
  if (target.fast_along_row()) {
    for_each_2d(member, block.rows, block.cols,
                [&](int i, int j) { target(block.row + i, block.col + j) = convert<Element>(get(i, j)); });
  } else {
    for_each_2d(member, block.cols, block.rows,
                [&](int j, int i) { target(block.row + i, block.col + j) = convert<Element>(get(i, j)); });
  }
}

/// \brief  sum(i, j) += sum over k of a(k, i) * b(k, j), k rising: the order of additions depends on nothing else.
/// \param  a  panel of A, depth rows of at least Rows elements, lda apart; b likewise with Cols elements
template <int Rows, int Cols, class Compute>
KOKKOS_INLINE_FUNCTION void multiply_panels(int depth, Compute const* a, int lda, Compute const* b, int ldb,
                                            Compute (&sum)[Rows][Cols]) {  // (Rows, Cols)
  for (int k = 0; k < depth; ++k) {
    for (int i = 0; i < Rows; ++i) {
      Compute const left = a[k * lda + i];
      for (int j = 0; j < Cols; ++j) sum[i][j] = multiply_add(left, b[k * ldb + j], sum[i][j]);
    }
  }
}

}  // namespace pantile::impl::tile
