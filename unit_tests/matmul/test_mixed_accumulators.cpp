// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The default and the chosen accumulator.
#include <matmul/mixed.hpp>

namespace {

using namespace pantile::testing;
using pantile::default_accumulator_t;
using Algorithm = pantile::MatmulAlgorithm;
using Exec = Kokkos::DefaultExecutionSpace;
using complex_float = Kokkos::complex<float>;
using complex_double = Kokkos::complex<double>;

static_assert(std::is_same_v<default_accumulator_t<float, float, float>, float>);
static_assert(std::is_same_v<default_accumulator_t<float, float const, double>, double>);
static_assert(std::is_same_v<default_accumulator_t<float, complex_double, complex_double>, complex_double>);
static_assert(std::is_same_v<default_accumulator_t<double, complex_float, complex_float>, complex_double>);
static_assert(std::is_same_v<default_accumulator_t<std::int8_t, std::int8_t, std::int8_t>, std::int32_t>);
static_assert(std::is_same_v<default_accumulator_t<std::uint8_t, std::uint8_t, std::uint8_t>, std::uint32_t>);
static_assert(std::is_same_v<default_accumulator_t<std::int32_t, std::int32_t, std::int64_t>, std::int64_t>);
static_assert(std::is_same_v<default_accumulator_t<std::int32_t, std::int32_t, double>, double>);
static_assert(std::is_same_v<default_accumulator_t<std::int8_t, float, float>, float>);

TEST(MatmulMixed, ChosenAccumulator) {
  expect_mixed_right<float, float, float, double>(2.5, -1.5);
  expect_mixed_right<complex_float, complex_float, complex_float, complex_double>(complex_double(2, 1),
                                                                                  complex_double(0.5, 3));
  expect_mixed_right<std::int32_t, std::int32_t, std::int32_t, std::int64_t>(3, -2);
}

// 1e8 + 1 - 1e8 summed in float loses the one, in double it does not.
TEST(MatmulMixed, AWiderAccumulatorKeepsWhatFloatLoses) {
  HostMatrix<float> a(1, 3), b(3, 1), c(1, 1);
  a.values = {1e8F, 1, -1e8F};
  b.values = {1, 1, 1};
  for (Algorithm const algorithm : own_algorithms) {
    Placed<float, Exec> const A("A", a, Placement::right), B("B", b, Placement::right), C("C", c, Placement::right);
    pantile::matmul<double>(Exec{}, 1, A.view(), B.view(), 0, C.view(), {.algorithm = algorithm});
    Exec{}.fence();
    EXPECT_EQ(C.values()(0, 0), 1.0F) << to_string(algorithm);
  }
}

// The accumulator scales too: alpha and beta are not rounded to float first.
TEST(MatmulMixed, ScalarsAreAppliedInTheAccumulator) {
  HostMatrix<float> one(1, 1);
  one.values = {1};
  Placed<float, Exec> const A("A", one, Placement::right), B("B", one, Placement::right), C("C", one, Placement::right);
  pantile::matmul<double>(Exec{}, 1e-60, A.view(), B.view(), 1.0, C.view());
  pantile::matmul<double>(Exec{}, 1 + 1e-12, A.view(), B.view(), -1.0, C.view());
  Exec{}.fence();
  EXPECT_NEAR(static_cast<double>(C.values()(0, 0)), 1e-12, 1e-15);
}

}  // namespace
