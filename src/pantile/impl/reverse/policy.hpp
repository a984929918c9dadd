// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Who reverses: a pure function from numbers to a plan. Nothing is launched here, so tests ask it anything.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/launch/teams.hpp>
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
  int chunk = 1;  ///< elements of a chunk; in place, of a chunk and of its mirror image each
  int teams = 0;
};

/// Choose the chunk and the launch.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan;
  bool const asked = query.options.tile > 0;
  plan.reason = asked ? "chunks as asked for by the caller" : "each team reverses chunks in scratch";
  std::int64_t const elements = query.in_place ? query.size / 2 : query.size;
  plan.chunk = asked ? query.options.tile
                     : static_cast<int>(std::clamp<std::int64_t>(elements, 1, arch::device::reversed_chunk));
  plan.team_size = machine.device ? arch::device::reversing_team_size : 1;
  plan.teams =
      static_cast<int>(std::min<std::int64_t>(tile::ceil_div<std::int64_t>(elements, plan.chunk), tile::league_limit));
  auto const elements_held = static_cast<std::size_t>(plan.chunk) * (query.in_place ? 2 : 1);
  launch::plan_scratch(machine, tile::scratch_bytes(elements_held, query.element_size) + tile::scratch_alignment, plan,
                       [&] { return "a tile of " + std::to_string(plan.chunk) + " elements"; });
  std::size_t const bytes = launch::host_scratch_bytes(machine, plan.teams, plan.scratch_bytes);
  launch::plan_workspace(bytes, query.options.workspace, plan);
  return plan;
}

}  // namespace pantile::impl::reverse
