// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Vectors reversed chunk by chunk through team scratch, so that both ends are accessed in rising order.

#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::tile {

/// \brief  y(n - 1 - p) = x(p) for the chunks number first, first + step, ... of `chunk` elements each. x and y do not
///         overlap. Called by a whole team; barriers inside, the last one after the last store.
/// \param  buffer  scratch of chunk elements
template <class T, class Member>
KOKKOS_INLINE_FUNCTION void reverse_chunks(Member const& member, Vector<T const> const& x, Vector<T> const& y,
                                           T* buffer, int chunk, Index first, Index step) {
  for (Index begin = first * chunk; begin < x.size; begin += step * chunk) {
    int const length = static_cast<int>(smaller<Index>(chunk, x.size - begin));
    Index const target = x.size - begin - length;
    for_each_1d(member, length, [&](int p) { buffer[p] = x(begin + p); });
    member.team_barrier();
    for_each_1d(member, length, [&](int p) { y(target + p) = buffer[length - 1 - p]; });
    member.team_barrier();
  }
}

/// \brief  The same in place: chunks of the first half change places with their mirror images.
/// \param  buffer  scratch of 2 chunk elements
template <class T, class Member>
KOKKOS_INLINE_FUNCTION void reverse_chunks_in_place(Member const& member, Vector<T> const& x, T* buffer, int chunk,
                                                    Index first, Index step) {
  Index const half = x.size / 2;  // the middle element of an odd number stays
  for (Index begin = first * chunk; begin < half; begin += step * chunk) {
    int const length = static_cast<int>(smaller<Index>(chunk, half - begin));
    Index const mirror = x.size - begin - length;
    for_each_1d(member, length, [&](int p) {
      buffer[p] = x(begin + p);
      buffer[chunk + p] = x(mirror + p);
    });
    member.team_barrier();
    for_each_1d(member, length, [&](int p) {
      x(begin + p) = buffer[chunk + length - 1 - p];
      x(mirror + p) = buffer[length - 1 - p];
    });
    member.team_barrier();
  }
}

}  // namespace pantile::impl::tile
