// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Arithmetic of tiles: how many, where, how large with padding.

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace pantile::impl::tile {

/// Quotient rounded up; both positive or the dividend zero.
template <std::integral T>
KOKKOS_INLINE_FUNCTION constexpr T ceil_div(T value, T divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

/// Smallest multiple of step that is not below value.
template <std::integral T>
KOKKOS_INLINE_FUNCTION constexpr T round_up(T value, T step) {
  return ceil_div(value, step) * step;
}

template <class T>
KOKKOS_INLINE_FUNCTION constexpr T smaller(T a, T b) {
  return b < a ? b : a;
}

/// Edges up to here keep all arithmetic on tiles within its integers; scratch ends long before.
inline constexpr int edge_limit = 1 << 20;

/// Teams of a league: Kokkos' loop over it adds its size to a rank in 32 bits.
inline constexpr std::int64_t league_limit = std::int64_t{1} << 30;

/// Part of a matrix that a tile covers; edges of the matrix cut it short.
struct Block {
  std::int64_t row;
  std::int64_t col;
  int rows;
  int cols;
};

/// \brief  League rank -> tile of a rows x cols matrix in tiles of tile_rows x tile_cols, row-major over the tiles.
struct TileGrid {
  std::int64_t rows;
  std::int64_t cols;
  int tile_rows;
  int tile_cols;

  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr std::int64_t across() const {
    return ceil_div(cols, static_cast<std::int64_t>(tile_cols));
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr std::int64_t count() const {
    return across() * ceil_div(rows, static_cast<std::int64_t>(tile_rows));
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr Block block(std::int64_t index) const {
    std::int64_t const wide = across();
    std::int64_t const row = index / wide * tile_rows;
    std::int64_t const col = index % wide * tile_cols;
    return {row, col, static_cast<int>(smaller<std::int64_t>(tile_rows, rows - row)),
            static_cast<int>(smaller<std::int64_t>(tile_cols, cols - col))};
  }
};

/// Tile row and column of a tile on or above the diagonal.
struct TilePair {
  std::int64_t row;
  std::int64_t col;
  friend constexpr bool operator==(TilePair, TilePair) = default;
};

/// \brief  Flat index -> tile of a grid of down x across, in bands of so many rows, each walked column by column: teams
///         that run at the same time share panels of both operands in the last cache, and touch fewer pages of memory.
///         Divisions in 32 bits where the numbers are ints; band x across must be one.
template <std::integral T>
KOKKOS_INLINE_FUNCTION constexpr TilePair banded(T index, T down, T across, T band = 8) {
  T const first = index / (band * across) * band, place = index % (band * across);
  T const rows = down - first < band ? down - first : band;
  return {first + place % rows, place / rows};
}

/// Number of tiles on or above the diagonal of tiles x tiles.
KOKKOS_INLINE_FUNCTION constexpr std::int64_t triangle_count(std::int64_t tiles) {
  return tiles % 2 == 0 ? tiles / 2 * (tiles + 1) : (tiles + 1) / 2 * tiles;
}

/// \brief  Flat index -> tile on or above the diagonal, without a square root: row r and row tiles - 1 - r of the
///         triangle have tiles + 1 tiles together, so that the triangle folds into a rectangle.
template <std::integral T>
KOKKOS_INLINE_FUNCTION constexpr TilePair triangle_pair(T index, T tiles) {
  T const row = index / (tiles + 1), place = index % (tiles + 1), own = tiles - row;
  if (place < own) return {row, row + place};
  T const mirrored = tiles - 1 - row;
  return {mirrored, mirrored + place - own};
}

/// \brief  Places of the tiles of a triangle in squares of edge x edge tiles, one after the other. Squares that an edge
///         or the diagonal cuts have places without a tile: row > col or col >= tiles.
KOKKOS_INLINE_FUNCTION constexpr std::int64_t squared_triangle_count(std::int64_t tiles, std::int64_t edge) {
  return triangle_count(ceil_div(tiles, edge)) * edge * edge;
}
template <std::integral T>
KOKKOS_INLINE_FUNCTION constexpr TilePair squared_triangle_pair(T index, T tiles, T edge) {
  TilePair const square = triangle_pair<T>(index / (edge * edge), ceil_div(tiles, edge));
  T const place = index % (edge * edge);
  return {square.row * edge + place / edge, square.col * edge + place % edge};
}

/// Arrays in scratch begin at multiples of this many bytes: the widest load of the GPUs.
inline constexpr std::size_t scratch_alignment = 16;

/// Bytes of count elements of the given size, rounded up so that the next array in the same scratch is aligned.
KOKKOS_INLINE_FUNCTION constexpr std::size_t scratch_bytes(std::size_t count, std::size_t element_size) {
  return round_up(count * element_size, scratch_alignment);
}

}  // namespace pantile::impl::tile
