// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  A program as users have it, of which the last rank alone is wrong, in one way after the other: every rank
///        catches the error, rank 0 prints it, and all go on to the next, whatever the others would do without one. A
///        rank that waits for ever is ended by its alarm.

#include <pantile/mpi/matmul.hpp>

#include <mpi.h>
#include <unistd.h>
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <vector>

namespace {

using View = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
using pantile::mpi::Distribution;
using pantile::mpi::ProcessGrid;

constexpr unsigned patience = 120;  // seconds

/// C = A B of 8x8 matrices, with what the wrong rank has of its own.
struct Numbers {
  int grid_cols, rows, block;
  std::size_t surplus;
};
void multiply(int ranks, Numbers const& mine) {
  ProcessGrid const grid(MPI_COMM_WORLD, ranks, mine.grid_cols);
  Distribution const distribution(grid, mine.rows, 8, {mine.block, 2});
  auto const [rows, cols] = distribution.local_extents();
  auto const matrix = [&](char const* label, std::size_t surplus) {
    return pantile::mpi::DistributedMatrix{distribution, View(label, rows + surplus, cols)};
  };
  pantile::mpi::matmul(1.0, matrix("A", 0), matrix("B", 0), 0.0, matrix("C", mine.surplus));
}

int run(int ranks, int rank) {
  Numbers const right{1, 8, 2, 0};
  std::vector<Numbers> const wrong{{2, 8, 2, 0}, {1, 8, 0, 0}, {1, -8, 2, 0}, {1, 7, 2, 0}, {1, 8, 2, 1}};
  int refused = 0;
  for (Numbers const& numbers : wrong) {
    try {
      multiply(ranks, rank == ranks - 1 ? numbers : right);
    } catch (pantile::Error const& error) {
      ++refused;
      if (rank == 0) std::printf("%s\n", error.what());
    }
  }
  multiply(ranks, right);
  int least = 0;
  MPI_Allreduce(&refused, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d refused by every rank, then a product\n", least);
  return least == static_cast<int>(wrong.size()) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  alarm(patience);
  int rank = 0, ranks = 0, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    status = run(ranks, rank);
  }
  MPI_Finalize();
  return status;
}
