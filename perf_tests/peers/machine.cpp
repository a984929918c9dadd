// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <peers/machine.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace pantile::perf {

template <class T>
void add_peak(Contest& contest) {
  constexpr std::int64_t steps = 20000;
  auto const threads = static_cast<std::size_t>(host_threads());
  std::vector<T> results(threads * 64);  // a cache line for each
  double const operations = machine::multiply_adds(1, results[0]) * static_cast<double>(steps * host_threads());
  auto const work = [results]() mutable {
    T* const out = results.data();
    on_all_threads(results.size() / 64, 1, [=](std::size_t begin, std::size_t end) {
      for (std::size_t thread = begin; thread < end; ++thread) machine::multiply_adds(steps, out[thread * 64]);
    });
  };
  contest.bound("fma_peak", timed(Host(), work), operations * 1e-9);
}

namespace {

using Copy = void (*)(void*, void const*, std::size_t);

/// On all threads.
Stopwatch timed_copy(Copy copy, void* target, void const* source, std::size_t bytes) {
  auto* const to = static_cast<unsigned char*>(target);
  auto const* const from = static_cast<unsigned char const*>(source);
  return timed(Host(), [=] {
    on_all_threads(bytes, 4096,
                   [=](std::size_t begin, std::size_t end) { copy(to + begin, from + begin, end - begin); });
  });
}

}  // namespace

void add_copies(Contest& contest, void* target, void const* source, std::size_t bytes) {
  double const amount = 2e-9 * static_cast<double>(bytes);
  contest.bound("memcpy", timed_copy(machine::copy, target, source, bytes), amount);
  contest.bound("stream_copy", timed_copy(machine::stream_copy, target, source, bytes), amount);
}

JsonObject best_copy(std::size_t bytes) {
  using Bytes = Kokkos::View<unsigned char*, Kokkos::HostSpace>;
  Bytes const source("pantile::perf::source", bytes), target("pantile::perf::target", bytes);
  double best = std::numeric_limits<double>::infinity();
  for (Copy const copy : {Copy(machine::copy), Copy(machine::stream_copy)}) {
    Stopwatch const watch = timed_copy(copy, target.data(), source.data(), bytes);
    for (int round = 0; round < 7; ++round) best = std::min(best, watch(1));
  }
  JsonObject known;
  known.add("bytes", static_cast<double>(bytes));
  known.add("rate", 2e-9 * static_cast<double>(bytes) / best);
  return known;
}

template void add_peak<float>(Contest&);
template void add_peak<double>(Contest&);

}  // namespace pantile::perf
