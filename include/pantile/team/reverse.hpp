// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A vector reversed by one team, inside a user's own TeamPolicy kernel.

#include <pantile/concepts.hpp>
#include <pantile/team/scratch_tile.hpp>

#include <pantile/impl/tile/reverse.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::team {

/// \brief  y(n - 1 - p) = x(p) by the calling team, in chunks of buffer.capacity() elements. Any length and stride.
///
/// \code
///   using Member = Kokkos::TeamPolicy<>::member_type;
///   using Tile = pantile::team::ScratchTile<int>;
///   auto const policy =
///       Kokkos::TeamPolicy<>(1, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Tile::bytes(1, 256)));
///   Kokkos::parallel_for(policy, KOKKOS_LAMBDA(Member const& member) {
///     Tile const buffer(member, 1, 256);
///     pantile::team::reverse(member, x, y, buffer);
///   });
/// \endcode
///
/// x and y are Views of rank 1 of equal length that do not overlap. Called by the whole team; x must be visible to it.
/// Barriers inside; at the return y is visible to the whole team and the buffer may be used again.
template <class Member, VectorView ViewX, VectorView ViewY, class T>
  requires Mutable<ViewY>
KOKKOS_INLINE_FUNCTION void reverse(Member const& member, ViewX const& x, ViewY const& y,
                                    ScratchTile<T> const& buffer) {
  static_assert(
      std::is_same_v<typename ViewX::non_const_value_type, T> && std::is_same_v<typename ViewY::value_type, T>,
      "pantile::team::reverse: x, y and the buffer must have the same element type");
  auto const from = impl::to_vector(x);
  KOKKOS_ASSERT(x.extent(0) == y.extent(0) && buffer.capacity() > 0);
  impl::tile::reverse_chunks<T>(member, impl::Vector<T const>{from.data, from.size, from.stride}, impl::to_vector(y),
                                buffer.data(), buffer.capacity(), 0, 1);
}

/// \brief  In place: x(p) and x(n - 1 - p) change places, in chunks of half the buffer, which has two elements at
///         least.
template <class Member, VectorView ViewX, class T>
  requires Mutable<ViewX>
KOKKOS_INLINE_FUNCTION void reverse(Member const& member, ViewX const& x, ScratchTile<T> const& buffer) {
  static_assert(std::is_same_v<typename ViewX::value_type, T>,
                "pantile::team::reverse: x and the buffer must have the same element type");
  KOKKOS_ASSERT(buffer.capacity() >= 2);
  impl::tile::reverse_chunks_in_place<T>(member, impl::to_vector(x), buffer.data(), buffer.capacity() / 2, 0, 1);
}

}  // namespace pantile::team
