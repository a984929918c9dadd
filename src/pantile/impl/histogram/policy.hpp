// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Who counts a histogram: a pure function from numbers to a plan. Nothing is launched here, so tests ask it
///        anything.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/host/tuning.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/launch/teams.hpp>
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
  std::int64_t bins = 0;     ///< over all dimensions
  std::size_t bin_size = 4;  ///< bytes of one bin
  HistogramOptions options{};
  bool counting = false;  ///< the counting kernels can do it: rank 1, no weights, indices next to each other
  bool refuses = false;   ///< no sample may be out of range
};

/// What runs.
struct Plan : launch::TeamPlan {
  HistogramAlgorithm algorithm = HistogramAlgorithm::global_atomic;
  int teams = 1;
  bool interleaved = false;  ///< neighbouring threads take neighbouring samples; otherwise blocks
  int copies = 0;            ///< copies of the bins per team for the counting kernels, 0 without them
  bool one_pass = false;     ///< samples are checked while they are counted
  bool alone = false;        ///< one thread does it all: no atomics, samples in rising order
};

/// As many workers as the machine runs at once, but not more than there are grains of work.
inline int worker_count(std::int64_t samples, std::int64_t grain, std::int64_t most) {
  return static_cast<int>(std::clamp<std::int64_t>(samples / std::max<std::int64_t>(grain, 1), 1,
                                                   std::clamp<std::int64_t>(most, 1, INT_MAX)));
}

/// \brief  Copies of the bins for a thread of a host: four keep equal samples apart by more additions than one takes to
///         come back from the store buffer; where four exceed the first-level cache, misses cost more than that.
inline int counting_copies(std::int64_t bins) { return bins < arch::host::histogram_copies_bins ? 4 : 1; }

/// Bytes of those copies, of 32-bit counts and with a bin for samples out of range.
inline std::size_t counting_bytes(std::int64_t bins) {
  return tile::scratch_bytes(static_cast<std::size_t>(counting_copies(bins)) * static_cast<std::size_t>(bins + 2), 4);
}

/// Have teams that count, of so much scratch, room in a multiprocessor?
inline bool counting_teams_fit(arch::Machine const& machine, std::size_t bytes) {
  std::size_t const own = bytes + tile::scratch_alignment;
  return own <= machine.scratch_limit[0] &&
         arch::device::counting_teams * arch::scratch_of_team(own, arch::device::counting_team_size) <=
             machine.scratch_of_multiprocessor;
}

/// Bytes of so many copies, of 32-bit counts and with a bin for samples out of range.
inline std::size_t device_counting_bytes(std::int64_t bins, int copies) {
  return tile::scratch_bytes(static_cast<std::size_t>(bins + 1) * static_cast<std::size_t>(copies), 4);
}

/// Copies for a team of a device, a power of two.
inline int device_copies(arch::Machine const& machine, std::int64_t bins) {
  auto const too_many = [&](int copies) {
    std::size_t const bytes = device_counting_bytes(bins, copies);
    return bytes > arch::device::counting_budget || !counting_teams_fit(machine, bytes);
  };
  int copies = arch::device::most_device_copies;
  while (copies > 1 && too_many(copies)) copies /= 2;
  return copies;
}

/// Bytes of a team's bins or of their copies, with slack for alignment.
inline std::size_t bytes_of_copies(arch::Machine const& machine, Query const& query, bool counting) {
  std::size_t const bytes = !counting        ? tile::scratch_bytes(static_cast<std::size_t>(query.bins), query.bin_size)
                            : machine.device ? device_counting_bytes(query.bins, device_copies(machine, query.bins))
                                             : counting_bytes(query.bins);
  return bytes + tile::scratch_alignment;
}

