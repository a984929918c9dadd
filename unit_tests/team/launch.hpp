// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Users' kernels for the tests of pantile::team: a functor over teams of one thread and of as many as there
///        are.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <vector>

namespace pantile::testing {

using TeamExec = Kokkos::DefaultExecutionSpace;
using TeamMember = Kokkos::TeamPolicy<TeamExec>::member_type;

/// Team sizes that this space can have: 1, and several where it has several threads.
inline std::vector<int> team_sizes() {
  int const most = std::min(TeamExec().concurrency(), 48);
  return most > 1 ? std::vector<int>{1, most} : std::vector<int>{1};
}

/// Run and wait.
template <class Functor>
void run_teams(int league, int team, int scratch_bytes, Functor const& functor) {
  Kokkos::TeamPolicy<TeamExec> policy(league, team);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch_bytes));
  Kokkos::parallel_for("user kernel", policy, functor);
  Kokkos::fence();
}

}  // namespace pantile::testing
