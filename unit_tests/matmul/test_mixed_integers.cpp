// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Integers of different widths.
#include <matmul/mixed.hpp>

namespace {

using namespace pantile::testing;

TEST(MatmulMixed, SmallIntegersSumInThirtyTwoBits) {
  expect_mixed_right<std::int8_t, std::int8_t, std::int32_t>(3, -2);
  expect_mixed_right<std::uint8_t, std::uint8_t, std::uint32_t>(3, 2);
}

TEST(MatmulMixed, SmallIntegersInAllOperandsWrapOnceAtTheEnd) {
  expect_mixed_right<std::int8_t, std::int8_t, std::int8_t>(3, -2);
  expect_mixed_right<std::int8_t, std::uint8_t, std::int32_t>(3, -2);
}

TEST(MatmulMixed, IntegersOfDifferentWidths) {
  expect_mixed_right<std::int32_t, std::int8_t, std::int64_t>(-5, 7);
  expect_mixed_right<std::uint32_t, std::int32_t, std::int64_t>(-5, 7);
}

}  // namespace
