// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A grid of ranks, over which matrices are distributed. Opt-in: link Pantile::mpi.

#include <pantile/error.hpp>

#include <mpi.h>

#include <memory>
#include <source_location>
#include <string>

namespace pantile::impl::mpi {
struct GridState;
struct GridAccess;
}  // namespace pantile::impl::mpi

namespace pantile::mpi {

/// \brief  The first rows x cols ranks of a communicator as a grid: rank r has the place (r / cols, r % cols).
///
/// The other ranks of the communicator have no part of any matrix, but take part in all calls. Copies share one grid,
/// which uses a duplicate of the communicator, so that its messages never match the caller's.
///
/// \par Engine  BLACS' contexts on that duplicate; MPI_COMM_WORLD is not used. The caller initialises MPI before and
///              finalises it after.
class ProcessGrid {
 public:
  /// \brief  Collective over the communicator. So is the destructor of the last copy (no-op after MPI_Finalize).
  ///
  /// \pre    MPI is initialised and not finalised; the communicator is an intracommunicator
  /// \pre    rows and cols are at least 1, the same on every rank, and rows * cols ranks are there
  /// \throws pantile::Error  the same one on every rank, when one of these does not hold
  ProcessGrid(MPI_Comm communicator, int rows, int cols, std::source_location where = std::source_location::current());

  [[nodiscard]] int rows() const noexcept;
  [[nodiscard]] int cols() const noexcept;
  /// This rank's place; -1 outside the grid.
  [[nodiscard]] int row() const noexcept;
  [[nodiscard]] int col() const noexcept;
  /// Does this rank have a place?
  [[nodiscard]] bool contains_this_rank() const noexcept { return row() >= 0; }
  /// The duplicate of the communicator. It is freed with the grid.
  [[nodiscard]] MPI_Comm communicator() const noexcept;

  /// Equal if the shapes are, and the same ranks have the same places: copies, and grids made alike.
  friend bool operator==(ProcessGrid const& a, ProcessGrid const& b);

 private:
  friend struct impl::mpi::GridAccess;
  std::shared_ptr<impl::mpi::GridState const> m_state;
};

/// \brief  The file of the library whose dgemm_ local products call: libpantile_blas.so, unless the program has linked
///         another BLAS before Pantile::mpi or preloads one. Empty where the system cannot tell.
[[nodiscard]] std::string local_products_library();

}  // namespace pantile::mpi
