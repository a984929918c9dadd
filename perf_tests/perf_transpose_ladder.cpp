// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The rungs of transpose beside a copy of the same matrix: naive, tiled, padded, deep_copy.
#include <support/measure.hpp>

#include <pantile/transpose.hpp>

namespace {

using Algorithm = pantile::TransposeAlgorithm;
using pantile::perf::random_matrix;

double traffic(std::int64_t n, std::size_t element) {
  return 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(element);
}

template <class T>
void rung(benchmark::State& state, Algorithm algorithm) {
  std::int64_t const n = state.range(0);
  auto const a = random_matrix<T>("A", n, n), b = random_matrix<T>("B", n, n);
  pantile::perf::measure(state, Kokkos::DefaultExecutionSpace{},
                         [&](auto const& exec) { pantile::transpose(exec, a, b, {.algorithm = algorithm}); });
  pantile::perf::count_bytes(state, traffic(n, sizeof(T)));
}

template <class T>
void copy(benchmark::State& state) {
  std::int64_t const n = state.range(0);
  auto const a = random_matrix<T>("A", n, n), b = random_matrix<T>("B", n, n);
  pantile::perf::measure(state, Kokkos::DefaultExecutionSpace{},
                         [&](auto const& exec) { Kokkos::deep_copy(exec, b, a); });
  pantile::perf::count_bytes(state, traffic(n, sizeof(T)));
}

template <class T>
void add_rungs(char const* element) {
  std::string const prefix = std::string("transpose/") + element + "/";
  for (Algorithm const algorithm : {Algorithm::naive, Algorithm::tiled, Algorithm::padded}) {
    auto const body = [algorithm](benchmark::State& state) { rung<T>(state, algorithm); };
    benchmark::RegisterBenchmark((prefix + to_string(algorithm) + "/smoke").c_str(), body)->Arg(65)->UseManualTime();
    for (std::int64_t const n : {1024, 4096, 8192}) {
      benchmark::RegisterBenchmark((prefix + to_string(algorithm)).c_str(), body)->Arg(n)->UseManualTime();
    }
  }
  for (std::int64_t const n : {1024, 4096, 8192}) {
    benchmark::RegisterBenchmark((prefix + "deep_copy").c_str(), copy<T>)->Arg(n)->UseManualTime();
  }
}

bool const registered = [] {
  add_rungs<std::int32_t>("int32");
  add_rungs<double>("double");
  return true;
}();

}  // namespace
