// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Where a team's scratch is.

#include <pantile/impl/compiler_ext/assume_shared.hpp>
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

}  // namespace pantile::impl::tile
