// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batched twin of 16_heat_adi: many small operators, as spectral elements have them. The square is cut into
// elements; in each the field is a polynomial, given at the (p+1) x (p+1) Gauss-Lobatto-Legendre points. Its gradient
// is two products per element with one small matrix D, the derivatives of the Lagrange polynomials at the points
// (Deville, Fischer, Mund: High-Order Methods for Incompressible Fluid Flow, 2002, section 2.4):
//
//   u_x = 2/h u D^T ,   u_y = 2/h D u
//
// Look at the three ways: a kernel in plain Kokkos with a team per element; the same with team::matmul, where D and the
// element lie in scratch and their products stay in your kernel; two calls of pantile::matmul, each for all elements,
// with D, once transposed, as the one matrix that all have in common.
// The result is checked against the exact gradient: D differentiates polynomials up to degree p exactly.

#include <pantile/matmul.hpp>
#include <pantile/team/load_store.hpp>
#include <pantile/team/matmul.hpp>
#include <pantile/team/scratch_tile.hpp>

#include <common/example.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight>;
using Batch = Kokkos::View<double***, Kokkos::LayoutRight>;  // (element, y, x)
namespace team = pantile::team;

constexpr int points = 8, degree = points - 1, across = 24, elements = across * across;
constexpr double h = 2.0 / across;  // of the square [-1, 1]^2

constexpr std::array<double, points> x{-1,
                                       -0.8717401485096066,
                                       -0.5917001814331423,
                                       -0.2092992179024789,
                                       0.2092992179024789,
                                       0.5917001814331423,
                                       0.8717401485096066,
                                       1};

// By barycentric weights, diagonal from the rows' sums, which are zero.
static void set_derivatives(Matrix const& D) {
  auto const weight = [&](int i) {
    double product = 1;
    for (int j = 0; j < points; ++j) product *= j == i ? 1 : x[i] - x[j];
    return 1 / product;
  };
  auto const off_diagonal = [&](int i, int j) { return weight(j) / weight(i) / (x[i] - x[j]); };
  auto const entry = [&](int i, int j) {
    if (i != j) return off_diagonal(i, j);
    double sum = 0;
    for (int k = 0; k < points; ++k) sum -= k == i ? 0 : off_diagonal(i, k);
    return sum;
  };
  example::set(D, entry);
}

struct Gradient {
  Exec exec;
  Matrix D{"D", points, points};
  Batch u{"u", elements, points, points}, u_x{"u_x", elements, points, points}, u_y{"u_y", elements, points, points};

  void by_kernel() const {
    auto const copy = *this;
    Kokkos::parallel_for(
        "example: gradient", Policy(exec, elements, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
          int const e = member.league_rank();
          Kokkos::parallel_for(Kokkos::TeamThreadRange(member, points * points), [&](int p) {
            int const i = p / points, j = p % points;
            double along_x = 0, along_y = 0;
            for (int k = 0; k < points; ++k) {
              along_x += copy.u(e, i, k) * copy.D(j, k);
              along_y += copy.D(i, k) * copy.u(e, k, j);
            }
            copy.u_x(e, i, j) = 2 / h * along_x;
            copy.u_y(e, i, j) = 2 / h * along_y;
          });
        });
  }

  void by_team_tools() const {
    using Tile = team::ScratchTile<double>;
    using Products = team::MatmulScratch<double>;
    pantile::MatmulTile const tile{points, points, points};
    auto const copy = *this;
    auto const bytes = Tile::bytes(points, points) + Products::bytes(tile);
    auto const policy = Policy(exec, elements, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(bytes));
    Kokkos::parallel_for(
        "example: gradient by team::matmul", policy, KOKKOS_LAMBDA(Member const& member) {
          auto const of_element = [&](Batch const& batch) {
            return Kokkos::subview(batch, member.league_rank(), Kokkos::ALL, Kokkos::ALL);
          };
          Tile const field(member, points, points);
          Products const products(member, tile);
          team::load_tile(member, of_element(copy.u), 0, 0, field);
          member.team_barrier();
          team::matmul(member, 2 / h, field, copy.D, 0.0, of_element(copy.u_x), products,
                       {.op_b = pantile::Op::transpose});
          team::matmul(member, 2 / h, copy.D, field, 0.0, of_element(copy.u_y), products);
        });
  }

  void by_calls() const {
    pantile::matmul(exec, 2 / h, u, D, 0.0, u_x, {.op_b = pantile::Op::transpose});
    pantile::matmul(exec, 2 / h, D, u, 0.0, u_y);
  }
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Gradient const gradient{};
  set_derivatives(gradient.D);

  // All elements below each other, as the helpers want them: row r is row r % points of element r / points.
  auto const rows = [](Batch const& batch) { return Matrix(batch.data(), elements * points, points); };
  auto const x_at = [&](int r, int j) { return -1 + h * (r / points % across + (1 + x[j]) / 2); };
  auto const y_at = [&](int r) { return -1 + h * (r / points / across + (1 + x[r % points]) / 2); };
  auto const power = [](double base, int exponent) { return std::pow(base, exponent); };
  example::set(rows(gradient.u), [&](int r, int j) { return power(x_at(r, j), degree) * power(y_at(r), 3); });

  // A sum has `points` products of at most degree^2; what it and the entries of D are off by is less than 4 points + 2
  // roundings of it.
  double const rounding = std::numeric_limits<double>::epsilon() / 2;
  double const tolerance = 2 / h * points * degree * degree * (4 * points + 2) * rounding;
  example::Checks check;
  auto const right = [&] {
    auto const u_x = example::on_host(rows(gradient.u_x)), u_y = example::on_host(rows(gradient.u_y));
    double worst = 0;
    for (int r = 0; r < elements * points; ++r) {
      for (int j = 0; j < points; ++j) {
        double const along_x = degree * power(x_at(r, j), degree - 1) * power(y_at(r), 3);
        double const along_y = 3 * power(x_at(r, j), degree) * power(y_at(r), 2);
        worst = std::fmax(worst, std::fmax(std::abs(u_x(r, j) - along_x), std::abs(u_y(r, j) - along_y)));
      }
    }
    std::printf("largest error %.1e, tolerance %.1e\n", worst, tolerance);
    return worst <= tolerance;
  };
  auto const way = [&](char const* name, void (Gradient::*run)() const) {
    Kokkos::deep_copy(gradient.u_x, -1);
    Kokkos::deep_copy(gradient.u_y, -1);
    double const time = example::median_seconds([&] { (gradient.*run)(); });
    std::printf("%s: %d elements of %d x %d points, %.6f s\n", name, elements, points, points, time);
    check(right(), name);
  };
  way("kernel", &Gradient::by_kernel);
  way("team::matmul in a kernel", &Gradient::by_team_tools);
  way("matmul of batches", &Gradient::by_calls);
  return check.status();
}
