// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  2D ranges: every index once, also where one launch does not take them all.
#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/kokkos_ext/range_2d.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Visits = Kokkos::View<int**, Kokkos::LayoutRight, Exec>;

struct Visit {
  Visits visits;
  KOKKOS_FUNCTION void operator()(std::int64_t fast, std::int64_t slow) const {
    Kokkos::atomic_inc(&visits(slow, fast));
  }
};

// Slices shorter than a tile, that end within one, and as long as the range and longer.
TEST(FastSlow, SlicesVisitEveryIndexOnce) {
  for (std::int64_t const slice : {1, 7, 32, 50, 100, 1000}) {
    SCOPED_TRACE(slice);
    Visits const visits("visits", 3, 100);
    pantile::impl::kokkos_ext::for_fast_slow("visit", Exec{}, 100, 3, 32, 2, Visit{visits}, slice);
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, visits);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 100; ++j) ASSERT_EQ(host(i, j), 1) << i << ", " << j;
    }
  }
}

TEST(FastSlow, EmptyRangesVisitNothing) {
  Visits const visits("visits", 1, 1);
  pantile::impl::kokkos_ext::for_fast_slow("visit", Exec{}, 0, 1, 32, 1, Visit{visits});
  pantile::impl::kokkos_ext::for_fast_slow("visit", Exec{}, 1, 0, 32, 1, Visit{visits});
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, visits);
  EXPECT_EQ(host(0, 0), 0);
}

// More blocks along the slow direction than a grid has there (65,535).
TEST(FastSlow, MoreTilesThanBlocks) {
  std::int64_t const slow = 70001;
  Visits const visits("visits", slow, 3);
  pantile::impl::kokkos_ext::for_fast_slow("visit", Exec{}, 3, slow, 4, 1, Visit{visits});
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, visits);
  for (std::int64_t i = 0; i < slow; ++i) {
    for (int j = 0; j < 3; ++j) ASSERT_EQ(host(i, j), 1) << i << ", " << j;
  }
}

// A tile as large as the machine's limit is launched, whatever this Kokkos' limit is.
TEST(FastSlow, TheLargestTileRuns) {
  int const limit = pantile::impl::arch::machine(Exec{}).max_tile_size;
  EXPECT_GE(limit, 256);
  std::int64_t const tile = limit < 4096 ? limit : 4096;
  Visits const visits("visits", 2, 5000);
  pantile::impl::kokkos_ext::for_fast_slow("visit", Exec{}, 5000, 2, tile, 1, Visit{visits});
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, visits);
  for (int j = 0; j < 5000; ++j) ASSERT_EQ(host(0, j) + host(1, j), 2) << j;
}

}  // namespace
