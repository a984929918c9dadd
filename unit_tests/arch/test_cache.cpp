// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  How much of the caches may be relied on: machines and parts of machines that are not there.
#include <pantile/impl/arch/host/caches.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using pantile::impl::arch::last_level_cache;
using pantile::impl::arch::near_caches;
using pantile::impl::arch::usable_cache;

constexpr std::int64_t mib = 1 << 20;

TEST(UsableCache, IsAllThatProcessorsCanHold) {
  EXPECT_EQ(usable_cache(8 * mib, 4), 8 * mib);
  EXPECT_EQ(usable_cache(96 * mib, 8), 96 * mib) << "a chiplet with stacked cache";
  EXPECT_EQ(usable_cache(480 * mib, 120), 480 * mib);
}

TEST(UsableCache, IsAShareWhereOthersHaveTheRest) {
  EXPECT_EQ(usable_cache(480 * mib, 2), 32 * mib) << "a virtual machine of two processors";
}

TEST(UsableCache, IsModestWhereNothingIsSaid) {
  EXPECT_EQ(usable_cache(0, 4), 8 * mib);
  EXPECT_EQ(usable_cache(-1, 4), 8 * mib);
  EXPECT_EQ(usable_cache(32 * mib, -1), 32 * mib);
  EXPECT_GT(last_level_cache(), 0);
  EXPECT_GE(near_caches().first, 8 << 10);
  EXPECT_GE(near_caches().second, 64 << 10);
}

}  // namespace
