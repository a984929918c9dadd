// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16_heat_adi on many ranks: mpirun -n 4 23_distributed_adi
//
// The heat equation u_t = u_xx + u_yy on [0,1] x [0,2], zero on the boundary, by alternating directions (Peaceman and
// Rachford, J. SIAM 3, 1955). A step is
//
//   u' = (I - r Dy)^-1 (I + r Dx) (I - r Dx)^-1 (I + r Dy) u ,   r = dt / (2 h^2)
//
// Every factor goes along one direction. A rank has whole rows of u while those of x are due, and whole rows of u^T
// while those of y are; between them the field is transposed across the ranks.
//
// Look at step(): the sweeps send no messages, pantile::mpi::transpose sends all. The result must have the bits of the
// same program on one rank (MPI_COMM_SELF), and is checked against exp(-5/4 pi^2 t) sin(pi x) sin(pi y / 2).

#include <pantile/mpi/transpose.hpp>

#include <common/example.hpp>

#include <algorithm>
#include <cmath>

using Exec = Kokkos::DefaultExecutionSpace;
using Field = Kokkos::View<double**, Kokkos::LayoutRight>;
using Line = Kokkos::View<double*>;
using pantile::mpi::DistributedMatrix;
using pantile::mpi::Distribution;
using pantile::mpi::ProcessGrid;

constexpr double pi = 3.14159265358979323846, end_time = 0.125;

// Along every row: U = (I - r D)^-1 U by Thomas' algorithm with factors c, and U = (I + r D) U, one after the other.
struct Sweep {
  Field U;
  Line c;
  double r;
  bool implicit_part, explicit_part;

  KOKKOS_FUNCTION void operator()(int i) const {
    int const cols = U.extent_int(1);
    double last = 0;
    for (int j = 0; implicit_part && j < cols; ++j) U(i, j) = last = -c(j) / r * (U(i, j) + r * last);
    for (int j = cols - 2; implicit_part && j >= 0; --j) U(i, j) -= c(j) * U(i, j + 1);
    double left = 0;
    for (int j = 0; explicit_part && j < cols; ++j) {
      double const middle = U(i, j), right = j + 1 < cols ? U(i, j + 1) : 0;
      U(i, j) = middle + r * (left - 2 * middle + right);
      left = middle;
    }
  }
};

struct Heat {
  MPI_Comm communicator;
  int ranks;
  int intervals;  // along x; twice as many along y
  double h = 1.0 / intervals, dt = h, r = dt / (2 * h * h);
  int nx = intervals - 1, ny = 2 * intervals - 1;  // inner points
  // Every rank has one block of rows, the same of columns where the field is transposed.
  ProcessGrid grid{communicator, ranks, 1};
  pantile::mpi::BlockSize block{(ny + ranks - 1) / ranks, (nx + ranks - 1) / ranks};
  DistributedMatrix<Field> u = rows("u", ny, nx, block), u_transposed = rows("u^T", nx, ny, {block.cols, block.rows});
  Line factors{"factors", static_cast<std::size_t>(ny)};

  DistributedMatrix<Field> rows(char const* label, int m, int n, pantile::mpi::BlockSize blocks) const {
    Distribution const distribution(grid, m, n, blocks);
    auto const local = distribution.local_extents();  // what this rank allocates
    return {distribution, Field(label, local.rows, local.cols)};
  }

  // At point (i, j): row i of y, column j of x.
  double exact(std::int64_t i, std::int64_t j, double t) const {
    return std::exp(-1.25 * pi * pi * t) * std::sin(pi * h * static_cast<double>(j + 1)) *
           std::sin(pi / 2 * h * static_cast<double>(i + 1));
  }

  void begin() const {
    Distribution const& where = u_transposed.distribution;
    example::set(u_transposed.local,
                 [&](std::size_t i, std::size_t j) { return exact(where.global_col(j), where.global_row(i), 0); });
    double last = 0;
    example::set(factors, [&](std::size_t) {
      last = -r / (1 + 2 * r + r * last);
      return last;
    });
    sweep(u_transposed, false, true);
  }

  void sweep(DistributedMatrix<Field> const& field, bool implicit_part, bool explicit_part) const {
    Kokkos::parallel_for("heat: sweep", Kokkos::RangePolicy<Exec>(0, field.local.extent(0)),
                         Sweep{field.local, factors, r, implicit_part, explicit_part});
  }

  // What comes last is the first factor of the next step.
  void step(bool is_last) const {
    pantile::mpi::transpose(u_transposed, u);
    sweep(u, true, true);
    pantile::mpi::transpose(u, u_transposed);
    sweep(u_transposed, true, !is_last);
  }

  void run() const {
    begin();
    int const steps = static_cast<int>(std::lround(end_time / dt));
    for (int s = 1; s <= steps; ++s) step(s == steps);
  }

  // Each direction decays at a wrong rate: too slow by h^2 k^4 / 12 from space, too fast by dt^2 k^6 / 12 from time.
  double error_bound() const {
    double slow = 0, fast = 0;
    for (double k2 : {pi * pi, pi * pi / 4}) {
      double const z = dt * k2 / 2;
      slow += h * h * k2 * k2 / 12;
      fast += dt * dt * k2 * k2 * k2 / 12 / (1 - z * z);
    }
    return end_time * (slow + fast) * std::exp(end_time * (slow - 1.25 * pi * pi));
  }

  // The largest of f(value, row, column) over all elements of all ranks.
  template <class F>
  double largest(F const& f) const {
    auto const part = example::on_host(u_transposed.local);  // waits for the steps
    Distribution const& where = u_transposed.distribution;
    double worst = 0;
    for (std::size_t i = 0; i < part.extent(0); ++i) {
      for (std::size_t j = 0; j < part.extent(1); ++j) {
        worst = std::max(worst, f(part(i, j), where.global_row(i), where.global_col(j)));
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, communicator);
    return worst;
  }
};

int compute(int rank, int ranks) {
  example::Checks check;
  double previous = 0;
  for (int intervals : {64, 128}) {
    Heat const heat{MPI_COMM_WORLD, ranks, intervals}, serial{MPI_COMM_SELF, 1, intervals};
    heat.run();
    serial.run();
    auto const reference = example::on_host(serial.u_transposed.local);
    double const difference =
        heat.largest([&](double value, std::int64_t i, std::int64_t j) { return std::abs(value - reference(i, j)); });
    double const error = heat.largest(
        [&](double value, std::int64_t i, std::int64_t j) { return std::abs(value - heat.exact(j, i, end_time)); });
    double const bound = heat.error_bound(), order = previous > 0 ? std::log2(previous / error) : 2;
    previous = error;
    if (rank != 0) continue;
    std::printf("%3d x %3d intervals on %d ranks: error %.3e, bound %.3e, order %.3f\n", intervals, 2 * intervals,
                ranks, error, bound, order);
    check(difference == 0, "the bits of one rank");
    check(error <= bound, "error within its bound");
    check(std::abs(order - 2) < 0.1, "second order: half the step, a quarter of the error");
  }
  return check.status();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    status = compute(rank, ranks);
  }
  MPI_Finalize();
  return status;
}
