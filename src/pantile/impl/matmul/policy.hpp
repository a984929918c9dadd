// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses the kernel of a matmul: a pure function from numbers to a plan. Nothing is launched here.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/device_tile.hpp>
#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/launch/shape.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/matmul/device/policy.hpp>
#include <pantile/impl/matmul/host/policy.hpp>
#include <pantile/impl/matmul/query.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace pantile::impl::matmul {

/// \brief  What runs. Tiles and launches are those of C^T = B^T A^T where `exchange`, so that C is written along its
///         faster direction; of the blocked variant on hosts `host` says so.
struct Plan : launch::TeamPlan {
  MatmulAlgorithm algorithm = MatmulAlgorithm::naive;
  bool exchange = false;
  bool scales_only = false;
  MatmulTile tile{};
  arch::MicroTile micro{1, 1};
  LaunchShape launch{};
  std::int64_t tiles = 0;
  HostPlan host{};      ///< hosts: the blocked variant
  DevicePlan device{};  ///< devices: tile and slices of the blocked variant
};

/// Scratch of one team: A panel (k, m), B panel (k, n), edges padded to the register tile, and on hosts the sums.
constexpr std::size_t tiled_scratch_bytes(MatmulTile tile, arch::MicroTile micro, std::size_t size, bool resident) {
  auto const rows = static_cast<std::size_t>(tile::round_up(tile.m, micro.rows));
  auto const cols = static_cast<std::size_t>(tile::round_up(tile.n, micro.cols));
  auto const depth = static_cast<std::size_t>(tile.k);
  return tile::scratch_bytes(depth * rows, size) + tile::scratch_bytes(depth * cols, size) +
         (resident ? 0 : tile::scratch_bytes(rows * cols, size)) + tile::scratch_alignment;
}

/// Number of register tiles in a tile: on devices the number of threads that it takes.
constexpr std::int64_t micro_count(MatmulTile tile, arch::MicroTile micro) {
  return static_cast<std::int64_t>(tile::ceil_div(tile.m, micro.rows)) * tile::ceil_div(tile.n, micro.cols);
}

/// The same tile seen from the other side of an exchange of m and n.
constexpr MatmulTile exchange(MatmulTile tile, bool exchanged) {
  return exchanged ? MatmulTile{tile.n, tile.m, tile.k} : tile;
}
using launch::exchange;

/// "16x16", or "16x16x16" with its depth, in the caller's terms.
inline std::string tile_name(MatmulTile tile, bool exchanged, bool with_depth) {
  tile = exchange(tile, exchanged);
  return std::to_string(tile.m) + "x" + std::to_string(tile.n) + (with_depth ? "x" + std::to_string(tile.k) : "");
}

/// Fill in the tile: what the caller gave stays; defaults shrink to the matrix and to the scratch there is.
inline void plan_tiled(arch::Machine const& machine, Query const& query, Plan& plan) {
  MatmulTile const asked = query.options.tile;
  auto const fit = [](int edge, std::int64_t extent, int step) {
    return static_cast<int>(
        std::min<std::int64_t>(edge, tile::round_up<std::int64_t>(std::max<std::int64_t>(extent, 1), step)));
  };
  arch::MicroTile const widest = query.variants.back().micro;
  plan.tile = {asked.m > 0 ? asked.m : fit(query.default_edge, query.m, widest.rows),
               asked.n > 0 ? asked.n : fit(query.default_edge, query.n, widest.cols),
               asked.k > 0 ? asked.k : fit(query.default_depth, query.k, 1)};
  bool const asked_edges = asked.m > 0 || asked.n > 0;
  // Devices: a caller's tile takes the first register tile whose team is not too large (one output per thread up to
  // 32 x 32, as in the source documents). Our own tile, and hosts, take the widest.
  auto const suits = [&](MicroVariant const& v) { return micro_count(plan.tile, v.micro) <= v.max_threads; };
  auto const* chosen = &query.variants.back();
  if (machine.device && asked_edges) {
    auto const found = std::find_if(query.variants.begin(), query.variants.end(), suits);
    if (found != query.variants.end()) chosen = &*found;
  }
  plan.micro = chosen->micro;
  std::int64_t const threads = micro_count(plan.tile, plan.micro);
  if (machine.device && threads > chosen->max_threads) {
    plan.refusal = "tile " + tile_name(plan.tile, plan.exchange, false) + " needs " + std::to_string(threads) +
                   " threads per team, the limit is " + std::to_string(chosen->max_threads);
    return;
  }
  plan.team_size = machine.device ? static_cast<int>(threads) : 1;
  launch::plan_scratch(machine, tiled_scratch_bytes(plan.tile, plan.micro, query.compute_size, machine.device), plan,
                       [&] { return "tile " + tile_name(plan.tile, plan.exchange, true); });
  if (!plan.refusal.empty()) return;
  plan.tiles = tile::TileGrid{query.m, query.n, plan.tile.m, plan.tile.n}.count();
}

