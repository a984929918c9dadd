// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Who runs an addition: a pure function from numbers to a plan. Nothing is launched here.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/shape.hpp>
#include <pantile/impl/launch/units.hpp>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>

namespace pantile::impl::add {

/// Everything that a choice may depend on. rows and cols are those of the normalised problem (C fast along its rows).
struct Query {
  std::int64_t rows = 0, cols = 0;
  bool exchanged = false;  ///< rows and cols are exchanged against what the caller sees, and so against the options
  bool one_row = false;   ///< rows follow each other in memory in every operand
  bool crossing = false;  ///< an operand that is read runs across C
  bool blocked = false;   ///< the host's kernels can do it: element types, and neighbours in a row next to each other
  std::int64_t bytes = 0;  ///< read and written
  bool past = false;      ///< and its result, which is no operand that is read, does not fit into the cache with them
  AddOptions options{};
};

/// What runs. `refusal` is a broken rule, empty for a plan that can run.
struct Plan {
  Algorithm algorithm = Algorithm::naive;
  char const* reason = "";
  bool as_one_row = false;  ///< walk all as one row
  bool past = false;        ///< for blocked: write past the cache
  bool on_caller = false;   ///< for blocked: on the calling thread, without a launch
  Extent2 tile{};
  LaunchShape launch{};
  std::string refusal;
};

/// The tile of a 2D range: what the caller gave stays, an edge that is chosen keeps to the limit beside it.
inline void plan_tile(arch::Machine const& machine, Query const& query, Plan& plan) {
  Extent2 const asked = launch::exchange(query.options.tile, query.exchanged);
  plan.as_one_row = query.one_row && asked == Extent2{};
  std::int64_t const rows = plan.as_one_row ? 1 : query.rows;
  std::int64_t const cols = plan.as_one_row ? query.rows * query.cols : query.cols;
  bool const row_pieces = plan.algorithm == Algorithm::tiled && !machine.device;
  Extent2 const chosen = row_pieces ? launch::row_tile(rows, cols, query.crossing)
                                    : launch::element_tile(machine.device, rows, cols);
  // Kokkos aborts when a tile of a 2D range has more elements than this.
  int const limit = machine.device ? machine.max_team_size : INT_MAX;
  auto const beside = [limit](int given, int edge) { return std::clamp(limit / given, 1, edge); };
  plan.tile = chosen;
  if (asked.x > 0) plan.tile = {asked.x, asked.y > 0 ? asked.y : beside(asked.x, chosen.y)};
  if (asked.x == 0 && asked.y > 0) plan.tile = {beside(asked.y, chosen.x), asked.y};
  std::int64_t const count = std::int64_t{plan.tile.x} * plan.tile.y;
  if (count > limit) {
    Extent2 const seen = launch::exchange(plan.tile, query.exchanged);
    plan.refusal = "tile " + std::to_string(seen.x) + "x" + std::to_string(seen.y) + " needs " +
                   std::to_string(count) + (machine.device ? " threads per block" : " elements per tile") +
                   ", the limit is " + std::to_string(limit);
  }
}

/// Pieces of rows for the host's kernels: long where they go past the cache, as each begins and ends within a line, or
/// where no other thread waits for its share.
inline void plan_blocked(arch::Machine const& machine, Query const& query, Plan& plan) {
  constexpr std::int64_t long_piece = 32768;
  plan.on_caller = launch::is_for_caller(machine, query.bytes);
  plan.as_one_row = query.one_row;
  plan.past = query.past;
  std::int64_t const rows = plan.as_one_row ? 1 : query.rows;
  std::int64_t const cols = plan.as_one_row ? query.rows * query.cols : query.cols;
  plan.tile = launch::row_tile(rows, cols, false);
  if (query.past || plan.on_caller) plan.tile.x = static_cast<int>(std::clamp<std::int64_t>(cols, 1, long_piece));
}

/// Choose the variant and its numbers.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan;
  plan.algorithm = query.options.algorithm;
  plan.reason = "asked for by the caller";
  if (plan.algorithm == Algorithm::automatic && query.blocked && query.options.tile == Extent2{}) {
    plan.algorithm = Algorithm::blocked;
    plan.reason = query.past ? "long pieces of rows, written past the cache that cannot hold them"
                             : "pieces of rows in the registers of this CPU";
  }
  if (plan.algorithm == Algorithm::automatic) {
    plan.algorithm = machine.device ? Algorithm::naive : Algorithm::tiled;
    plan.reason = machine.device ? "neighbouring threads take neighbouring elements"
                                 : "pieces of rows are vectorised, a 2D range of elements is not";
  }
  switch (plan.algorithm) {
    case Algorithm::naive:
    case Algorithm::tiled: plan_tile(machine, query, plan); break;
    case Algorithm::grid_stride:
      plan.launch = launch::default_launch(machine, launch::exchange(query.options.launch, query.exchanged), query.rows,
                                           query.cols);
      break;
    case Algorithm::blocked:
      if (query.blocked) {
        plan_blocked(machine, query, plan);
      } else {
        plan.refusal = "algorithm blocked is for hosts, operands and accumulator of one type (float, double, complex of "
                       "them, 32- or 64-bit integers), and neighbours next to each other along C's fast direction";
      }
      break;
    default: plan.refusal = std::string("algorithm ") + to_string(plan.algorithm) + " is not one of add's";
  }
  return plan;
}

}  // namespace pantile::impl::add
