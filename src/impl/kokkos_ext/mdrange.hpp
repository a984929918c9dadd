// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A 2D range whose first index is the fast one, the same on every supported Kokkos.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::kokkos_ext {

template <class Exec>
using FastSlowPolicy = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                             Kokkos::IndexType<std::int64_t>>;

/// \brief  Range over (fast, slow) with an explicit tile; functors take (fast index, slow index).
///
/// Iterate::Left with the fast index first: until Kokkos 5.1 the GPU backends mapped the first index to the fast thread
/// index whatever Iterate said (kokkos PR 8638), so the other way round is uncoalesced there. The tile is explicit
/// because the default was 32 threads a block until 5.1 (kokkos issue 6071 and PR 8731 have the figures).
template <class Exec>
FastSlowPolicy<Exec> fast_slow_policy(Exec const& exec, std::int64_t fast, std::int64_t slow, std::int64_t fast_tile,
                                      std::int64_t slow_tile) {
  auto const fit = [](std::int64_t tile, std::int64_t extent) {
    return std::max<std::int64_t>(1, std::min(tile, extent));
  };
  return FastSlowPolicy<Exec>(exec, {std::int64_t{0}, std::int64_t{0}}, {fast, slow},
                              {fit(fast_tile, fast), fit(slow_tile, slow)});
}

}  // namespace pantile::impl::kokkos_ext