/// What the caller reads of a tile on devices.
constexpr char const* device_reason(arch::DeviceTile const& shape) {
  switch (shape.engine) {
    case arch::ProductEngine::tf32: return "the caller allows tf32: matrix instructions for rounded floats";
    case arch::ProductEngine::three_tf32:
      return "the caller allows it: matrix instructions for floats as pairs of tf32";
    default: return "panels are copied to scratch ahead of their use, sums stay in registers";
  }
}
/// And of its slices: empty where k is not split.
inline std::string split_text(std::string const& why, int slices, std::int64_t depth, std::int64_t workspace_bytes) {
  if (slices == 1) return "";
  return "; " + why + ": k is split into " + std::to_string(slices) + " slices of " + std::to_string(depth) +
         ", whose sums are added in rising k (" + std::to_string(workspace_bytes) + " bytes of workspace)";
}
inline std::string split_text(DevicePlan const& plan) {
  return split_text("too few tiles for the device", plan.slices, plan.slice_depth, plan.workspace_bytes);
}
inline std::string split_text(HostPlan const& plan) {
  return split_text("few sums of many products", plan.slices.count, plan.slices.depth, plan.workspace_bytes());
}

/// The blocked variant on devices: everything but the tile is fixed with it.
inline void plan_on_device(arch::Machine const& machine, Query const& query, Plan& plan) {
  if (plan.device.tile < 0) {
    plan.refusal = query.device_tiles.empty() ? "algorithm blocked has no kernel for sums of this type on this device"
                                              : "algorithm blocked needs more team scratch than this device has: " +
                                                    std::to_string(machine.scratch_limit[0]) + " bytes at level 0";
    return;
  }
  auto const& shape = query.device_tiles[static_cast<std::size_t>(plan.device.tile)];
  plan.tile = {shape.m, shape.n, shape.k};
  plan.micro = {shape.thread_m, shape.thread_n};
  plan.tiles = tile::TileGrid{query.m, query.n, shape.m, shape.n}.count() * plan.device.slices;
  if (plan.tiles > tile::league_limit) {
    plan.refusal = "algorithm blocked has at most " + std::to_string(tile::league_limit) + " tiles on devices, not " +
                   std::to_string(plan.tiles);
    return;
  }
  plan.team_size = shape.threads();
  plan.scratch_bytes = shape.scratch_bytes() + tile::scratch_alignment;
  plan.scratch_level = 0;
  if (query.options.algorithm == MatmulAlgorithm::automatic) plan.reason = device_reason(shape);
}

/// What the plan takes of memory.
inline std::size_t working_bytes(arch::Machine const& machine, Plan const& plan) {
  if (plan.algorithm == MatmulAlgorithm::tiled) {
    return launch::host_scratch_bytes(machine, plan.tiles, plan.scratch_bytes);
  }
  if (plan.algorithm != MatmulAlgorithm::blocked || plan.host.on_caller) return 0;
  return static_cast<std::size_t>(machine.device ? plan.device.workspace_bytes : plan.host.workspace_bytes());
}

/// The question about C^T = B^T A^T, where C is faster along its columns.
inline Query as_computed(Query query) {
  if (query.c_along_columns) std::swap(query.m, query.n);
  query.options.tile = exchange(query.options.tile, query.c_along_columns);
  query.options.launch = exchange(query.options.launch, query.c_along_columns);
  return query;
}

/// Choose the variant and its numbers.
inline Plan choose_variant(arch::Machine const& machine, Query const& asked) {
  Query const query = as_computed(asked);
  Plan plan;
  plan.exchange = query.c_along_columns;
  plan.algorithm = query.options.algorithm;
  plan.reason = "asked for by the caller";
  if (query.scales_only) {
    plan.scales_only = true;
    plan.reason = "alpha is zero or k is zero: C is scaled by beta, A and B are not read";
    plan.algorithm = MatmulAlgorithm::naive;
    return plan;
  }
  if (machine.device && (plan.algorithm == MatmulAlgorithm::automatic || plan.algorithm == MatmulAlgorithm::blocked)) {
    plan.device = choose_tile(machine, query);
  }
  if (plan.algorithm == MatmulAlgorithm::automatic) {
    // Each extent first: the product of large ones does not fit 64 bits.
    bool const small = !query.host.available &&
                       std::max({query.m, query.n, query.k}) <= arch::device::naive_work_limit &&
                       query.m * query.n * query.k <= arch::device::naive_work_limit;
    plan.algorithm = query.host.available    ? MatmulAlgorithm::blocked
                     : small                 ? MatmulAlgorithm::naive
                     : plan.device.tile >= 0 ? MatmulAlgorithm::blocked
                                             : MatmulAlgorithm::tiled;
    plan.reason = small ? "too little work for tiles in scratch" : "tiles in scratch are reused by the whole team";
  }
  switch (plan.algorithm) {
    case MatmulAlgorithm::tiled: plan_tiled(machine, query, plan); break;
    case MatmulAlgorithm::grid_stride:
      plan.launch = launch::default_launch(machine, query.options.launch, query.m, query.n);
      break;
    case MatmulAlgorithm::naive: break;
    case MatmulAlgorithm::blocked:
      if (machine.device) {
        plan_on_device(machine, query, plan);
      } else if (query.host.available) {
        plan.host =
            plan_on_host(asked.m, asked.n, asked.k, asked.host, {machine.concurrency, machine.threads_per_cache});
        plan.reason = plan.host.reason;
      } else {
        plan.refusal = "algorithm blocked is for sums in float, double, their complex types and integers";
      }
      break;
    case MatmulAlgorithm::vendor: plan.refusal = query.vendor_refusal; break;
    default: plan.refusal = enumerator_refusal("algorithm", plan.algorithm);
  }
  return plan;
}

/// Choose algorithm, tiles and launch, and the memory that they take.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan = choose_variant(machine, query);
  launch::plan_workspace(working_bytes(machine, plan), query.options.workspace, plan);
  return plan;
}

}  // namespace pantile::impl::matmul
