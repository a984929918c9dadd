// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses the launch of a reversal: a pure function from numbers to a plan. Nothing is launched here.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pantile::impl::reverse {

/// Everything that a choice may depend on.
struct Query {
  std::int64_t size = 0;
  bool in_place = false;
  std::size_t element_size = 8;
  ReverseOptions options{};
};

/// What runs.
struct Plan : launch::TeamPlan {
  int chunk = 1;           ///< elements of a chunk; in place, of a chunk and of its mirror image each
  Index chunks = 0;        ///< of devices a team each, as far as a league has so many
  bool on_caller = false;  ///< of hosts: on the calling thread, without a launch
};

/// Choose the chunk and the launch. A host's thread has nothing to exchange with others through scratch.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan;
  bool const asked = query.options.tile > 0;
  plan.reason = asked            ? "chunks as asked for by the caller"
                : machine.device ? "each team reverses chunks in scratch"
                                 : "each thread reads chunks in rising order and writes them in falling order";
  std::int64_t const elements = query.in_place ? query.size / 2 : query.size;
  std::int64_t const most = machine.device ? arch::device::reversed_chunk : arch::host::row_tile_elements;
  plan.chunk = asked ? query.options.tile : static_cast<int>(std::clamp<std::int64_t>(elements, 1, most));
  plan.chunks = tile::ceil_div<std::int64_t>(elements, plan.chunk);
  if (!machine.device) {
    plan.on_caller = launch::is_for_caller(machine, 2 * query.size * static_cast<std::int64_t>(query.element_size));
    return plan;
  }
  plan.team_size = arch::device::reversing_team_size;
  auto const elements_held = static_cast<std::size_t>(plan.chunk) * (query.in_place ? 2 : 1);
  launch::plan_scratch(machine, tile::scratch_bytes(elements_held, query.element_size) + tile::scratch_alignment, plan,
                       [&] { return "a tile of " + std::to_string(plan.chunk) + " elements"; });
  return plan;
}

}  // namespace pantile::impl::reverse
