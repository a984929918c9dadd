// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the machine can do: peak of fused multiply-adds, copies and a stream addition written for it by hand.

#include <peers/machine_native.hpp>
#include <support/contest.hpp>

#include <cstddef>
#include <cstdint>

namespace pantile::perf {

/// \brief  Call f(begin, end) on every thread of the host with its part of `count` items; parts are multiples of
///         `grain`.
template <class F>
void on_all_threads(std::size_t count, std::size_t grain, F const& f) {
  auto const threads = static_cast<std::size_t>(host_threads());
  std::size_t const grains = (count + grain - 1) / grain;
  if (threads == 1) {
    f(std::size_t(0), count);
    return;
  }
  Kokkos::parallel_for("pantile::perf::on_all_threads", Kokkos::RangePolicy<Host>(0, static_cast<int>(threads)),
                       [=](int thread) {
                         auto const t = static_cast<std::size_t>(thread);
                         std::size_t const begin = grains * t / threads * grain;
                         std::size_t const end = grains * (t + 1) / threads * grain;
                         f(begin < count ? begin : count, end < count ? end : count);
                       });
}

/// Add the peak of fused multiply-adds of T's precision on all threads; the contest's unit is GFLOP/s or GOP/s.
template <class T>
void add_peak(Contest& contest);

/// Add memcpy and the stream copy of `bytes` bytes on all threads; the contest's unit is GB/s, read and write counted.
void add_copies(Contest& contest, void* target, void const* source, std::size_t bytes);

/// The best of several rounds of both: `bytes`, and the rate in GB/s.
JsonObject best_copy(std::size_t bytes);

}  // namespace pantile::perf
