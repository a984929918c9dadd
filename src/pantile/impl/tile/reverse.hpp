// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Vectors reversed chunk by chunk through team scratch, so that both ends are walked in rising order.

#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::tile {

/// \brief  y(n - 1 - p) = x(p) for the pieces number first, first + step, ... of `piece` elements each. x and y do not
///         overlap. Called by a whole team; barriers inside, the last one after the last store.
/// \param  buffer  scratch of piece elements
template <class T, class Member>
KOKKOS_INLINE_FUNCTION void reverse_pieces(Member const& member, Vector<T const> const& x, Vector<T> const& y,
                                           T* buffer, int piece, Index first, Index step) {
  for (Index begin = first * piece; begin < x.size; begin += step * piece) {
    int const length = static_cast<int>(smaller<Index>(piece, x.size - begin));
    Index const target = x.size - begin - length;
    for_each_1d(member, length, [&](int p) { buffer[p] = x(begin + p); });
    member.team_barrier();
    for_each_1d(member, length, [&](int p) { y(target + p) = buffer[length - 1 - p]; });
    member.team_barrier();
  }
}

/// \brief  The same in place: pieces of the first half change places with their mirror images.
/// \param  buffer  scratch of 2 piece elements
template <class T, class Member>
KOKKOS_INLINE_FUNCTION void reverse_pieces_in_place(Member const& member, Vector<T> const& x, T* buffer, int piece,
                                                    Index first, Index step) {
  Index const half = x.size / 2;  // the middle element of an odd number stays
  for (Index begin = first * piece; begin < half; begin += step * piece) {
    int const length = static_cast<int>(smaller<Index>(piece, half - begin));
    Index const mirror = x.size - begin - length;
    for_each_1d(member, length, [&](int p) {
      buffer[p] = x(begin + p);
      buffer[piece + p] = x(mirror + p);
    });
    member.team_barrier();
    for_each_1d(member, length, [&](int p) {
      x(begin + p) = buffer[piece + length - 1 - p];
      x(mirror + p) = buffer[length - 1 - p];
    });
    member.team_barrier();
  }
}

}  // namespace pantile::impl::tile
