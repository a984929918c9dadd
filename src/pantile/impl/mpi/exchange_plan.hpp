// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  B = A or A^T over ranks in rounds, of which each deals out a tile of every part: which lines go where, and
///        where in a message they lie. Numbers alone, no memory.

#include <pantile/mpi/distribution.hpp>

#include <pantile/impl/mpi/edge.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pantile::impl::mpi {

/// \brief  A row or column of a side, and its group: those of the round that go to one place of the grid, or come from
///         one.
struct Line {
  std::int32_t local;  ///< of A's part from the tile on, of B's part
  std::int32_t group_begin, group_size;
};

/// An edge's lines in the order of windows, within a window of places.
struct Lines {
  std::vector<Line> lines;
  std::vector<std::size_t> begins;            ///< of each window, and the end
  std::vector<std::vector<int>> group_sizes;  ///< of each window at each place

  [[nodiscard]] std::size_t size(std::size_t window) const { return begins[window + 1] - begins[window]; }
  [[nodiscard]] std::size_t largest() const;
};

/// What a rank gives MPI for a round, by rank and in elements. A rank's message has one place after the other, as lines
/// of fast elements.
struct Messages {
  std::vector<int> counts, places;
};

/// What this rank sends, or receives, in all rounds.
class ExchangeSide {
 public:
  ExchangeSide() = default;
  /// \param  fast_along_cols  along the fast edge lie columns of that grid, else rows
  ExchangeSide(pantile::mpi::ProcessGrid const& grid, bool fast_along_cols, Lines fast_lines, Lines slow_lines);

  Lines fast, slow;

  /// Elements of the largest round.
  [[nodiscard]] std::size_t largest() const { return fast.largest() * slow.largest(); }
  [[nodiscard]] Messages messages(FastSlow window) const;

 private:
  int m_ranks = 0, m_grid_cols = 1;
  bool m_fast_along_cols = false;
};

struct ExchangePlan {
  /// Tiles of at most so many elements, of one at least. Grids are made of one communicator.
  ExchangePlan(pantile::mpi::Distribution const& a, pantile::mpi::Distribution const& b, bool transposed,
               bool row_major, std::int64_t elements);

  FastSlow tile, windows;  ///< the same on every rank
  ExchangeSide sent, received;

  [[nodiscard]] std::int64_t rounds() const { return windows.fast * windows.slow; }
  /// Of the round, along each edge.
  [[nodiscard]] FastSlow window(std::int64_t round) const { return {round % windows.fast, round / windows.fast}; }
};

}  // namespace pantile::impl::mpi
