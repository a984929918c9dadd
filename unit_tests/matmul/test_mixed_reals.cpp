// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Reals of different widths, and with integers.
#include <matmul/mixed.hpp>

namespace {

using namespace pantile::testing;
using pantile::default_accumulator_t;

TEST(MatmulMixed, RealsOfDifferentWidths) {
  expect_mixed_right<float, float, double>(2.5, -1.5);
  expect_mixed_right<float, double, double>(2.5, -1.5);
  expect_mixed_right<double, float, float>(2.5, -1.5);
}

TEST(MatmulMixed, IntegersTimesReals) {
  expect_mixed_right<std::int8_t, double, double>(2.5, -1.5);
  expect_mixed_right<std::int8_t, std::int8_t, float>(2, -1);
}

TEST(MatmulMixed, HalfTypesSumInFloat) {
  using half = Kokkos::Experimental::half_t;
  using bhalf = Kokkos::Experimental::bhalf_t;
  if constexpr (std::is_same_v<half, float>) {
    GTEST_SKIP() << "half_t is float on this backend";
  } else {
    static_assert(std::is_same_v<default_accumulator_t<half, half, half>, float>);
    expect_mixed_right<half, half, float>(2.0F, -1.0F);
    expect_mixed_right<bhalf, bhalf, float>(2.0F, -1.0F);
  }
}

}  // namespace
