// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pantile inside a simulation code: the heat equation u_t = u_xx + u_yy on [0,1] x [0,2], zero on the boundary, by
// alternating directions (Peaceman and Rachford, J. SIAM 3, 1955):
//
//   (I - r Dx) u* = (I + r Dy) u ,   (I - r Dy) u' = (I + r Dx) u* ,   r = dt / (2 h^2)
//
// Each half step solves a tridiagonal system along every row, where elements are contiguous. Between the half steps the
// field is transposed, so that one kernel serves both directions.
//
// Look at step(): the Views, their layout and the execution-space instance are the simulation's own. Kernels and
// transposes follow each other on that instance, and nothing waits.
// The result is checked against exp(-5/4 pi^2 t) sin(pi x) sin(pi y / 2): error below its bound, and of second order.

#include <pantile/transpose.hpp>

#include <common/example.hpp>

#include <algorithm>
#include <cmath>

using Exec = Kokkos::DefaultExecutionSpace;
using Field = Kokkos::View<double**, Kokkos::LayoutRight>;
using Line = Kokkos::View<double*>;

constexpr double pi = 3.14159265358979323846, end_time = 0.125;

// V = (I - r D along rows)^-1 (I + r D across rows) U by Thomas' algorithm. Its factors c do not depend on the row.
struct HalfStep {
  Field U, V;
  Line c;
  double r;

  KOKKOS_FUNCTION void operator()(int i) const {
    int const rows = U.extent_int(0), cols = U.extent_int(1);
    double last = 0;
    for (int j = 0; j < cols; ++j) {
      double const below = i > 0 ? U(i - 1, j) : 0, above = i + 1 < rows ? U(i + 1, j) : 0;
      double const right_side = U(i, j) + r * (below - 2 * U(i, j) + above);
      last = -c(j) / r * (right_side + r * last);
      V(i, j) = last;
    }
    for (int j = cols - 2; j >= 0; --j) V(i, j) -= c(j) * V(i, j + 1);
  }
};

struct Heat {
  Exec exec;
  int intervals;  // along x; twice as many along y
  double h = 1.0 / intervals, dt = h, r = dt / (2 * h * h);
  std::size_t nx = intervals - 1, ny = 2 * intervals - 1;  // inner points
  Field u{"u", ny, nx}, u_star{"u*", ny, nx}, u_transposed{"u^T", nx, ny}, u_star_transposed{"u*^T", nx, ny};
  Line factors{"factors", ny};

  double exact(int i, int j, double t) const {
    return std::exp(-1.25 * pi * pi * t) * std::sin(pi * h * (j + 1)) * std::sin(pi / 2 * h * (i + 1));
  }

  void begin() const {
    example::set(u, [&](int i, int j) { return exact(i, j, 0); });
    double last = 0;
    example::set(factors, [&](int) {
      last = -r / (1 + 2 * r + r * last);
      return last;
    });
  }

  void half_step(Field const& from, Field const& to) const {
    Kokkos::parallel_for("heat: half step", Kokkos::RangePolicy<Exec>(exec, 0, from.extent(0)),
                         HalfStep{from, to, factors, r});
  }

  void step() const {
    half_step(u, u_star);
    pantile::transpose(exec, u_star, u_star_transposed);
    half_step(u_star_transposed, u_transposed);
    pantile::transpose(exec, u_transposed, u);
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

  double error() const {
    auto const result = example::on_host(u);  // waits for the steps
    double worst = 0;
    for (int i = 0; i < result.extent_int(0); ++i) {
      for (int j = 0; j < result.extent_int(1); ++j) {
        worst = std::max(worst, std::abs(result(i, j) - exact(i, j, end_time)));
      }
    }
    return worst;
  }
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  double previous = 0;
  for (int intervals : {64, 128}) {
    Heat const heat{Kokkos::Experimental::partition_space(Exec(), 1)[0], intervals};
    heat.begin();
    int const steps = static_cast<int>(std::lround(end_time / heat.dt));
    for (int s = 0; s < steps; ++s) heat.step();
    double const error = heat.error(), bound = heat.error_bound();
    std::printf("%3d x %3d intervals, %2d steps: ", intervals, 2 * intervals, steps);
    std::printf("error %.3e, bound %.3e\n", error, bound);
    check(error <= bound, "error within its bound");
    if (previous > 0) {
      double const order = std::log2(previous / error);
      std::printf("order %.3f\n", order);
      check(std::abs(order - 2) < 0.1, "second order: half the step, a quarter of the error");
    }
    previous = error;
  }
  return check.status();
}
