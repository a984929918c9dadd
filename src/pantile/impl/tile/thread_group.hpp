// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The threads of a device's team, each with a state of its own in registers. Kernels take the group that
///        belongs to the team's execution space: tests have one for hosts, which emulates a device's threads.

#include <pantile/impl/tile/team.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace pantile::impl::tile {

/// \tparam State  what a thread keeps in registers; nobody initialises it
template <class State, int Threads, int Warp>
class ThreadGroup {
 public:
  /// \brief  The team's scratch: Bytes, and behind them what the group needs of it: nothing.
  /// \param  level  of hosts
  template <std::size_t Bytes, class Member>
  KOKKOS_INLINE_FUNCTION static void* scratch(Member const& member, int level) {
    return team_scratch(member, Bytes, level);
  }

  /// The second argument is the group's own part of the scratch.
  template <class Member>
  KOKKOS_INLINE_FUNCTION ThreadGroup(Member const& member, void*) : m_rank(member.team_rank()) {}

  /// f(thread, state) by every thread. What one writes to scratch another must not read before a barrier.
  template <class F>
  KOKKOS_INLINE_FUNCTION void each(F const& f) {
    f(m_rank, m_own);
  }

  /// collective(thread, state) by every thread, for what a warp's threads do together, in a type of its own: a matrix
  /// instruction, an exchange of lanes.
  template <class Collective>
  KOKKOS_INLINE_FUNCTION void each_warp(Collective const& collective) {
    collective(m_rank, m_own);
  }

 private:
  [[maybe_unused]] State m_own;
  int m_rank;
};

/// \brief  The group of an execution space. A host has no group but the one that tests specialise this for, so that the
///         name means the same in every file.
template <class Exec, class State, int Threads, int Warp>
struct ThreadsOf {
  static_assert(
      !std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace>,
      "kernels for devices run on hosts only with emulated threads (unit_tests/support/emulated_threads.hpp)");
  using type = ThreadGroup<State, Threads, Warp>;
};
template <class Member, class State, int Threads, int Warp>
using threads_of = typename ThreadsOf<typename Member::execution_space, State, Threads, Warp>::type;

}  // namespace pantile::impl::tile
