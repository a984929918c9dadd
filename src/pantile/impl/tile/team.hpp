// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Loops and scratch that the threads of a team share.

#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::tile {

/// \brief  So many bytes of the team's scratch, aligned to scratch_alignment.
/// \param  level  of hosts. Devices have level 0: with a level known at run time only, nvcc 12.4 keeps Kokkos' levels
///                in local memory, and no compiler takes the instructions for scratch.
template <class Member>
KOKKOS_INLINE_FUNCTION void* team_scratch(Member const& member, std::size_t bytes, [[maybe_unused]] int level) {
  KOKKOS_IF_ON_DEVICE(
      (return compiler_ext::assume_shared(member.team_scratch(0).get_shmem_aligned(bytes, scratch_alignment));))
  KOKKOS_IF_ON_HOST((return member.team_scratch(level).get_shmem_aligned(bytes, scratch_alignment);))
}

/// Call f(p) for p from 0 to below count, shared by the team: neighbours go to neighbouring threads. No barrier at the
/// end.
template <class Member, class Count, class F>
KOKKOS_INLINE_FUNCTION void for_each_1d(Member const& member, Count count, F const& f) {
  Count const step = static_cast<Count>(member.team_size());
  for (Count p = static_cast<Count>(member.team_rank()); p < count; p += step) f(p);
}

/// \brief  Call f(line, position) for every pair, shared by the team. No barrier at the end. Positions are dealt to
///         neighbouring threads on devices, so that they should be the direction in which memory is contiguous; on
///         hosts a thread takes whole lines, with no division in the inner loop.
template <class Member, class F>
KOKKOS_INLINE_FUNCTION void for_each_2d(Member const& member, int lines, int positions, F const& f) {
  KOKKOS_IF_ON_HOST((for (int line = member.team_rank(); line < lines; line += member.team_size()) {
    for (int position = 0; position < positions; ++position) f(line, position);
  }))
  KOKKOS_IF_ON_DEVICE(
      (for_each_1d(member, lines * positions, [&](int flat) { f(flat / positions, flat % positions); });))
}

/// \brief  Call f(line, position) for every pair, shared by a team, without a barrier; no call may read what another
///         one writes. On devices `lanes` neighbouring threads, which divide the team, take neighbouring positions: one
///         division per call and none in the loops. On hosts a thread takes whole lines.
template <bool Device, class Member, class F>
KOKKOS_INLINE_FUNCTION void for_each_line(Member const& member, [[maybe_unused]] int lanes, int lines, int positions,
                                          F const& f) {
  if constexpr (Device) {
    int const lane = member.team_rank() % lanes, step = member.team_size() / lanes;
    for (int line = member.team_rank() / lanes; line < lines; line += step) {
      for (int position = lane; position < positions; position += lanes) f(line, position);
    }
  } else {
    for (int line = member.team_rank(); line < lines; line += member.team_size()) {
      compiler_ext::independent_loop(positions, [&](int position) { f(line, position); });
    }
  }
}

}  // namespace pantile::impl::tile
