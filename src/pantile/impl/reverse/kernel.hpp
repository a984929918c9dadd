// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The reverse: every team reverses chunks in its scratch.

#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/tile/reverse.hpp>
#include <pantile/impl/tile/team.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::reverse {

/// y(n - 1 - p) = x(p); in place, x and y are the same elements.
template <class T>
struct Problem {
  Vector<T const> x;
  Vector<T> y;
  bool in_place;
};

/// Source: the course notebook's swap_with_shared, for any length.
template <class T, bool InPlace>
struct ReverseKernel {
  static constexpr arch::KernelTag tag{"untuned"};
  Problem<T> problem;
  int chunk;
  std::size_t scratch_bytes;  // without the slack for alignment
  int scratch_level;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    auto* const buffer = static_cast<T*>(tile::team_scratch(member, scratch_bytes, scratch_level));
    if constexpr (InPlace) {
      tile::reverse_chunks_in_place(member, problem.y, buffer, chunk, member.league_rank(), member.league_size());
    } else {
      tile::reverse_chunks(member, problem.x, problem.y, buffer, chunk, member.league_rank(), member.league_size());
    }
  }
};

}  // namespace pantile::impl::reverse
