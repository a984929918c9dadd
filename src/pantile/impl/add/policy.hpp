// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses the kernel of an addition: a pure function from numbers to a plan. Nothing is launched here.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/host/tuning/movement.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/shape.hpp>
#include <pantile/impl/launch/units.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace pantile::impl::add {

/// How the operands can be cut into packs of 16 bytes at the same elements.
struct Packs {
  int size = 0;  ///< elements in a pack; 0 where they cannot
  int lead = 0;  ///< most elements that may lie before a row's first one in its pack
};

/// Everything that a choice may depend on. rows and cols are those of the normalised problem (C fast along its rows).
struct Query {
  std::int64_t rows = 0, cols = 0;
  bool exchanged = false;   ///< rows and cols are exchanged against what the caller sees, and so against the options
  bool one_row = false;     ///< rows follow each other in memory in every operand
  bool crossing = false;    ///< an operand that is read runs across C
  bool blocked = false;     ///< the host's kernels can do it: element types, and neighbours in a row next to each other
  std::int64_t bytes = 0;   ///< read and written
  bool prefetches = false;  ///< crossing, and more than a second-level cache holds
  bool past = false;        ///< and its result, which is no operand that is read, does not fit into the cache with them
  Packs packs{};            ///< devices
  AddOptions options{};
};

/// Threads over packs.
struct PackedRange {
  bool down = false;  ///< a thread's packs lie below each other, otherwise in one row
  std::int64_t width = 1;
  std::int64_t threads = 0;
};

/// What runs. `refusal` is a broken rule, empty for a plan that can run.
struct Plan {
  AddAlgorithm algorithm = AddAlgorithm::naive;
  char const* reason = "";
  bool as_one_row = false;  ///< walk all as one row
  bool past = false;        ///< for blocked: write past the cache
  bool on_caller = false;   ///< for blocked, and tiled on hosts: on the calling thread, without a launch
  bool prefetches = false;  ///< for blocked: tiles of what runs across C
  PackedRange packed{};     ///< for blocked on devices
  int pack = 0;             ///< its elements in a pack
  Extent2 tile{};
  LaunchShape launch{};
  std::string refusal;
};

/// The rule that a tile, as the caller sees it, breaks.
[[gnu::cold]] inline std::string tile_refusal(arch::Machine const& machine, Extent2 tile, std::int64_t count) {
  return "tile " + std::to_string(tile.x) + "x" + std::to_string(tile.y) + " needs " + std::to_string(count) +
         (machine.device ? " threads per block" : " elements per tile") + ", the limit is " +
         std::to_string(machine.max_tile_size);
}

/// The tile of a 2D range: what the caller gave stays, an edge that is chosen keeps to the limit beside it.
inline void plan_tile(arch::Machine const& machine, Query const& query, Plan& plan) {
  Extent2 const asked = launch::exchange(query.options.tile, query.exchanged);
  plan.as_one_row = query.one_row && asked == Extent2{};
  auto const [rows, cols] = launch::walk(plan.as_one_row, query.rows, query.cols);
  bool const row_pieces = plan.algorithm == AddAlgorithm::tiled && !machine.device;
  plan.on_caller = row_pieces && launch::is_for_caller(machine, query.bytes);
  Extent2 const chosen =
      row_pieces ? launch::row_tile(rows, cols, query.crossing) : launch::element_tile(machine.device, rows, cols);
  int const limit = machine.max_tile_size;
  auto const beside = [limit](int given, int edge) { return std::clamp(limit / given, 1, edge); };
  plan.tile = chosen;
  if (asked.x > 0) plan.tile = {asked.x, asked.y > 0 ? asked.y : beside(asked.x, chosen.y)};
  if (asked.x == 0 && asked.y > 0) plan.tile = {beside(asked.y, chosen.x), asked.y};
  std::int64_t const count = std::int64_t{plan.tile.x} * plan.tile.y;
  if (count > limit) plan.refusal = tile_refusal(machine, launch::exchange(plan.tile, query.exchanged), count);
}

