// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Who counts a histogram: a pure function from numbers to a plan. Nothing is launched here, so tests ask it
///        anything.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pantile::impl::histogram {

/// Everything that a choice may depend on.
struct Query {
  std::int64_t samples = 0;
  std::int64_t bins = 0;      ///< over all dimensions
  std::size_t bin_size = 4;   ///< bytes of one bin
  HistogramOptions options{};
};

/// What runs. `refusal` is a broken rule, empty for a plan that can run.
struct Plan {
  HistogramStrategy strategy = HistogramStrategy::global_atomic;
  char const* reason = "";
  int teams = 1;
  int team_size = 1;
  bool interleaved = false;  ///< neighbouring threads take neighbouring samples; otherwise blocks
  bool alone = false;        ///< one thread does it all: no atomics, samples in rising order
  std::size_t scratch_bytes = 0;
  int scratch_level = 0;
  std::string refusal;
};

/// Threads of a team on devices.
inline constexpr int device_team_size = 256;
/// Samples that a thread should have before another one is worth its start.
inline constexpr std::int64_t host_grain = 2048;
inline constexpr std::int64_t device_grain = 8;

/// As many workers as the machine runs at once, but not more than there are grains of work.
inline int worker_count(std::int64_t samples, std::int64_t grain, std::int64_t most) {
  return static_cast<int>(std::clamp<std::int64_t>(samples / std::max<std::int64_t>(grain, 1), 1,
                                                   std::clamp<std::int64_t>(most, 1, INT_MAX)));
}

/// Lowest level of scratch that has room, or the last one there is.
inline int scratch_level_for(arch::Machine const& machine, std::size_t bytes) {
  int level = 0;
  while (level + 1 < machine.scratch_levels && bytes > machine.scratch_limit[level]) ++level;
  return level;
}

/// Choose strategy and launch.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan;
  plan.strategy = query.options.strategy;
  plan.reason = "asked for by the caller";
  plan.team_size = machine.device ? device_team_size : 1;
  plan.interleaved = machine.device;
  std::int64_t const most = machine.concurrency / plan.team_size;
  std::int64_t const grain = machine.device ? device_grain * plan.team_size : host_grain;
  int const teams = worker_count(query.samples, grain, most);
  // Copies are cleared and flushed once per team: each needs clearly more samples than bins to pay.
  int const teams_with_copies = worker_count(query.samples, std::max(grain, 4 * query.bins), most);

  std::size_t const bytes = tile::scratch_bytes(static_cast<std::size_t>(query.bins), query.bin_size) +
                            tile::scratch_alignment;
  int const level = scratch_level_for(machine, bytes);
  bool const fits = bytes <= machine.scratch_limit[level];
  if (plan.strategy == HistogramStrategy::automatic) {
    bool const one_thread = !machine.device && (query.options.teams == 1 || teams == 1);
    bool const pays = query.samples >= 4 * query.bins;
    plan.strategy = fits && pays && !one_thread ? HistogramStrategy::scratch : HistogramStrategy::global_atomic;
    plan.reason = one_thread ? "one thread does it: nothing is shared"
                  : !fits    ? "the bins do not fit into team scratch"
                  : !pays    ? "too few samples per bin to clear and flush copies for"
                             : "a copy of the bins per team spares contention";
  }
  if (plan.strategy == HistogramStrategy::scratch) {
    plan.scratch_bytes = bytes;
    plan.scratch_level = level;
    if (!fits) {
      plan.refusal = "strategy scratch needs " + std::to_string(bytes) + " bytes of team scratch for " +
                     std::to_string(query.bins) + " bins, the limit is " +
                     std::to_string(machine.scratch_limit[level]) + " at level " + std::to_string(level);
    }
  }
  bool const copies = plan.strategy == HistogramStrategy::scratch;
  // A team without a sample would only cost its start.
  auto const useful = static_cast<int>(std::clamp<std::int64_t>(query.samples, 1, INT_MAX));
  plan.teams = query.options.teams > 0 ? std::min(query.options.teams, useful) : copies ? teams_with_copies : teams;
  plan.alone = !copies && plan.teams * static_cast<std::int64_t>(plan.team_size) == 1;
  return plan;
}

}  // namespace pantile::impl::histogram
