// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pantile's tools inside a kernel of your own: covariance matrices of many small data sets, one team each, in one
// launch.
//
// Look at operator(): the data are read from global memory once. Everything in between (centred data, their transpose,
// the product's tiles) lives in team scratch, and the tools take its tiles and Views alike. The numbers of teams and
// threads, and what else the kernel does, are yours.

#include <pantile/team/load_store.hpp>
#include <pantile/team/loops.hpp>
#include <pantile/team/matmul.hpp>
#include <pantile/team/scratch_tile.hpp>
#include <pantile/team/transpose.hpp>

#include <common/example.hpp>

#include <random>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Batch = Kokkos::View<double***, Kokkos::LayoutRight>;
namespace team = pantile::team;

constexpr int sets = 100, samples = 37, features = 6;

struct Covariance {
  using Tile = team::ScratchTile<double>;
  using Products = team::MatmulScratch<double>;
  Batch data;    // (sets, samples, features)
  Batch result;  // (sets, features, features)

  static int scratch_bytes() {
    return Tile::bytes(samples, features) + Tile::bytes(features, samples) + Tile::bytes(16, 16, 1) + Products::bytes();
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const set = member.league_rank();
    Tile const x(member, samples, features), x_transposed(member, features, samples), buffer(member, 16, 16, 1);
    Products const products(member);

    team::load_tile(member, Kokkos::subview(data, set, Kokkos::ALL, Kokkos::ALL), 0, 0, x);
    member.team_barrier();
    team::team_for(member, features, [&](int j) {
      double sum = 0;
      for (int i = 0; i < samples; ++i) sum += x(i, j);
      for (int i = 0; i < samples; ++i) x(i, j) -= sum / samples;
    });
    member.team_barrier();
    team::transpose(member, x, x_transposed, buffer);
    team::matmul(member, 1.0 / (samples - 1), x_transposed, x, 0.0,
                 Kokkos::subview(result, set, Kokkos::ALL, Kokkos::ALL), products);
  }
};

// The textbook's sums on the host.
template <class HostBatch>
static double covariance(HostBatch const& data, int set, int a, int b) {
  double mean_a = 0, mean_b = 0, sum = 0;
  for (int i = 0; i < samples; ++i) {
    mean_a += data(set, i, a) / samples;
    mean_b += data(set, i, b) / samples;
  }
  for (int i = 0; i < samples; ++i) sum += (data(set, i, a) - mean_a) * (data(set, i, b) - mean_b);
  return sum / (samples - 1);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Batch const data("data", sets, samples, features), result("result", sets, features, features);
  auto const host_data = Kokkos::create_mirror_view(data);
  std::mt19937 engine(1);
  std::normal_distribution<double> normal(5, 2);
  for (std::size_t p = 0; p < host_data.size(); ++p) host_data.data()[p] = normal(engine);
  Kokkos::deep_copy(data, host_data);

  auto const policy = Policy(sets, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Covariance::scratch_bytes()));
  Kokkos::parallel_for("example: covariance", policy, Covariance{data, result});
  Kokkos::fence();

  auto const host_result = example::on_host(result);
  double worst = 0;
  for (int set = 0; set < sets; ++set) {
    for (int a = 0; a < features; ++a) {
      for (int b = 0; b < features; ++b) {
        worst = std::fmax(worst, std::abs(host_result(set, a, b) - covariance(host_data, set, a, b)));
      }
    }
  }
  example::print(Kokkos::subview(result, 0, Kokkos::ALL, Kokkos::ALL));
  std::printf("largest difference from the host's sums: %.1e\n", worst);
  example::Checks check;
  check(worst < 1e-12, "100 covariance matrices in one kernel");  // variances are about 4
  return check.status();
}