/// Chunks of rows for the host's kernels: long where they go past the cache, as each begins and ends within a line, or
/// where no other thread waits for its share.
inline void plan_blocked(arch::Machine const& machine, Query const& query, Plan& plan) {
  plan.on_caller = launch::is_for_caller(machine, query.bytes);
  plan.as_one_row = query.one_row;
  plan.past = query.past;
  plan.prefetches = query.prefetches;
  auto const [rows, cols] = launch::walk(plan.as_one_row, query.rows, query.cols);
  plan.tile = launch::row_tile(rows, cols, query.crossing);
  if (!query.crossing && (query.past || plan.on_caller))
    plan.tile.x = static_cast<int>(std::clamp<std::int64_t>(cols, 1, arch::host::long_piece));
}

/// Packs for devices. Rows with gaps: a thread goes down, so that no row is too short to keep all threads busy.
inline void plan_packed(Query const& query, Plan& plan) {
  plan.as_one_row = query.one_row;
  plan.pack = query.packs.size;
  auto const [rows, cols] = launch::walk(plan.as_one_row, query.rows, query.cols);
  std::int64_t const across = tile::ceil_div<std::int64_t>(query.packs.lead + cols, query.packs.size);
  constexpr std::int64_t stretch = arch::device::packed_lanes * arch::device::packs_per_thread;
  plan.packed.down = rows >= arch::device::packs_per_thread;
  plan.packed.width = plan.packed.down ? across : tile::ceil_div(across, stretch) * arch::device::packed_lanes;
  plan.packed.width = std::max<std::int64_t>(plan.packed.width, 1);
  std::int64_t const lines =
      plan.packed.down ? tile::ceil_div<std::int64_t>(rows, arch::device::packs_per_thread) : rows;
  plan.packed.threads = lines * plan.packed.width;
}

/// Choose the variant and its numbers.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan;
  plan.algorithm = query.options.algorithm;
  plan.reason = "asked for by the caller";
  bool const blocked = machine.device ? query.packs.size > 0 : query.blocked;
  bool const pays = !machine.device || query.one_row || query.cols >= arch::device::packed_row_limit * query.packs.size;
  if (plan.algorithm == AddAlgorithm::automatic && blocked && pays && query.options.tile == Extent2{}) {
    plan.algorithm = AddAlgorithm::blocked;
    plan.reason = machine.device   ? "packs of 16 bytes, several of them in flight per thread"
                  : query.crossing ? "tiles of what runs across C are transposed in the registers of this CPU"
                  : query.past     ? "long pieces of rows, written past the cache that cannot hold them"
                                   : "pieces of rows in the registers of this CPU";
  }
  if (plan.algorithm == AddAlgorithm::automatic) {
    plan.algorithm = machine.device ? AddAlgorithm::naive : AddAlgorithm::tiled;
    plan.reason = machine.device ? "neighbouring threads take neighbouring elements"
                                 : "pieces of rows are vectorised, a 2D range of elements is not";
  }
  switch (plan.algorithm) {
    case AddAlgorithm::naive:
    case AddAlgorithm::tiled: plan_tile(machine, query, plan); break;
    case AddAlgorithm::grid_stride:
      plan.launch = launch::default_launch(machine, launch::exchange(query.options.launch, query.exchanged), query.rows,
                                           query.cols);
      break;
    case AddAlgorithm::blocked:
      if (blocked && machine.device) {
        plan_packed(query, plan);
      } else if (blocked) {
        plan_blocked(machine, query, plan);
      } else if (machine.device) {
        plan.refusal =
            "algorithm blocked on devices is for elements of 1, 2, 4, 8 or 16 bytes, of one size in all operands, "
            "and rows along C's fast direction whose neighbours lie next to each other and whose first elements "
            "have the same offset modulo 16 bytes in all operands";
      } else {
        plan.refusal =
            "algorithm blocked is for hosts, operands and accumulator of one type (float, double, complex of "
            "them, 32- or 64-bit integers), neighbours of C next to each other along its fast direction, and those of "
            "A and B along either";
      }
      break;
    default: plan.refusal = enumerator_refusal("algorithm", plan.algorithm);
  }
  return plan;
}

}  // namespace pantile::impl::add
