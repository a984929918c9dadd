// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <peers/machine.hpp>

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

void add_copies(Contest& contest, void* target, void const* source, std::size_t bytes) {
  auto* const to = static_cast<unsigned char*>(target);
  auto const* const from = static_cast<unsigned char const*>(source);
  double const amount = 2e-9 * static_cast<double>(bytes);
  auto const by = [=](auto copy) {
    return timed(Host(), [=] {
      on_all_threads(bytes, 4096,
                     [=](std::size_t begin, std::size_t end) { copy(to + begin, from + begin, end - begin); });
    });
  };
  contest.bound("memcpy", by(machine::copy), amount);
  contest.bound("stream_copy", by(machine::stream_copy), amount);
}

template void add_peak<float>(Contest&);
template void add_peak<double>(Contest&);

}  // namespace pantile::perf
