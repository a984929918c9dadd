// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Transposition by one team, inside a user's own TeamPolicy kernel.

#include <pantile/team/options.hpp>
#include <pantile/team/scratch_tile.hpp>

#include <pantile/impl/tile/load_store.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::team {

/// \brief  B(j, i) = A(i, j), or its conjugate for `{.conjugate = true}`, by the calling team: through a tile in
///         scratch, so that both are read or written contiguously. Any team size, any extents, any tile; a
///         padding of 1 is best on GPUs.
///
/// \code
///   using Member = Kokkos::TeamPolicy<>::member_type;
///   using Tile = pantile::team::ScratchTile<float>;
///   auto const policy =
///       Kokkos::TeamPolicy<>(batch, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Tile::bytes(32, 32, 1)));
///   Kokkos::parallel_for(policy, KOKKOS_LAMBDA(Member const& member) {
///     Tile const tile(member, 32, 32, 1);
///     pantile::team::transpose(member, Kokkos::subview(A, member.league_rank(), Kokkos::ALL, Kokkos::ALL),
///                              Kokkos::subview(B, member.league_rank(), Kokkos::ALL, Kokkos::ALL), tile);
///   });
/// \endcode
///
/// \param  A, B  rank-2 Views or ScratchTiles, (m, n) and (n, m), that overlap neither each other nor the tile. A must
///               be visible to the team: a barrier lies between its last write and this call
/// \pre    the extents of B are those of A exchanged. Kernels cannot throw: KOKKOS_ASSERT checks this, and thus only
///         without NDEBUG
///
/// Called by the whole team. Barriers inside; at the return B is visible to the whole team and the tile may be used
/// again.
template <class Member, TeamMatrix MatrixA, TeamMatrix MatrixB, class T>
KOKKOS_INLINE_FUNCTION void transpose(Member const& member, MatrixA const& A, MatrixB const& B,
                                      ScratchTile<T> const& tile, KernelTransposeOptions const& options = {}) {
  auto const a = impl::to_matrix(A);
  auto const b = impl::to_matrix(B).transposed();
  KOKKOS_ASSERT(a.rows == b.rows && a.cols == b.cols);
  impl::tile::TileGrid const tiles{a.rows, a.cols, tile.rows(), tile.cols()};
  for (std::int64_t t = 0; t < tiles.count(); ++t) {
    impl::tile::Block const block = tiles.block(t);
    impl::tile::load_tile<T>(member, a, options.conjugate, block, block.rows, block.cols,
                             [&](int i, int j, T const& value) { tile(i, j) = value; });
    member.team_barrier();
    impl::tile::store_tile(member, b, block, [&](int i, int j) -> T const& { return tile(i, j); });
    member.team_barrier();
  }
}

}  // namespace pantile::team
