// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The reverse: every team reverses chunks in its scratch.

#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/tile/reverse.hpp>
#include <pantile/impl/tile/shape.hpp>
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

/// Devices. Source: the course notebook's swap_with_shared, for any length.
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

/// Hosts: a chunk, read in rising order and written in falling order, or exchanged with its mirror image.
template <class T, bool InPlace>
struct ChunkKernel {
  Problem<T> problem;
  Index chunk;

  KOKKOS_INLINE_FUNCTION void operator()(Index unit) const {
    if (problem.x.stride == 1 && problem.y.stride == 1) {
      reverse(unit, UnitStride{}, UnitStride{});
    } else {
      reverse(unit, problem.x.stride, problem.y.stride);
    }
  }

 private:
  template <class StrideX, class StrideY>
  KOKKOS_INLINE_FUNCTION void reverse(Index unit, StrideX step_x, StrideY step_y) const {
    Index const size = problem.x.size, begin = unit * chunk;
    Index const count = tile::smaller<Index>(chunk, (InPlace ? size / 2 : size) - begin);
    T* const last = problem.y.data + (size - 1 - begin) * step_y;
    if constexpr (InPlace) {
      T* const first = problem.y.data + begin * step_y;
      compiler_ext::independent_loop(count, [=](Index p) {
        T const low = first[p * step_y];
        first[p * step_y] = last[-p * step_y];
        last[-p * step_y] = low;
      });
    } else {
      T const* const first = problem.x.data + begin * step_x;
      compiler_ext::independent_loop(count, [=](Index p) { last[-p * step_y] = first[p * step_x]; });
    }
  }
};

}  // namespace pantile::impl::reverse
