// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  BLACS' contexts of a grid.

#include <pantile/mpi/grid.hpp>

#include <mpi.h>

namespace pantile::impl::mpi {

/// What copies of a ProcessGrid share. Contexts are -1 on ranks that are not in them.
struct GridState {
  GridState(MPI_Comm caller, int grid_rows, int grid_cols);
  GridState(GridState const&) = delete;
  GridState& operator=(GridState const&) = delete;
  ~GridState();

  int rows, cols, row = -1, col = -1;
  MPI_Comm communicator = MPI_COMM_NULL;
  int context = -1;             ///< the grid
  int transposed_context = -1;  ///< its transpose, for matrices whose rows lie one after the other
  int line_context = -1;        ///< all ranks of the communicator, in one row
};

struct GridAccess {
  static GridState const& state(pantile::mpi::ProcessGrid const& grid) { return *grid.m_state; }
};

}  // namespace pantile::impl::mpi
