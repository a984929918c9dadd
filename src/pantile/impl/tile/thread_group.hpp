// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The threads of a team, each with a state of its own: a device's real ones, or the same ones played by one
///        host thread, so that a kernel's indices, edges and stages can be tested without a device.

#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team_scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::tile {

/// \tparam State  what a thread keeps in registers; nobody initialises it
template <class State, int Threads, int Warp>
class ThreadGroup {
 public:
  /// Bytes of team scratch that the states need where threads are played.
  static constexpr std::size_t played_bytes = sizeof(State) * Threads;

  /// \brief  The team's scratch: Bytes, and on hosts behind them room for the states.
  /// \param  level  of hosts
  template <std::size_t Bytes, class Member>
  KOKKOS_INLINE_FUNCTION static void* scratch(Member const& member, [[maybe_unused]] int level) {
    KOKKOS_IF_ON_DEVICE((return team_scratch(member, Bytes, level);))
    KOKKOS_IF_ON_HOST((static_assert(Bytes % alignof(State) == 0 && scratch_alignment % alignof(State) == 0);
                       return team_scratch(member, Bytes + played_bytes, level);))
  }

  /// \param  played  memory for the states where threads are played, unused elsewhere
  template <class Member>
  KOKKOS_INLINE_FUNCTION ThreadGroup(Member const& member, [[maybe_unused]] void* played)
      : m_rank(member.team_rank()), m_played(static_cast<State*>(played)) {}

  /// f(thread, state) by every thread. What one writes to scratch another must not read before a barrier.
  template <class F>
  KOKKOS_INLINE_FUNCTION void each(F const& f) {
    KOKKOS_IF_ON_DEVICE((f(m_rank, m_own);))
    KOKKOS_IF_ON_HOST((for (int thread = 0; thread < Threads; ++thread) f(thread, m_played[thread]);))
  }

  /// By every warp together: on devices f(thread, state) with the calling thread's own, on hosts f(states) with all of the
  /// warp's.
  template <class OnDevice, class OnHost>
  KOKKOS_INLINE_FUNCTION void each_warp([[maybe_unused]] OnDevice const& on_device,
                                        [[maybe_unused]] OnHost const& on_host) {
    KOKKOS_IF_ON_DEVICE((on_device(m_rank, m_own);))
    KOKKOS_IF_ON_HOST((for (int first = 0; first < Threads; first += Warp) on_host(m_played + first);))
  }

 private:
  [[maybe_unused]] State m_own;
  [[maybe_unused]] int m_rank;
  [[maybe_unused]] State* m_played;
};

}  // namespace pantile::impl::tile
