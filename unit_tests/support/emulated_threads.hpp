// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The threads of a device's team, emulated by one thread of the host, so that a kernel's indices, edges and
///        stages can be tested without a device. What warps do together is emulated by `emulate` for its type.

#include <pantile/impl/tile/thread_group.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::tile {

/// As ThreadGroup; the states are kept in the team's scratch.
template <class State, int Threads, int Warp>
class EmulatedThreads {
 public:
  static constexpr std::size_t state_bytes = sizeof(State) * Threads;

  template <std::size_t Bytes, class Member>
  KOKKOS_INLINE_FUNCTION static void* scratch(Member const& member, int level) {
    static_assert(Bytes % alignof(State) == 0 && scratch_alignment % alignof(State) == 0);
    return team_scratch(member, Bytes + state_bytes, level);
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION EmulatedThreads(Member const&, void* states) : m_states(static_cast<State*>(states)) {}

  template <class F>
  KOKKOS_INLINE_FUNCTION void each(F const& f) {
    for (int thread = 0; thread < Threads; ++thread) f(thread, m_states[thread]);
  }

  template <class Collective>
  KOKKOS_INLINE_FUNCTION void each_warp(Collective const& collective) {
    for (int first = 0; first < Threads; first += Warp) emulate(collective, m_states + first);
  }

 private:
  State* m_states;
};

template <class State, int Threads, int Warp>
struct ThreadsOf<Kokkos::DefaultHostExecutionSpace, State, Threads, Warp> {
  using type = EmulatedThreads<State, Threads, Warp>;
};

}  // namespace pantile::impl::tile
