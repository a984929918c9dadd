// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Index of a thread in its team and in the whole launch, in one and two dimensions.

#include <pantile/policy.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// \namespace pantile::team
/// \brief  Functions for a user's own TeamPolicy kernel. They take the member of a policy with vector length 1 and work
///         for any team size, one thread included. Preconditions are checked by KOKKOS_ASSERT only.
///
/// \code
///   using Member = Kokkos::TeamPolicy<>::member_type;
///   Kokkos::parallel_for(Kokkos::TeamPolicy<>(blocks, threads), KOKKOS_LAMBDA(Member const& member) {
///     auto const i = pantile::team::grid_rank(member);     // Numba's grid(1): threadIdx.x + blockIdx.x * blockDim.x
///     auto const step = pantile::team::grid_size(member);  // Numba's gridsize(1)
///     for (auto p = i; p < n; p += step) x(p) += 1;
///   });
/// \endcode
namespace pantile::team {

/// A place in two dimensions: row along y, column along x.
struct Place {
  std::int64_t row;
  std::int64_t col;
  friend constexpr bool operator==(Place, Place) = default;
};

/// Index of the calling thread in the whole league: team by team, and by rank within a team.
template <class Member>
KOKKOS_INLINE_FUNCTION std::int64_t grid_rank(Member const& member) {
  return std::int64_t{member.league_rank()} * member.team_size() + member.team_rank();
}

/// Number of threads of the whole league.
template <class Member>
KOKKOS_INLINE_FUNCTION std::int64_t grid_size(Member const& member) {
  return std::int64_t{member.league_size()} * member.team_size();
}

/// Thread number `rank` of a block of threads that is block.x wide: neighbours along x.
KOKKOS_INLINE_FUNCTION constexpr Place place_in_block(int rank, Extent2 block) {
  return {rank / block.x, rank % block.x};
}

/// \brief  Place of thread number `rank` of team number `league_rank` in a launch: Numba's grid(2), as
///         (row, column). Teams are numbered along x first, as blocks are.
KOKKOS_INLINE_FUNCTION constexpr Place place_in_grid(int league_rank, int rank, LaunchShape const& launch) {
  Place const inner = place_in_block(rank, launch.block);
  return {std::int64_t{league_rank / launch.grid.x} * launch.block.y + inner.row,
          std::int64_t{league_rank % launch.grid.x} * launch.block.x + inner.col};
}

/// Rows and columns of threads of a launch: Numba's gridsize(2).
KOKKOS_INLINE_FUNCTION constexpr Place grid_extent(LaunchShape const& launch) {
  return {std::int64_t{launch.grid.y} * launch.block.y, std::int64_t{launch.grid.x} * launch.block.x};
}

/// \brief  Place of the calling thread in a block of this shape. The team has block.x * block.y threads; where it may
///         have fewer, as on hosts, use for_each_block_place (loops.hpp), which visits all places.
template <class Member>
KOKKOS_INLINE_FUNCTION Place block_place(Member const& member, Extent2 block) {
  return place_in_block(member.team_rank(), block);
}

/// \brief  Place of the calling thread in the launch. The league has grid.x * grid.y teams of block.x * block.y
///         threads; where it may have fewer, use for_each_grid_place (loops.hpp), which visits all places.
template <class Member>
KOKKOS_INLINE_FUNCTION Place grid_place(Member const& member, LaunchShape const& launch) {
  return place_in_grid(member.league_rank(), member.team_rank(), launch);
}

}  // namespace pantile::team
