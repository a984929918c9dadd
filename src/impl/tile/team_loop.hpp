// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Loops shared by the threads of a team.

#include <Kokkos_Core.hpp>

namespace pantile::impl::tile {

/// \brief  Call f(line, position) for every pair, shared by the team. No barrier at the end.
///
/// Positions are dealt to neighbouring threads on devices, so that they should be the direction in which memory is
/// contiguous; on hosts a thread takes whole lines, with no division in the inner loop.
template <class Member, class F>
KOKKOS_INLINE_FUNCTION void for_each_2d(Member const& member, int lines, int positions, F const& f) {
  KOKKOS_IF_ON_HOST((Kokkos::parallel_for(Kokkos::TeamThreadRange(member, lines), [&](int line) {
                       for (int position = 0; position < positions; ++position) f(line, position);
                     });))
  KOKKOS_IF_ON_DEVICE((Kokkos::parallel_for(Kokkos::TeamVectorRange(member, lines * positions), [&](int flat) {
                         f(flat / positions, flat % positions);
                       });))
}

}  // namespace pantile::impl::tile
