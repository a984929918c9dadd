// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pinned memory that is kept must not outlive Kokkos. A program of its own, which finalises it.
#include <pantile/pinned.hpp>

#include <gtest/gtest.h>

namespace {

TEST(FreeStaging, HappensWhenKokkosIsFinalised) {
  using HeldChunks = pantile::impl::transfer::Chunks;
  Kokkos::initialize();
  {
    HeldChunks chunks;
    chunks.reserve(2, 4096, 10000);
  }
  EXPECT_EQ(pantile::kept_staging_bytes(), 8192u);
  Kokkos::finalize();
  EXPECT_EQ(pantile::kept_staging_bytes(), 0u);
}

}  // namespace
