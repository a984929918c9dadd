// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Pantile, its peers and the machine's bounds taking turns in one process.

#include <support/settings.hpp>

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pantile::perf {

using Host = Kokkos::DefaultHostExecutionSpace;

inline int host_threads() { return Host().concurrency(); }

/// Seconds that so many calls in a row take.
using Stopwatch = std::function<double(std::int64_t calls)>;
/// What is wrong with the result of the last call; empty if nothing is.
using Verdict = std::function<std::string()>;

/// \brief  A stopwatch around `work()`, fenced on both sides. The loop is compiled with the work: nothing is called
///         through a pointer between the calls.
template <class Work>
Stopwatch timed(Work work) {
  return [work = std::move(work)](std::int64_t calls) mutable {
    Kokkos::fence("pantile::perf: before");
    auto const begin = std::chrono::steady_clock::now();
    for (std::int64_t call = 0; call < calls; ++call) work();
    Kokkos::fence("pantile::perf: after");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
}

/// \brief  One case: the contestants are timed in turns, and the medians of their rates become counters.
///
/// Counters: `pantile`, `peer:NAME`, `bound:NAME` in the case's unit, which is the benchmark's label (of a bound the
/// best rate, not the median); `spread:NAME`, the distance of the quartiles relative to the median; `rounds`. Every
/// contestant works on the same operands. Each round starts with another one, so that none always finds the caches of
/// the same predecessor.
class Contest {
 public:
  /// \param  unit    of the rates, such as GFLOP/s
  /// \param  amount  what one call does, in that unit's numerator
  Contest(std::string unit, double amount) : m_unit(std::move(unit)), m_amount(amount) {}

  /// Spoil the results before each contestant's first call, so that the verdict on it is its own.
  void before_first_call(std::function<void()> reset) { m_reset = std::move(reset); }

  void own(Stopwatch watch, Verdict verdict) { add("pantile", std::move(watch), std::move(verdict), m_amount); }
  void peer(std::string const& name, Stopwatch watch, Verdict verdict) {
    add("peer:" + name, std::move(watch), std::move(verdict), m_amount);
  }
  /// A limit of the machine, with an amount of its own; it leaves no result to judge.
  void bound(std::string const& name, Stopwatch watch, double amount) {
    add("bound:" + name, std::move(watch), nullptr, amount);
  }

  /// Time everything; a contestant whose result is wrong ends the case with an error that names it.
  void run(benchmark::State& state, Settings const& settings);

 private:
  struct Contestant {
    std::string name;
    Stopwatch watch;
    Verdict verdict;
    double amount;
    std::int64_t calls = 1;
    std::vector<double> seconds{};  ///< per call, one for each round
  };

  void add(std::string name, Stopwatch watch, Verdict verdict, double amount) {
    m_contestants.push_back({std::move(name), std::move(watch), std::move(verdict), amount});
  }
  double calibrate(Contestant& contestant, double wanted) const;
  std::string first_call(Contestant& contestant) const;

  std::string m_unit;
  double m_amount;
  std::function<void()> m_reset;
  std::vector<Contestant> m_contestants;
};

/// Register a case that is run once; the repetitions are the contest's own.
template <class Body>
void add_case(std::string const& name, Body body) {
  benchmark::RegisterBenchmark(name.c_str(), body)->Iterations(1)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

}  // namespace pantile::perf
