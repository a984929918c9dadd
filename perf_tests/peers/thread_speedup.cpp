// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <peers/thread_speedup.hpp>
#include <support/contest.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace pantile::perf {

std::string thread_speedup(std::function<void(int)> const& set_threads,
                           std::function<void(double const* a, double const* b, double* c, int n)> const& multiply) {
  int const threads = host_threads();
  if (threads == 1) return "";
  constexpr int n = 768, rounds = 9;
  std::vector<double> const a(n * n, 0.5), b(n * n, 0.25);
  std::vector<double> c(n * n);
  auto watch = timed(Host(), [&] { multiply(a.data(), b.data(), c.data(), n); });
  std::array<double, 2> best{1e30, 1e30};
  for (int round = 0; round < rounds; ++round) {
    for (int const all : {0, 1}) {
      set_threads(all == 1 ? threads : 1);
      double& least = best[static_cast<std::size_t>(all)];
      least = std::min(least, watch(1));
    }
  }
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), ", %d threads are %.2f x one", threads, best[0] / best[1]);
  return text.data();
}

}  // namespace pantile::perf
