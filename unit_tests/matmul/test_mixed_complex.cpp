// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Real and complex operands and scalars.
#include <matmul/mixed.hpp>

namespace {

using namespace pantile::testing;
using complex_float = Kokkos::complex<float>;
using complex_double = Kokkos::complex<double>;

TEST(MatmulMixed, RealsTimesComplex) {
  expect_mixed_right<double, complex_double, complex_double>(complex_double(2, -1), complex_double(0.5, 3));
  expect_mixed_right<complex_float, float, complex_float>(complex_float(2, -1), complex_float(0.5, 3));
}

TEST(MatmulMixed, ComplexOfDifferentWidths) {
  expect_mixed_right<complex_float, complex_double, complex_float>(complex_double(2, -1), complex_double(0.5, 3));
}

TEST(MatmulMixed, RealScalarsOnComplexOperands) {
  expect_mixed_right<complex_double, complex_double, complex_double>(2.5, -1.5);
  expect_mixed_right<complex_float, complex_float, complex_float>(2.0F, -1.0F);
}

}  // namespace
