// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the operations of out_of_core.hpp are told, and the plans that their `explain` returns. No Kokkos.

#include <cstddef>
#include <cstdint>
#include <functional>

namespace pantile::out_of_core {

/// Choices for matmul and transpose of operands that do not fit into memory.
struct OutOfCoreOptions {
  std::size_t memory = 0;       ///< bytes that all buffers together may take
  std::int64_t first_tile = 0;  ///< tiles of the result that an earlier call with the same plan has already written
  /// Called after each tile with the number of tiles written so far, by the thread that writes.
  std::function<void(std::int64_t tiles)> on_tile{};
  /// Called by the calling thread with the share of the work that is done, up to 1.
  std::function<void(double done)> on_progress{};
};

/// A transposition: tiles of A, one row of tiles after the other. Each is read in strips and written as a whole.
struct TransposePlan {
  std::int64_t tile_rows = 0, tile_cols = 0;
  std::int64_t row_tiles = 0, col_tiles = 0;
  std::int64_t strip = 0;         ///< rows of A (columns where A's columns are contiguous) that are read at a time
  std::int64_t tile_buffers = 0;  ///< of the result; 2: a tile is written while the next one is read, 1: before that
  std::size_t tile_bytes = 0, strip_bytes = 0;
  std::size_t memory = 0;                    ///< bytes of all buffers; more than the budget where nothing fits it
  double bytes_read = 0, bytes_written = 0;  ///< of all
  double runs_read = 0, runs_written = 0;    ///< contiguous runs of a file that are read, written

  [[nodiscard]] std::int64_t tiles() const { return row_tiles * col_tiles; }
};

/// \brief  A product: a tile of C stays in memory while k is taken in steps of `depth`. A panel of A (or B) with all of
///         k may stay too, for a whole row (or column) of tiles.
struct MatmulPlan {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t tile_rows = 0, tile_cols = 0, depth = 0;
  bool down_columns = false;  ///< tiles follow each other in a column of C, otherwise in a row
  bool keeps_a = false,
       keeps_b = false;        ///< from one tile to the next; the other operand has a second buffer, filled ahead
  bool strips_of_rows = true;  ///< strips of a tile of C, which are read and written one by one
  std::int64_t strip = 0;      ///< rows (columns) of a strip
  bool a_in_strips = false, b_in_strips = false;  ///< a panel that stays is filled strip by strip, each as soon as
                                                  ///< the tile before no longer needs what lies there
  std::size_t a_bytes = 0, b_bytes = 0, c_bytes = 0, strip_bytes = 0;  ///< of one buffer each
  std::size_t memory = 0;  ///< bytes of all buffers; more than the budget where nothing fits it
  double bytes_read = 0, bytes_written = 0;
  double runs = 0;         ///< contiguous runs of a file that are read or written
  double bytes_moved = 0;  ///< in memory by the products, which pack their panels of A and B

  [[nodiscard]] std::int64_t row_tiles() const { return tile_rows == 0 ? 0 : (m + tile_rows - 1) / tile_rows; }
  [[nodiscard]] std::int64_t col_tiles() const { return tile_cols == 0 ? 0 : (n + tile_cols - 1) / tile_cols; }
  [[nodiscard]] std::int64_t steps() const { return k == 0 ? 1 : (k + depth - 1) / depth; }
  [[nodiscard]] std::int64_t tiles() const { return row_tiles() * col_tiles(); }
  /// Of a tile of C.
  [[nodiscard]] std::int64_t strips() const {
    return strip == 0 ? 0 : ((strips_of_rows ? tile_rows : tile_cols) + strip - 1) / strip;
  }
};

}  // namespace pantile::out_of_core
