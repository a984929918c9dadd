// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Cases for every way in which hosts compute products of some element types: found by a sweep, of each way the
///        cheapest ones with few and with many rows, columns and products.

#include <matmul/paths.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pantile::testing {

/// All ways that there are; instruction sets and element types have some of them each.
std::set<std::string> const& known_paths();

/// Element types of a product.
template <class A, class B = A, class C = A, class Sum = default_accumulator_t<A, B, C>>
struct Types {
  using TA = A;
  using TB = B;
  using TC = C;
  using Accumulator = Sum;
};

/// Extents on both sides of what plans turn on. None is a multiple of any tile's but for the smallest.
inline constexpr std::array<Index, 23> swept_extents{1,  2,  3,   5,   7,   9,   13,  17,   20,   33,    40,    49,
                                                     50, 70, 100, 129, 200, 301, 401, 1001, 3001, 10001, 100001};
inline constexpr std::array<Index, 20> swept_depths{1,  2,   5,   12,  17,  20,  31,   33,   49,    65,
                                                    70, 100, 129, 200, 301, 513, 1001, 4101, 10001, 100001};

/// Work and memory above which a case is not run at all, and above which a way has one case.
inline constexpr double most_cost = 3e8, most_cost_of_many = 4e5;

inline double cost_of(PathCase const& x) {
  auto const m = static_cast<double>(x.m), n = static_cast<double>(x.n), k = static_cast<double>(x.k);
  auto const stretched = [](Storage storage, double rows, double cols) {
    return storage == Storage::prefetch_rows ? rows * (cols + 1031)
           : storage == Storage::strided     ? 3 * rows * cols
                                             : rows * cols;
  };
  return m * n * k + 8 * (stretched(x.a, m, k) + stretched(x.b, k, n) + stretched(x.c, m, n));
}

struct PathTable {
  std::set<std::string> reached;                       ///< every way that the sweep met
  std::map<std::string, std::vector<PathCase>> cases;  ///< of those that are not too dear
};

/// The table for these types on this machine with the instruction set of this process; made once.
template <class T>
PathTable const& path_table() {
  static PathTable const made = [] {
    auto const machine = impl::arch::with_caches(impl::arch::machine(Host{}));
    // By the way and, where there is little to do, by what is larger than a register tile or a chain of sums.
    std::map<std::pair<std::string, int>, std::pair<double, PathCase>> best;
    PathTable table;
    auto const offer = [&](std::string const& path, int sizes, double cost, PathCase const& x) {
      auto const [at, is_new] = best.try_emplace({path, sizes}, cost, x);
      if (!is_new && cost < at->second.first) at->second = {cost, x};
    };
    for_each_case(swept_extents, swept_extents, swept_depths, [&](PathCase const& x) {
      std::string const path =
          path_of<typename T::TA, typename T::TB, typename T::TC, typename T::Accumulator>(machine, x);
      double const cost = cost_of(x);
      int const sizes =
          (x.m > 12 ? 1 : 0) + (x.n > 12 ? 2 : 0) + (x.n > 48 ? 4 : 0) + (x.k > 12 ? 8 : 0) + (x.k > 224 ? 16 : 0);
      offer(path, -1, cost, x);
      if (cost <= most_cost_of_many) offer(path, sizes, cost, x);
    });
    for (auto const& [key, value] : best) {
      table.reached.insert(key.first);
      auto const& [cost, x] = value;
      if (cost <= (key.second < 0 ? most_cost : most_cost_of_many)) table.cases[key.first].push_back(x);
    }
    return table;
  }();
  return made;
}

/// f(case, number) for every case.
template <class T, class F>
void for_each_path(F const& f) {
  int number = 0;
  for (auto const& [path, cases] : path_table<T>().cases) {
    for (PathCase const& x : cases) f(path, x, number++);
  }
}

}  // namespace pantile::testing
