// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The blocked transpositions of devices: what the policy asks of them, and their launch.

#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/transpose/kernel_packed.hpp>
#include <pantile/impl/transpose/policy.hpp>
#include <pantile/impl/transpose/problem.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace pantile::impl::transpose {

/// The tile of the blocked kernel of devices for elements of this size.
template <std::size_t Size>
PackedTile tile_of(bool in_place, bool wide) {
  auto const of = []<class Shape>(Shape) {
    return PackedTile{Shape::edge, Shape::threads, Shape::pack, Shape::scratch_bytes};
  };
  if (in_place) return wide ? of(PackedShape<Size, 2, true>{}) : of(PackedShape<Size, 2, false>{});
  return wide ? of(PackedShape<Size, 1, true>{}) : of(PackedShape<Size, 1, false>{});
}

/// The tile for this problem; of no threads where its rows and columns are not contiguous.
template <class T>
PackedTile packed_tile(Problem<T> const& p) {
  bool const wide = takes_packs<true>(p);
  return wide || takes_packs<false>(p) ? tile_of<sizeof(T)>(p.in_place, wide) : PackedTile{};
}

template <class Kernel, class Exec, class T>
void launch_packed(Exec const& exec, Problem<T> const& p, Plan const& plan, std::string const& name) {
  using Bounds = Kokkos::LaunchBounds<Kernel::Shape::threads, Kernel::Shape::min_blocks>;
  launch::teams<true, Bounds>(exec, plan.over(plan.tiles), Kernel(p, plan.scratch_level), name);
}

/// The blocked variant on devices.
template <class Exec, class T>
void run_packed(Exec const& exec, Problem<T> const& p, Plan const& plan, std::string const& name) {
  if constexpr (PackedShape<sizeof(T), 1, true>::available) {
    // Of 16 bytes, each element is a pack.
    bool const wide = sizeof(T) == 16 || plan.pack > 1;
    if (wide && p.in_place) launch_packed<PackedPairsKernel<T, true>>(exec, p, plan, name);
    if (wide && !p.in_place) launch_packed<PackedKernel<T, true>>(exec, p, plan, name);
    if constexpr (sizeof(T) < 16) {
      if (!wide && p.in_place) launch_packed<PackedPairsKernel<T, false>>(exec, p, plan, name);
      if (!wide && !p.in_place) launch_packed<PackedKernel<T, false>>(exec, p, plan, name);
    }
  }
}

}  // namespace pantile::impl::transpose
