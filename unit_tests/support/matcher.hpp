// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Comparison of matrices that shows where and by how much they differ. NaN is equal to NaN only.

#include <support/matrices.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>

namespace pantile::testing {

namespace detail {

template <class T>
std::string show(T const& value) {
  if constexpr (is_complex_v<T>) {
    return "(" + ::testing::PrintToString(value.real()) + "," + ::testing::PrintToString(value.imag()) + ")";
  } else if constexpr (is_integer_v<T>) {
    return std::to_string(value);
  } else {
    return ::testing::PrintToString(static_cast<double>(value));
  }
}

template <class T>
bool is_nan(T const& value) {
  if constexpr (is_complex_v<T>) {
    return std::isnan(value.real()) || std::isnan(value.imag());
  } else if constexpr (is_integer_v<T>) {
    return false;
  } else {
    return std::isnan(static_cast<double>(value));
  }
}

template <class T>
double distance(T const& a, T const& b) {
  if constexpr (is_complex_v<T>) {
    return std::hypot(static_cast<double>(a.real()) - static_cast<double>(b.real()),
                      static_cast<double>(a.imag()) - static_cast<double>(b.imag()));
  } else if constexpr (is_integer_v<T>) {
    return a == b ? 0 : 1;
  } else {
    return std::abs(static_cast<double>(a) - static_cast<double>(b));
  }
}

}  // namespace detail

/// \brief  Every element within its own bound: |actual - expected| <= bound(i, j). A zero bound asks for equality.
///         Lists the first differences with indices, both values and the bound.
template <class T>
::testing::AssertionResult within(HostMatrix<T> const& actual, HostMatrix<T> const& expected,
                                  HostMatrix<double> const& bound) {
  if (actual.rows != expected.rows || actual.cols != expected.cols) {
    return ::testing::AssertionFailure() << "extents " << actual.rows << "x" << actual.cols << " instead of "
                                         << expected.rows << "x" << expected.cols;
  }
  constexpr std::size_t shown = 5;
  std::size_t bad = 0;
  std::string text;
  for (std::size_t i = 0; i < actual.rows; ++i) {
    for (std::size_t j = 0; j < actual.cols; ++j) {
      T const& a = actual(i, j);
      T const& e = expected(i, j);
      bool const both_nan = detail::is_nan(a) && detail::is_nan(e);
      if (both_nan || a == e || detail::distance(a, e) <= bound(i, j)) continue;
      if (bad++ < shown) {
        text += "\n  (" + std::to_string(i) + "," + std::to_string(j) + "): " + detail::show(a) + " instead of " +
                detail::show(e) + ", bound " + ::testing::PrintToString(bound(i, j));
      }
    }
  }
  if (bad == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << bad << " of " << actual.values.size() << " elements differ:" << text;
}

/// Every element equal, NaN to NaN.
template <class T>
::testing::AssertionResult equal(HostMatrix<T> const& actual, HostMatrix<T> const& expected) {
  return within(actual, expected, HostMatrix<double>(expected.rows, expected.cols));
}

}  // namespace pantile::testing
