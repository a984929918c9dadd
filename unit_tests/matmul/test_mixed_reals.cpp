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

/// With accumulators, and with each other, where the compiler or the backend has such a type.
template <class T>
void expect_sixteen_bits_right() {
  if constexpr (is_there<T>) {
    static_assert(std::is_same_v<default_accumulator_t<T, T, T>, float>);
    expect_mixed_right<T, T, float>(2.0F, -1.0F);
    expect_mixed_right<T, T, T>(2.0F, -1.0F);
    expect_mixed_right<T, float, float>(2.0F, -1.0F);
  }
}

TEST(MatmulMixed, HalfTypesOfTheBackendSumInFloat) {
  expect_sixteen_bits_right<Kokkos::Experimental::half_t>();
  expect_sixteen_bits_right<Kokkos::Experimental::bhalf_t>();
}

TEST(MatmulMixed, HalfTypesOfTheCompilerSumInFloat) {
  expect_sixteen_bits_right<CompilerHalf>();
  expect_sixteen_bits_right<CompilerBrain>();
}

}  // namespace
