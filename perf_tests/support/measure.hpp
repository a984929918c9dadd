// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Timing of asynchronous work, and random operands.

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace pantile::perf {

/// \brief  Time `work(exec)` with a fence before and after, once untimed first; for benchmarks with UseManualTime().
template <class Exec, class Work>
void measure(benchmark::State& state, Exec const& exec, Work const& work) {
  work(exec);
  for ([[maybe_unused]] auto _ : state) {
    exec.fence("pantile::perf: before");
    auto const begin = std::chrono::steady_clock::now();
    work(exec);
    exec.fence("pantile::perf: after");
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
}

inline void count_flops(benchmark::State& state, double flops) {
  state.counters["FLOP/s"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}

inline void count_bytes(benchmark::State& state, double bytes) {
  state.counters["bytes/s"] = benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
}

/// A matrix of uniform random values, the same on every run.
template <class T, class Layout = Kokkos::LayoutRight>
Kokkos::View<T**, Layout> random_matrix(std::string const& label, std::int64_t rows, std::int64_t cols) {
  Kokkos::View<T**, Layout> matrix(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), rows, cols);
  Kokkos::Random_XorShift64_Pool<> pool(20240229);
  Kokkos::fill_random(matrix, pool, T(-1), T(1));
  Kokkos::fence();
  return matrix;
}

}  // namespace pantile::perf
