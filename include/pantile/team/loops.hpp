// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Loops whose iterations are shared by a team or by a whole league, in one and two dimensions. No barrier at
///        the end.

#include <pantile/policy.hpp>
#include <pantile/team/identity.hpp>

#include <pantile/impl/tile/team.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::team {

/// \brief  f(p) for p = 0 ... count - 1, shared by the team; neighbouring threads take neighbouring p.
/// \code
///   pantile::team::team_for(member, n, [&](std::int64_t p) { buffer[p] = x(p); });
///   member.team_barrier();
/// \endcode
template <class Member, class F>
KOKKOS_INLINE_FUNCTION void team_for(Member const& member, std::int64_t count, F const& f) {
  impl::tile::for_each_1d(member, count, f);
}

/// \brief  f(i, j) for all i < rows, j < cols, shared by the team; j should be the direction in which memory is
///         contiguous. For tiles: rows * cols is below 2^31.
/// \code
///   pantile::team::team_for_2d(member, 16, 16, [&](int i, int j) { tile(i, j) = 0; });
/// \endcode
template <class Member, class F>
KOKKOS_INLINE_FUNCTION void team_for_2d(Member const& member, int rows, int cols, F const& f) {
  impl::tile::for_each_2d(member, rows, cols, f);
}

/// \brief  f(p) for p = 0 ... count - 1, shared by all threads of the league: Numba's
///         `for p in range(grid(1), n, gridsize(1))`.
/// \code
///   pantile::team::grid_stride_for(member, n, [&](std::int64_t p) { y(p) += x(p); });
/// \endcode
template <class Member, class F>
KOKKOS_INLINE_FUNCTION void grid_stride_for(Member const& member, std::int64_t count, F const& f) {
  std::int64_t const step = grid_size(member);
  for (std::int64_t p = grid_rank(member); p < count; p += step) f(p);
}

/// \brief  f(place) for every place of a block of this shape, shared by the team, whatever its size: once per thread
///         where the team has block.x * block.y threads.
/// \code
///   pantile::team::for_each_block_place(member, {.x = 16, .y = 16}, [&](pantile::team::Place p) { ... });
/// \endcode
template <class Member, class F>
KOKKOS_INLINE_FUNCTION void for_each_block_place(Member const& member, Extent2 block, F const& f) {
  impl::tile::for_each_1d(member, block.x * block.y, [&](int rank) { f(place_in_block(rank, block)); });
}

/// \brief  f(place) for every place of the launch, shared by the league, whatever its size and that of its teams: a
///         launch shape written for a GPU means the same on a host.
/// \code
///   pantile::team::for_each_grid_place(member, launch, [&](pantile::team::Place thread) { ... });
/// \endcode
template <class Member, class F>
KOKKOS_INLINE_FUNCTION void for_each_grid_place(Member const& member, LaunchShape const& launch, F const& f) {
  int const blocks = launch.grid.x * launch.grid.y;
  for (int block = member.league_rank(); block < blocks; block += member.league_size()) {
    impl::tile::for_each_1d(member, launch.block.x * launch.block.y,
                            [&](int rank) { f(place_in_grid(block, rank, launch)); });
  }
}

/// \brief  f(i, j) for all i < rows, j < cols: every thread of the launch strides over the elements by the launch's
///         extents, as in Numba's `for j in range(x, cols, gridsize(2)[0])`. The launch may be smaller or larger than
///         the elements, and the league smaller or larger than the launch.
/// \code
///   using Member = Kokkos::TeamPolicy<>::member_type;
///   pantile::LaunchShape const launch{.grid = {3, 2}, .block = {3, 2}};
///   Kokkos::parallel_for(Kokkos::TeamPolicy<>(6, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
///     pantile::team::grid_stride_for_2d(member, launch, 11, 5, [&](auto i, auto j) { A(i, j) = i + j; });
///   });
/// \endcode
template <class Member, class F>
KOKKOS_INLINE_FUNCTION void grid_stride_for_2d(Member const& member, LaunchShape const& launch, std::int64_t rows,
                                               std::int64_t cols, F const& f) {
  Place const step = grid_extent(launch);
  for_each_grid_place(member, launch, [&](Place thread) {
    for (std::int64_t i = thread.row; i < rows; i += step.row) {
      for (std::int64_t j = thread.col; j < cols; j += step.col) f(i, j);
    }
  });
}

}  // namespace pantile::team
