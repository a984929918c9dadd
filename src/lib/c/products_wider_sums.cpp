// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/multiply.hpp>

namespace pantile::c {

HeldProducts products_with_wider_sums() {
  using Complex = std::complex<float>;
  using WideComplex = std::complex<double>;
  static constexpr HeldProduct lines[] = {
      held<float, float, double>(PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_DOUBLE),
      held<float, double>(PANTILE_FLOAT, PANTILE_DOUBLE, PANTILE_DOUBLE),
      held<Complex, Complex, WideComplex>(PANTILE_COMPLEX_FLOAT, PANTILE_COMPLEX_FLOAT, PANTILE_COMPLEX_DOUBLE),
      held<Complex, WideComplex>(PANTILE_COMPLEX_FLOAT, PANTILE_COMPLEX_DOUBLE, PANTILE_COMPLEX_DOUBLE)};
  return lines;
}

}  // namespace pantile::c
