// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Block-cyclic distribution of a matrix over a grid of ranks, and a rank's part of it.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/mpi/grid.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>

namespace pantile::impl::mpi {
struct DistributionAccess;
}  // namespace pantile::impl::mpi

namespace pantile::mpi {

/// Rows and columns of a distribution's blocks.
struct BlockSize {
  int rows = 0;
  int cols = 0;
  friend bool operator==(BlockSize, BlockSize) = default;
};

/// Extents of a rank's part.
struct LocalExtents {
  std::size_t rows = 0;
  std::size_t cols = 0;
  friend bool operator==(LocalExtents, LocalExtents) = default;
};

/// \brief  A rows x cols matrix, block-cyclic: block (I, J) lies at place (I % grid.rows(), J % grid.cols()).
///
/// A rank stores its blocks side by side, as one matrix of local_extents(). Blocks need not divide the extents, and may
/// be larger than the matrix. A small value, the same on all ranks.
class Distribution {
 public:
  /// \brief  Collective over the grid's communicator, by one reduction of 24 bytes; copies are not.
  ///
  /// \pre    rows and cols are not negative, edges of blocks are positive; in either direction, extent + edge of the
  ///         grid x min(block, extent) is below 2^31, since ScaLAPACK counts in 32 bits
  /// \pre    all ranks of the communicator call, with the same arguments, before MPI is finalised
  /// \throws pantile::Error  the same one on every rank, when one of these does not hold on any of them
  Distribution(ProcessGrid grid, std::int64_t rows, std::int64_t cols, BlockSize block,
               std::source_location where = std::source_location::current());

  [[nodiscard]] ProcessGrid const& grid() const noexcept { return m_grid; }
  [[nodiscard]] std::int64_t rows() const noexcept { return m_rows; }
  [[nodiscard]] std::int64_t cols() const noexcept { return m_cols; }
  [[nodiscard]] BlockSize block() const noexcept { return m_block; }

  /// Extents of this rank's part, which the caller allocates; 0x0 outside the grid.
  [[nodiscard]] LocalExtents local_extents() const noexcept;
  /// Extents of the part at a place of the grid; 0x0 outside.
  [[nodiscard]] LocalExtents local_extents(int grid_row, int grid_col) const noexcept;
  /// Row of the matrix for row `local` of this rank's part.
  [[nodiscard]] std::int64_t global_row(std::size_t local) const noexcept;
  /// The same for a column.
  [[nodiscard]] std::int64_t global_col(std::size_t local) const noexcept;

  /// "9x9 in blocks of 2x2 on a grid of 2x3, at (0,1)", for messages.
  [[nodiscard]] std::string description() const;

  friend bool operator==(Distribution const&, Distribution const&) = default;

 private:
  friend struct impl::mpi::DistributionAccess;
  struct Agreed {};
  /// Without communication, for arguments on which the ranks have already agreed.
  Distribution(ProcessGrid grid, std::int64_t rows, std::int64_t cols, BlockSize block, Agreed /*unused*/);

  ProcessGrid m_grid;
  std::int64_t m_rows, m_cols;
  BlockSize m_block;
};

/// \brief  A distributed matrix: its distribution, and this rank's elements as a View of the caller's, on host or
///         device. The View's extents are distribution.local_extents(), which every call checks.
template <MatrixView View>
struct DistributedMatrix {
  Distribution distribution;
  View local;
};
template <MatrixView View>
DistributedMatrix(Distribution, View) -> DistributedMatrix<View>;

}  // namespace pantile::mpi
