// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Operands of different types, and accumulators that the caller chooses.
#include <add/cases.hpp>

#include <gmock/gmock.h>

#include <array>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::AddAlgorithm;
using Exec = Kokkos::DefaultExecutionSpace;

/// C = alpha a + beta b for one element and every algorithm; Accumulator void: the default one.
template <class Accumulator, class TC, class Alpha, class TA, class Beta, class TB>
void expect_value(Alpha alpha, TA a, Beta beta, TB b, TC expected) {
  HostMatrix<TA> left(2, 3);
  HostMatrix<TB> right(2, 3);
  HostMatrix<TC> sum(2, 3);
  left.values.assign(6, a);
  right.values.assign(6, b);
  sum.values.assign(6, expected);
  for (Algorithm const algorithm : add_algorithms) {
    Placed<TA, Exec> const A("A", left, Placement::right);
    Placed<TB, Exec> const B("B", right, Placement::left);
    Placed<TC, Exec> const C("C", 2, 3, Placement::padded_right);
    if constexpr (std::is_void_v<Accumulator>) {
      pantile::add(Exec{}, alpha, A.view(), beta, B.view(), C.view(), {.algorithm = algorithm});
    } else {
      pantile::add<Accumulator>(Exec{}, alpha, A.view(), beta, B.view(), C.view(), {.algorithm = algorithm});
    }
    Exec{}.fence();
    EXPECT_TRUE(equal(C.values(), sum)) << to_string(algorithm);
    EXPECT_TRUE(C.surroundings_intact());
  }
}

TEST(AddMixed, TheWidestOperandIsTheDefaultAccumulator) {
  expect_value<void, float>(1, 16777216.0F, 1.0, 1.0, 16777216.0F);    // 2^24 + 1 in double, rounded once
  expect_value<void, double>(1, 16777216.0F, 1.0F, 1.0F, 16777217.0);  // C's double counts
  expect_value<void, std::int32_t>(2, std::int8_t(100), 1, std::int8_t(100), 300);
  expect_value<void, std::int8_t>(1, std::int8_t(100), 1, std::int8_t(100), std::int8_t(-56));
  expect_value<void, double>(0.5, std::int32_t(3), 1.0, 0.25, 1.75);
}

TEST(AddMixed, RealWithComplex) {
  using Complex = Kokkos::complex<double>;
  expect_value<void, Complex>(2.0, 3.0, Complex(0, 1), Complex(1, 1), Complex(5, 1));
  expect_value<void, Complex>(Complex(0, 2), 3.0F, 1, Kokkos::complex<float>(1, 1), Complex(1, 7));
}

TEST(AddMixed, ChosenAccumulator) {
  expect_value<float, double>(1, 16777216.0, 1, 1.0, 16777216.0);
  expect_value<double, std::int32_t>(0.5, std::int32_t(7), 0.5, std::int32_t(2), 4);
  expect_value<std::int64_t, std::int64_t>(1 << 20, std::int32_t(1 << 20), 1, std::int32_t(5),
                                           (std::int64_t{1} << 40) + 5);
}

TEST(AddMixed, HalfTypesAreSummedAsFloat) {
  using Half = Kokkos::Experimental::half_t;
  expect_value<void, Half>(2.0F, static_cast<Half>(1.5F), 1.0F, static_cast<Half>(0.25F), static_cast<Half>(3.25F));
}

TEST(AddMixed, LabelsNameTheTypes) {
  Kokkos::View<float**> const A("A", 4, 4);
  Kokkos::View<double**> const B("B", 4, 4), C("C", 4, 4);
  EXPECT_THAT(pantile::explain::add(1, A, 1, B, C).path, ::testing::EndsWith(",float,double->double]"));
}

}  // namespace
