// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses a device's tile and the number of slices of k: the cheapest by the tiles' rates. Pure functions of
///         numbers.

#include <pantile/impl/matmul/query.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pantile::impl::matmul {

/// A tile, by its number, and how k is split.
struct DevicePlan {
  int tile = -1;  ///< none fits
  int slices = 1;
  std::int64_t slice_depth = 0;                   ///< of each slice but the last
  std::int64_t row_stride = 0, slice_stride = 0;  ///< elements of the slices' sums
  std::int64_t workspace_bytes = 0;
};

/// May the caller's floats be multiplied so?
constexpr bool permits(Precision precision, arch::ProductEngine engine) {
  if (engine == arch::ProductEngine::tf32) return precision == Precision::tf32;
  if (engine == arch::ProductEngine::three_tf32) return precision == Precision::three_tf32;
  return true;
}

/// Is there scratch for a team, and for all that should be on a multiprocessor?
constexpr bool has_scratch(arch::Machine const& machine, arch::DeviceTile const& s) {
  std::size_t const own = s.scratch_bytes() + tile::scratch_alignment;
  return own <= machine.scratch_limit[0] &&
         static_cast<std::size_t>(s.min_blocks) * machine.scratch_of_team(own, s.threads()) <=
             machine.scratch_of_multiprocessor;
}

/// Clocks of tile `s` for the products at once, or one with k in so many slices.
inline double clocks_of(Query const& query, arch::DeviceTile const& s, int multiprocessors, int slices) {
  arch::DeviceTuning const& tuning = query.tuning;
  double const tiles = static_cast<double>(tile::TileGrid{query.m, query.n, s.m, s.n}.count()) *
                       static_cast<double>(query.batch) * slices;
  double const at_once = static_cast<double>(multiprocessors) * s.min_blocks;
  double const depth =
      static_cast<double>(tile::round_up<std::int64_t>(tile::ceil_div<std::int64_t>(query.k, slices), s.k));
  // Teams of a multiprocessor share it, the last ones too; but few of those that it holds do not fill it.
  double const whole = static_cast<double>(static_cast<std::int64_t>(tiles / at_once)), left = tiles - whole * at_once;
  double const last =
      static_cast<double>(tile::ceil_div<std::int64_t>(static_cast<std::int64_t>(left), multiprocessors));
  double const products = static_cast<double>(s.m) * s.n * depth / s.rate;
  double const shares = whole * s.min_blocks + (left > 0 ? std::max(last, s.min_blocks * tuning.least_fill) : 0);
  double clocks = products * shares + tuning.tile_clocks * (whole + (left > 0 ? 1 : 0));
  if (slices > 1) {
    double const moved = static_cast<double>(query.m) * static_cast<double>(query.n) *
                         static_cast<double>(query.compute_size) * (2 * slices + 1);
    clocks += tuning.launch_clocks + moved / (tuning.memory_bytes_per_clock * multiprocessors);
  }
  return clocks;
}

/// The cheapest tile and split, of a batch one slice each; the first of equals.
inline DevicePlan choose_tile(arch::Machine const& machine, Query const& query) {
  DevicePlan best;
  double least = 0;
  auto const [m, n, k] = std::array{query.m, query.n, query.k};
  auto const size = static_cast<std::int64_t>(query.compute_size);
  int const multiprocessors = machine.multiprocessors > 0
                                  ? machine.multiprocessors
                                  : std::max(1, machine.concurrency / query.tuning.multiprocessor_threads);
  for (std::size_t i = 0; i < query.device_tiles.size(); ++i) {
    auto const& s = query.device_tiles[i];
    if (!has_scratch(machine, s) || !permits(query.options.precision, s.engine)) continue;
    std::int64_t const tiles = std::max<std::int64_t>(1, tile::TileGrid{m, n, s.m, s.n}.count());
    std::int64_t const row_stride = tile::round_up<std::int64_t>(n, 4), one = std::max<std::int64_t>(1, m * row_stride);
    // Slices that give every multiprocessor a team, or all that it holds, once or twice; each has enough to do.
    std::int64_t const most =
        std::min<std::int64_t>({k / (arch::device::least_slice_panels * s.k),
                                arch::device::most_slices_bytes / size / one, arch::device::most_slices});
    for (int const teams : {0, 1, s.min_blocks, 2 * s.min_blocks}) {
      std::int64_t const wanted = teams == 0 ? 1 : std::min(most, std::int64_t{teams} * multiprocessors / tiles);
      if (wanted < 1 || (teams > 0 && (wanted == 1 || query.batch > 1))) continue;
      std::int64_t const depth = tile::round_up(tile::ceil_div(k, wanted), std::int64_t{s.k});
      int const slices = static_cast<int>(tile::ceil_div(k, depth));
      double const clocks = clocks_of(query, s, multiprocessors, slices);
      if (best.tile >= 0 && clocks >= least) continue;
      least = clocks;
      best = {static_cast<int>(i), slices, depth, row_stride, one, slices > 1 ? slices * one * size : 0};
    }
  }
  return best;
}

}  // namespace pantile::impl::matmul
