// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  matmul of elements narrower than their sums, against Pantile's own rate for float. No library on this host
///        offers them.
#include <support/contest.hpp>
#include <support/operands.hpp>
#include <support/settings.hpp>

#include <pantile/matmul.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using pantile::perf::Host;
using pantile::perf::HostMatrix;
using pantile::perf::random_host_matrix;
using pantile::perf::settings;

template <class T, class TC>
void low_precision_contest(benchmark::State& state, std::int64_t n) {
  auto const fa = random_host_matrix<float>("A", n, n, 1), fb = random_host_matrix<float>("B", n, n, 2);
  HostMatrix<T> const a("A", n, n), b("B", n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      a(i, j) = static_cast<T>(100 * fa(i, j));
      b(i, j) = static_cast<T>(100 * fb(i, j));
    }
  }
  HostMatrix<TC> const c("C", n, n);
  HostMatrix<float> const fc("C", n, n);
  double const amount = 2e-9 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  pantile::perf::Contest contest("GOP/s", amount);
  contest.before_first_call([=] { pantile::perf::spoil(c); });
  Host const exec;
  pantile::perf::Verdict unjudged = [] { return std::string(); };
  contest.own(pantile::perf::timed([=] { pantile::matmul(exec, TC(1), a, b, TC(0), c); }), unjudged);
  contest.bound("own_float", pantile::perf::timed([=] { pantile::matmul(exec, 1.f, fa, fb, 0.f, fc); }), amount);
  contest.run(state, settings());
}

template <class T, class TC>
void add_cases(std::string const& element) {
  std::vector<std::int64_t> sizes{64, 256, 1024, 2048};
  if (settings().smoke()) sizes = {6};
  if (settings().scale == pantile::perf::Scale::quick) sizes = {64, 256};
  for (std::int64_t const n : sizes) {
    std::string const edge = std::to_string(n);
    pantile::perf::add_case("low_precision/" + element + "/" + edge + "x" + edge + "x" + edge,
                            [n](benchmark::State& state) { low_precision_contest<T, TC>(state, n); });
  }
}

bool const registered = pantile::perf::on_start([] {
  add_cases<std::int8_t, std::int32_t>("int8");
#if defined(__FLT16_MAX__)  // the compiler has the type
  add_cases<_Float16, float>("half");
#endif
#if defined(__BFLT16_MAX__)
  add_cases<__bf16, float>("bhalf");
#endif
});

}  // namespace
