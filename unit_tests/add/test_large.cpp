// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  More than 2^31 elements: 47400 x 47400 of one byte, in place. Skipped where the memory is not there.
#include <support/large.hpp>

#include <pantile/add.hpp>

#include <gtest/gtest.h>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::AddAlgorithm;

using Exec = Kokkos::DefaultExecutionSpace;
using View = Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Exec>;
constexpr std::int64_t n = 47'400;
static_assert((n - 2000) * n > (std::int64_t{1} << 31));  // where several of any blocks begin

/// 6 large_value, modulo 2^8: A + A first, then three times that.
struct SixTimes {
  KOKKOS_INLINE_FUNCTION std::int8_t operator()(std::int64_t i, std::int64_t j) const {
    return static_cast<std::int8_t>(6 * large_value(i, j));
  }
};

TEST(AddLarge, InPlaceBeyond32BitOffsets) {
  auto const A = large_matrix<View>(n, n, 1);
  if (A.data() == nullptr) GTEST_SKIP() << "not enough memory";
  large_fill(A, LargeValue{});
  pantile::add(Exec{}, 1, A, 1, A, A);                                         // as one row
  pantile::add(Exec{}, 1, A, 2, A, A, {.algorithm = Algorithm::grid_stride});  // by rows and columns
  Kokkos::fence();
  EXPECT_EQ(large_mismatches(A, SixTimes{}), 0);
}

}  // namespace