/// Choose algorithm and launch.
inline Plan choose_variant(arch::Machine const& machine, Query const& query) {
  Plan plan;
  plan.algorithm = query.options.algorithm;
  plan.reason = "asked for by the caller";
  bool const counts_on_device =
      machine.device && query.counting &&
      counting_teams_fit(machine, device_counting_bytes(query.bins, device_copies(machine, query.bins)));
  bool const counting = machine.device ? counts_on_device : query.counting;
  plan.team_size = machine.device ? arch::device::histogram_team_size : 1;
  plan.interleaved = machine.device;
  int const copies_team_size = counts_on_device ? arch::device::counting_team_size : plan.team_size;
  auto const grain = [&](int team_size) {
    return machine.device ? (team_size == arch::device::counting_team_size ? arch::device::counting_grain
                                                                           : arch::device::histogram_grain) *
                                team_size
                          : arch::host::histogram_samples;
  };
  int const teams = worker_count(query.samples, grain(plan.team_size), machine.concurrency / plan.team_size);
  // Copies are cleared and flushed once per team: each needs clearly more samples than bins to pay.
  int const teams_with_copies =
      worker_count(query.samples, std::max(grain(copies_team_size), arch::device::samples_per_bin * query.bins),
                   machine.concurrency / copies_team_size);

  std::size_t const bytes = bytes_of_copies(machine, query, counting);
  int const level = machine.scratch_level(bytes);
  bool const fits = bytes <= machine.scratch_room(level);
  if (plan.algorithm == HistogramAlgorithm::automatic) {
    bool const pays = query.samples >= arch::device::samples_per_bin * query.bins;
    bool const one_thread = !machine.device && !(counting && pays) && (query.options.teams == 1 || teams == 1);
    plan.algorithm = fits && pays && !one_thread ? HistogramAlgorithm::scratch : HistogramAlgorithm::global_atomic;
    plan.reason = one_thread ? "one thread does it: nothing is shared"
                  : !fits    ? "the bins do not fit into team scratch"
                  : !pays    ? "too few samples per bin to clear and flush copies for"
                  : counts_on_device && device_copies(machine, query.bins) > 1
                      ? "copies of the bins per team, interleaved for neighbouring threads, spare contention"
                      : "a copy of the bins per team spares contention";
  }
  if (plan.algorithm == HistogramAlgorithm::scratch) {
    if (counting) plan.copies = machine.device ? device_copies(machine, query.bins) : counting_copies(query.bins);
    plan.one_pass = plan.copies > 0 && query.refuses && (machine.device || query.bins <= arch::host::stack_bins);
    plan.scratch_bytes = bytes;
    plan.scratch_level = level;
    if (!fits) {
      plan.refusal = launch::scratch_refusal(machine, "algorithm scratch", bytes, level,
                                             " for " + std::to_string(query.bins) + " bins");
    }
  }
  bool const copies = plan.algorithm == HistogramAlgorithm::scratch;
  if (copies) plan.team_size = copies_team_size;
  // A team without a sample would only cost its start.
  auto const useful =
      static_cast<int>(std::clamp<std::int64_t>(query.samples, 1, copies ? tile::league_limit : INT_MAX));
  plan.teams = query.options.teams > 0 ? std::min(query.options.teams, useful) : copies ? teams_with_copies : teams;
  plan.alone = !copies && plan.teams * static_cast<std::int64_t>(plan.team_size) == 1;
  return plan;
}

/// Bytes in which a device's counts wait for the answer, without the number of samples out of range behind them.
inline std::size_t waiting_bytes(std::int64_t bins, std::size_t bin_size) {
  return tile::scratch_bytes(static_cast<std::size_t>(bins), bin_size);
}

/// What the plan takes of memory. In one pass, a host's sums wait on stacks.
inline std::size_t working_bytes(arch::Machine const& machine, Query const& query, Plan const& plan) {
  if (plan.one_pass) return machine.device ? waiting_bytes(query.bins, query.bin_size) + sizeof(std::uint64_t) : 0;
  return query.samples > 0 ? launch::host_scratch_bytes(machine, plan.teams, plan.scratch_bytes) : 0;
}

/// The same with the memory that it takes.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan = choose_variant(machine, query);
  launch::plan_workspace(working_bytes(machine, query, plan), query.options.workspace, plan);
  return plan;
}

}  // namespace pantile::impl::histogram
