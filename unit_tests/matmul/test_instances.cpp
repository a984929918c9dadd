// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Instances other than the default one: alone, and two of them at the same time.
#include <matmul/cases.hpp>

#include <string>
#include <thread>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using Exec = Kokkos::DefaultExecutionSpace;

TEST(MatmulInstances, ANonDefaultInstanceIsRight) {
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  Call<double> const call({67, 35, 130});
  for (auto const& instance : instances) {
    for (Algorithm const algorithm : own_algorithms) {
      SCOPED_TRACE(to_string(algorithm));
      expect_right(instance, call, {.algorithm = algorithm}, {Placement::left, Placement::strided, Placement::left});
    }
  }
}

// C <- A C' and back, again and again, on each of two instances: any step that ran elsewhere or too early shows.
TEST(MatmulInstances, TwoInstancesDoNotDisturbEachOther) {
  if (std::string(Exec::name()) == "Threads") GTEST_SKIP() << "this backend takes calls from one host thread only";
  constexpr std::size_t n = 40;
  constexpr int steps = 30;
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  using View = Kokkos::View<std::int64_t**, Kokkos::LayoutRight, Exec>;
  struct Chain {
    View a{"a", n, n}, x{"x", n, n}, y{"y", n, n};
  };
  Chain const chains[2];
  HostMatrix<std::int64_t> expected[2] = {{n, n}, {n, n}};
  for (int c = 0; c < 2; ++c) {
    auto const a = random_matrix<std::int64_t>(n, n, 20 + c);
    expected[c] = random_matrix<std::int64_t>(n, n, 30 + c);
    auto const host_a = Kokkos::create_mirror_view(chains[c].a), host_x = Kokkos::create_mirror_view(chains[c].x);
    for (std::size_t i = 0; i < n * n; ++i) {
      host_a.data()[i] = a.values[i];
      host_x.data()[i] = expected[c].values[i];
    }
    Kokkos::deep_copy(chains[c].a, host_a);
    Kokkos::deep_copy(chains[c].x, host_x);
    HostMatrix<std::int64_t> const zero(n, n);
    for (int s = 0; s < 2 * steps; ++s) {
      expected[c] = reference_matmul<std::int64_t>(1, a, expected[c], 0, zero).values;
    }
  }
  auto const work = [&](int c) {
    Chain const& chain = chains[c];
    Algorithm const algorithm = c == 0 ? Algorithm::tiled : Algorithm::automatic;
    for (int s = 0; s < steps; ++s) {
      pantile::matmul(instances[c], 1, chain.a, chain.x, 0, chain.y, {.algorithm = algorithm});
      pantile::matmul(instances[c], 1, chain.a, chain.y, 0, chain.x, {.algorithm = Algorithm::grid_stride});
    }
    instances[c].fence();
  };
  // Kokkos remembers what it asked of a kernel at its first launch, and not for two threads at once.
  for (Algorithm const algorithm : {Algorithm::tiled, Algorithm::automatic, Algorithm::grid_stride}) {
    pantile::matmul(instances[0], 1, chains[0].a, chains[0].x, 0, chains[0].y, {.algorithm = algorithm});
  }
  instances[0].fence();
  std::thread other(work, 1);
  work(0);
  other.join();
  for (int c = 0; c < 2; ++c) {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, chains[c].x);
    HostMatrix<std::int64_t> result(n, n);
    for (std::size_t i = 0; i < n * n; ++i) result.values[i] = host.data()[i];
    EXPECT_TRUE(equal(result, expected[c])) << "instance " << c;
  }
}

}  // namespace
