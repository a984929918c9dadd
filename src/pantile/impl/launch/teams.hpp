// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Launches of kernels for teams with scratch: a TeamPolicy on devices, on hosts teams of one thread each.

#include <pantile/explain.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <string>

namespace pantile::impl::launch {

/// Teams of a launch, and scratch of each with slack for its alignment.
struct Teams {
  int league = 1;
  int team_size = 1;
  std::size_t scratch_bytes = 0;
  int scratch_level = 0;
  Workspace workspace{};  ///< hosts: where the caller has given memory for it
};

/// What the plans of kernels for teams have in common. `refusal` is a broken rule, empty for a plan that can run.
struct TeamPlan {
  char const* reason = "";
  int team_size = 1;
  std::size_t scratch_bytes = 0;
  int scratch_level = 0;
  std::size_t workspace_bytes = 0;  ///< beside a device's team scratch, with room to align it
  Workspace workspace{};            ///< where the caller has given it
  std::string refusal;

  /// So many teams; of more, where tile::league_limit is fewer, the kernels stride over the rest.
  [[nodiscard]] Teams over(Index count) const {
    auto const league = static_cast<int>(std::min<Index>(count, tile::league_limit));
    return {league, team_size, scratch_bytes, scratch_level, workspace};
  }
  void describe(Explanation& e) const {
    e.scratch_bytes = scratch_bytes;
    e.scratch_level = scratch_level;
    e.workspace_bytes = workspace_bytes;
  }
};

/// "a tile needs 70000 bytes of team scratch, the limit is 49152 at level 0"
[[gnu::cold]] inline std::string scratch_refusal(arch::Machine const& machine, std::string const& what,
                                                 std::size_t bytes, int level, std::string const& purpose = "") {
  return what + " needs " + std::to_string(bytes) + " bytes of team scratch" + purpose + ", the limit is " +
         std::to_string(machine.scratch_room(level)) + " at level " + std::to_string(level);
}

/// \brief  Scratch of so many bytes for a team, at the first level that has room.
/// \param  what  () -> what needs it, for the refusal where no level has enough
template <class What>
void plan_scratch(arch::Machine const& machine, std::size_t bytes, TeamPlan& plan, What const& what) {
  plan.scratch_bytes = bytes;
  plan.scratch_level = machine.scratch_level(bytes);
  if (bytes > machine.scratch_room(plan.scratch_level))
    plan.refusal = scratch_refusal(machine, what(), bytes, plan.scratch_level);
}

/// A team of one host thread, as much of a TeamPolicy's member as Pantile's kernels ask for.
class HostTeam {
 public:
  KOKKOS_INLINE_FUNCTION HostTeam(int league_rank, int league_size, std::byte* scratch)
      : m_rank(league_rank), m_size(league_size), m_scratch(scratch) {}
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int league_rank() const { return m_rank; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int league_size() const { return m_size; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int team_rank() const { return 0; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int team_size() const { return 1; }
  KOKKOS_INLINE_FUNCTION void team_barrier() const {}
  [[nodiscard]] KOKKOS_INLINE_FUNCTION HostTeam const& team_scratch(int) const { return *this; }
  /// All of the scratch, which a kernel takes once; it is aligned to HostWorkspaces::alignment.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION void* get_shmem_aligned(std::size_t, std::size_t) const { return m_scratch; }

 private:
  int m_rank, m_size;
  std::byte* m_scratch;
};

/// A worker's share of the league, one team after the other in a scratch of its own.
template <class Kernel>
struct HostTeams {
  Kernel kernel;
  Index league, workers;
  std::byte* scratch;
  std::size_t stride;

  void operator()(Index worker) const {
    Index const end = league * (worker + 1) / workers;
    for (Index rank = league * worker / workers; rank < end; ++rank) {
      std::byte* const own = scratch + static_cast<std::size_t>(worker) * stride;
      kernel(HostTeam(static_cast<int>(rank), static_cast<int>(league), own));
    }
  }
};

/// Bytes that a host takes for the scratch of such teams; devices have it with each launch.
inline std::size_t host_scratch_bytes(arch::Machine const& machine, Index league, std::size_t scratch_bytes) {
  if (machine.device) return 0;
  return static_cast<std::size_t>(std::min<Index>(league, machine.concurrency)) *
         tile::round_up(scratch_bytes, HostWorkspaces::alignment);
}

/// \brief  Scratch of the teams of one launch or of several one after the other; devices have it with each launch.
/// \throws std::bad_alloc  where a host has no memory for it
template <bool Device>
class TeamScratch;

template <>
class TeamScratch<true> {
 public:
  template <class Exec>
  TeamScratch(Exec const&, Teams const&) {}

  /// kernel(team) for each team of the league.
  template <class LaunchBounds, class Exec, class Kernel>
  void launch(Exec const& exec, Teams const& shape, Kernel const& kernel, std::string const& name) const {
    Kokkos::TeamPolicy<Exec, LaunchBounds> policy(exec, shape.league, shape.team_size);
    policy.set_scratch_size(shape.scratch_level, Kokkos::PerTeam(static_cast<int>(shape.scratch_bytes)));
    Kokkos::parallel_for(name, policy, kernel);
  }
};

template <>
class TeamScratch<false> {
 public:
  template <class Exec>
  TeamScratch(Exec const& exec, Teams const& shape)
      : m_workers(std::min<Index>(shape.league, exec.concurrency())),
        m_stride(tile::round_up(shape.scratch_bytes, HostWorkspaces::alignment)),
        m_lease(HostWorkspaces::get().take(static_cast<std::size_t>(m_workers) * m_stride, shape.workspace)) {
    if (m_lease.data() == nullptr) throw std::bad_alloc();
  }

  /// kernel(team) for each team of the league, by hosts, which know no launch bounds.
  template <class, class Exec, class Kernel>
  void launch(Exec const& exec, Teams const& shape, Kernel const& kernel, std::string const& name) const {
    Index const workers = std::min<Index>(shape.league, m_workers);
    units(exec, workers, false, HostTeams<Kernel>{kernel, shape.league, workers, m_lease.data(), m_stride}, name);
  }

 private:
  Index m_workers;
  std::size_t m_stride;
  HostWorkspaces::Lease m_lease;
};

/// \brief  One such launch.
/// \tparam Device  is it a device's kernel, also where a test emulates it on a host?
template <bool Device, class LaunchBounds, class Exec, class Kernel>
void teams(Exec const& exec, Teams const& shape, Kernel const& kernel, std::string const& name) {
  TeamScratch<Device>(exec, shape).template launch<LaunchBounds>(exec, shape, kernel, name);
}

}  // namespace pantile::impl::launch
