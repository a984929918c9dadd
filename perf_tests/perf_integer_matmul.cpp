// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  matmul of int32 beside NumPy's, and against Pantile's own rate for float.
#include <peers/numpy.hpp>
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
using pantile::perf::Numpy;
using pantile::perf::random_host_matrix;
using pantile::perf::settings;

/// NumPy's product of this size takes seconds from here on.
constexpr std::int64_t largest_for_numpy = 1024;

/// Sum of the elements' bits, each times its number from one, as numpy_peer.py forms it.
std::string checksum(HostMatrix<std::int32_t> const& c) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    sum += static_cast<std::uint64_t>(static_cast<std::int64_t>(c.data()[i])) * (i + 1);
  }
  return std::to_string(sum);
}

void integer_contest(benchmark::State& state, std::int64_t n) {
  auto const a = random_host_matrix<std::int32_t>("A", n, n, 1), b = random_host_matrix<std::int32_t>("B", n, n, 2);
  HostMatrix<std::int32_t> const c("C", n, n);
  auto const fa = random_host_matrix<float>("A", n, n, 1), fb = random_host_matrix<float>("B", n, n, 2);
  HostMatrix<float> const fc("C", n, n);
  double const amount = 2e-9 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);

  pantile::perf::Contest contest("GOP/s", amount);
  contest.before_first_call([=] { pantile::perf::spoil(c); });
  Host const exec;
  Numpy* const numpy = n <= largest_for_numpy ? Numpy::process() : nullptr;
  pantile::perf::Verdict unjudged = [] { return std::string(); };
  contest.own(pantile::perf::timed([=] { pantile::matmul(exec, 1, a, b, 0, c); }), unjudged);
  if (numpy != nullptr) {
    contest.peer("numpy", numpy->watch("matmul " + std::to_string(n)), [=] {
      pantile::matmul(exec, 1, a, b, 0, c);
      Kokkos::fence();
      return numpy->ask("checksum") == checksum(c) ? "" : std::string("the checksum is not that of Pantile's product");
    });
  }
  contest.bound("own_float", pantile::perf::timed([=] { pantile::matmul(exec, 1.f, fa, fb, 0.f, fc); }), amount);
  contest.run(state, settings());
}

bool const registered = pantile::perf::on_start([] {
  std::vector<std::int64_t> sizes{64, 128, 256, 512, 1024, 2048};
  if (settings().smoke()) sizes = {6};
  if (settings().scale == pantile::perf::Scale::quick) sizes = {64, 256};
  for (std::int64_t const n : sizes) {
    std::string const edge = std::to_string(n);
    pantile::perf::add_case("integers/int32/" + edge + "x" + edge + "x" + edge,
                            [n](benchmark::State& state) { integer_contest(state, n); });
  }
});

}  // namespace
