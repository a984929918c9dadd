// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  More than 2^31 elements: 47400 x 47400 of one byte. Skipped where the memory is not there.
#include <support/large.hpp>

#include <pantile/transpose.hpp>

#include <gtest/gtest.h>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::TransposeAlgorithm;

using Exec = Kokkos::DefaultExecutionSpace;
using View = Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Exec>;
constexpr std::int64_t n = 47'400;
static_assert((n - 2000) * n > (std::int64_t{1} << 31));  // where several of any blocks begin

TEST(TransposeLarge, InPlaceBeyond32BitOffsets) {
  auto const A = large_matrix<View>(n, n, 1);
  if (A.data() == nullptr) GTEST_SKIP() << "not enough memory";
  large_fill(A, LargeValue{});
  pantile::transpose(Exec{}, A, {.algorithm = Algorithm::padded, .tile = 128});
  Kokkos::fence();
  EXPECT_EQ(large_mismatches(A, LargeValueTransposed{}), 0);
}

// A plain copy by its strides: the quick way to walk all offsets of two matrices.
TEST(TransposeLarge, CopyBeyond32BitOffsets) {
  auto const A = large_matrix<View>(n, n, 2);
  auto const B = A.data() == nullptr ? A : large_matrix<View>(n, n, 1);
  if (B.data() == nullptr) GTEST_SKIP() << "not enough memory";
  large_fill(A, LargeValue{});
  Kokkos::View<std::int8_t**, Kokkos::LayoutLeft, Exec, Kokkos::MemoryUnmanaged> const left(B.data(), n, n);
  pantile::transpose(Exec{}, A, left);
  Kokkos::fence();
  EXPECT_EQ(large_mismatches(B, LargeValue{}), 0);
}

}  // namespace
