// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products of matrices of double precision as a reference for exact results, NaN and infinities included. Needs
///        nothing of Kokkos.

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pantile::testing {

using Index = std::int64_t;
using Number = std::complex<double>;

/// The textbook product, which rescues no infinity, as the contract says; of real numbers without an imaginary part.
template <bool Complex>
Number times(Number const& x, Number const& y) {
  if constexpr (!Complex) return x.real() * y.real();
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

/// A matrix of numbers, row by row.
struct Numbers {
  Index rows, cols;
  std::vector<Number> values;
  Numbers(Index rows_, Index cols_) : rows(rows_), cols(cols_), values(static_cast<std::size_t>(rows_ * cols_)) {}
  Number& operator()(Index i, Index j) { return values[static_cast<std::size_t>(i * cols + j)]; }
  Number const& operator()(Index i, Index j) const { return values[static_cast<std::size_t>(i * cols + j)]; }
};

/// Element (i, j) of A B.
template <bool Complex>
Number product_at(Numbers const& a, Numbers const& b, Index i, Index j) {
  Number sum = 0;
  for (Index p = 0; p < a.cols; ++p) sum += times<Complex>(a(i, p), b(p, j));
  return sum;
}

/// A B for finite elements.
template <bool Complex>
Numbers product(Numbers const& a, Numbers const& b) {
  Numbers sums(a.rows, b.cols);
  for (Index i = 0; i < a.rows; ++i) {
    for (Index p = 0; p < a.cols; ++p) {
      double const re = a(i, p).real(), im = a(i, p).imag();
      if (re == 0 && im == 0) continue;
      auto* const row = reinterpret_cast<double*>(&sums.values[static_cast<std::size_t>(i * b.cols)]);
      auto const* const right = reinterpret_cast<double const*>(&b.values[static_cast<std::size_t>(p * b.cols)]);
      for (Index j = 0; j < b.cols; ++j) {
        row[2 * j] += Complex ? re * right[2 * j] - im * right[2 * j + 1] : re * right[2 * j];
        if constexpr (Complex) row[2 * j + 1] += re * right[2 * j + 1] + im * right[2 * j];
      }
    }
  }
  return sums;
}

/// \brief  Equal, or NaN both. Of a complex number that is not finite its parts are not promised: only that neither is
///         the result.
/// \param  keeps_nan  where both parts are NaN one of the result must be, too
template <bool Complex>
bool agree(Number const& actual, Number const& expected, bool keeps_nan = false) {
  auto const same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  if (same(actual.real(), expected.real()) && same(actual.imag(), expected.imag())) return true;
  auto const finite = [](Number const& x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); };
  bool const all_nan = std::isnan(expected.real()) && std::isnan(expected.imag());
  if (keeps_nan && all_nan && !std::isnan(actual.real()) && !std::isnan(actual.imag())) return false;
  return Complex && !finite(expected) && !finite(actual);
}

}  // namespace pantile::testing
