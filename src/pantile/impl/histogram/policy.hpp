// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses the kernel of a histogram: a pure function from numbers to a plan. Nothing is launched here.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/host/tuning/histogram.hpp>
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
  int copies = 0;         ///< copies of the bins per team for the counting kernels, 0 without them
  bool one_pass = false;  ///< samples are checked while they are counted
  bool alone = false;     ///< one thread does it all: no atomics, samples in rising order
};

/// Samples that a host's thread counts before its 32-bit copies are added to the bins.
inline constexpr std::int64_t counted_in_32_bits = std::int64_t{1} << 30;

/// As many workers as the machine runs at once, but not more than there are grains of work.
inline int worker_count(std::int64_t samples, std::int64_t grain, std::int64_t most) {
  return static_cast<int>(std::clamp<std::int64_t>(samples / std::max<std::int64_t>(grain, 1), 1,
                                                   std::clamp<std::int64_t>(most, 1, INT_MAX)));
}

/// Have teams that count, of so much scratch, room in a multiprocessor?
inline bool counting_teams_fit(arch::Machine const& machine, std::size_t bytes) {
  std::size_t const own = bytes + tile::scratch_alignment;
  return own <= machine.scratch_limit[0] &&
         arch::device::counting_teams * machine.scratch_of_team(own, arch::device::counting_team_size) <=
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

/// How a team keeps bins in its scratch, and how many samples it should have, with these bins and without.
struct TeamBins {
  int copies = 0;         ///< for the counting kernels; zero: other kernels, with the bins themselves
  bool checks = false;    ///< samples can be checked while they are counted into them
  std::size_t bytes = 0;  ///< with slack for alignment
  int team_size = 1, plain_team_size = 1;
  std::int64_t samples = arch::host::histogram_samples, plain_samples = arch::host::histogram_samples;
};

/// The bins as they are.
inline std::size_t plain_bytes(Query const& query) {
  return tile::scratch_bytes(static_cast<std::size_t>(query.bins), query.bin_size) + tile::scratch_alignment;
}

/// Several copies of few bins; where they exceed the first-level cache, misses cost more. Counts of 32 bits, one for
/// samples out of range.
inline TeamBins bins_on_host(Query const& query) {
  namespace host = arch::host;
  std::int64_t const samples = host::histogram_samples + host::samples_per_merged_bin * query.bins;
  if (!query.counting) return {.checks = true, .bytes = plain_bytes(query), .samples = samples};
  int const copies = query.bins <= host::histogram_copies_bins ? host::histogram_copies : 1;
  std::size_t const counts = static_cast<std::size_t>(copies) * static_cast<std::size_t>(query.bins + 2);
  return {.copies = copies,
          .checks = query.samples <= counted_in_32_bits,
          .bytes = tile::scratch_bytes(counts, 4) + tile::scratch_alignment,
          .samples = samples};
}

inline TeamBins bins_on_device(arch::Machine const& machine, Query const& query) {
  namespace device = arch::device;
  constexpr int size = device::histogram_team_size, counting = device::counting_team_size;
  constexpr std::int64_t samples = device::histogram_grain * size;
  int const copies = device_copies(machine, query.bins);
  std::size_t const bytes = device_counting_bytes(query.bins, copies);
  if (!query.counting || !counting_teams_fit(machine, bytes)) {
    return {0, false, plain_bytes(query), size, size, samples, samples};
  }
  return {copies, true, bytes + tile::scratch_alignment, counting, size, device::counting_grain * counting, samples};
}

/// Scratch or global_atomic, for a caller who requests neither.
inline void choose_algorithm(arch::Machine const& machine, Query const& query, TeamBins const& bins, bool fits,
                             Plan& plan) {
  bool const pays = query.samples >= arch::device::samples_per_bin * query.bins;
  bool const counts = bins.copies > 0 && pays, waits = query.refuses && pays && fits;
  bool const alone = plan.teams == 1 || (pays && query.samples < 2 * bins.samples);
  bool const one = query.options.teams == 1 || (query.options.teams == 0 && alone);
  if (!machine.device && one && !counts && !waits) {
    plan.teams = 1;
    plan.reason = "one thread does it: nothing is shared";
  } else if (!fits || !pays) {
    plan.reason =
        fits ? "too few samples per bin to clear and flush copies for" : "the bins do not fit into team scratch";
    // Few threads that add atomically are slower than one that need not.
    if (!machine.device && machine.concurrency < arch::host::atomic_threads) plan.teams = 1;
  } else {
    plan.algorithm = HistogramAlgorithm::scratch;
    plan.reason = machine.device && bins.copies > 1
                      ? "copies of the bins per team, interleaved for neighbouring threads, spare contention"
                  : one ? "counts wait in a copy of the bins until all samples are known to be in range"
                        : "a copy of the bins per team spares contention";
    return;
  }
  plan.algorithm = HistogramAlgorithm::global_atomic;
}

/// Choose algorithm and launch, without memory.
inline Plan choose_variant(arch::Machine const& machine, Query const& query) {
  Plan plan;
  plan.algorithm = query.options.algorithm;
  plan.reason = "asked for by the caller";
  TeamBins const bins = machine.device ? bins_on_device(machine, query) : bins_on_host(query);
  plan.team_size = bins.plain_team_size;
  plan.teams = worker_count(query.samples, bins.plain_samples, machine.concurrency / plan.team_size);
  int const level = machine.scratch_level(bins.bytes);
  bool const fits = bins.bytes <= machine.scratch_room(level);
  if (plan.algorithm == HistogramAlgorithm::automatic) choose_algorithm(machine, query, bins, fits, plan);
  bool const copies = plan.algorithm == HistogramAlgorithm::scratch;
  if (copies) {
    plan.copies = bins.copies;
    plan.one_pass = bins.checks && query.refuses;
    plan.scratch_bytes = bins.bytes;
    plan.scratch_level = level;
    plan.team_size = bins.team_size;
    // Copies are cleared and added up once per team: each needs clearly more samples than bins to pay.
    std::int64_t const samples = std::max(bins.samples, arch::device::samples_per_bin * query.bins);
    plan.teams = worker_count(query.samples, samples, machine.concurrency / plan.team_size);
    if (!fits) {
      plan.refusal = launch::scratch_refusal(machine, "algorithm scratch", bins.bytes, level,
                                             " for " + std::to_string(query.bins) + " bins");
    }
  }
  // A team without a sample would only cost its start.
  std::int64_t const useful = std::clamp<std::int64_t>(query.samples, 1, copies ? tile::league_limit : INT_MAX);
  if (query.options.teams > 0) plan.teams = static_cast<int>(std::min<std::int64_t>(query.options.teams, useful));
  plan.alone = !copies && plan.teams * static_cast<std::int64_t>(plan.team_size) == 1;
  return plan;
}

/// Bytes in which a device's counts wait for the answer, without the number of samples out of range behind them.
inline std::size_t waiting_bytes(std::int64_t bins, std::size_t bin_size) {
  return tile::scratch_bytes(static_cast<std::size_t>(bins), bin_size);
}

/// What the plan takes of memory.
inline std::size_t working_bytes(arch::Machine const& machine, Query const& query, Plan const& plan) {
  if (plan.one_pass && machine.device) return waiting_bytes(query.bins, query.bin_size) + sizeof(std::uint64_t);
  return query.samples > 0 ? launch::host_scratch_bytes(machine, plan.teams, plan.scratch_bytes) : 0;
}

/// Choose algorithm and launch, and the memory that they take.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan = choose_variant(machine, query);
  launch::plan_workspace(working_bytes(machine, query, plan), query.options.workspace, plan);
  return plan;
}

}  // namespace pantile::impl::histogram
