// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  2D ranges whose first index is the fast one, on every supported Kokkos.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace pantile::impl::kokkos_ext {

template <class Exec>
using FastSlowPolicy = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                             Kokkos::IndexType<std::int64_t>>;

/// \brief  Range over (fast, slow); functors take (fast index, slow index). Until Kokkos 5.1 the GPU backends mapped
///         the first index to the fast thread index whatever Iterate said (kokkos PR 8638), and had 32 threads a block
///         by default (kokkos issue 6071 and PR 8731).
template <class Exec>
FastSlowPolicy<Exec> fast_slow_policy(Exec const& exec, std::int64_t fast, std::int64_t slow, std::int64_t fast_tile,
                                      std::int64_t slow_tile, std::int64_t first_fast = 0) {
  auto const fit = [](std::int64_t tile, std::int64_t extent) {
    return std::max<std::int64_t>(1, std::min(tile, extent));
  };
  return FastSlowPolicy<Exec>(exec, {first_fast, std::int64_t{0}}, {first_fast + fast, slow},
                              {fit(fast_tile, fast), fit(slow_tile, slow)});
}

/// \brief  kernel(fast index, slow index) for all of fast x slow; one launch for each `slice` of the fast extent, since
///         HIP takes fewer than 2^32 threads along one direction of a launch (AMD, HIP documentation,
///         hipModuleLaunchKernel).
template <class Exec, class Kernel>
void for_fast_slow(std::string const& name, Exec const& exec, std::int64_t fast, std::int64_t slow,
                   std::int64_t fast_tile, std::int64_t slow_tile, Kernel const& kernel,
                   std::int64_t slice = std::int64_t{1} << 31) {
  std::int64_t first = 0;
  do {
    std::int64_t const length = std::min(slice, fast - first);
    Kokkos::parallel_for(name, fast_slow_policy(exec, length, slow, fast_tile, slow_tile, first), kernel);
    first += length;
  } while (first < fast);
}

}  // namespace pantile::impl::kokkos_ext
