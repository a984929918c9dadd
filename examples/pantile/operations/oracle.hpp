// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Serial references in wider arithmetic, and the bounds that theory gives; independent of the library's kernels.

#include "io/array.hpp"
#include "operations/dispatch.hpp"
#include "operations/operations.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace pantile::driver {

/// The arithmetic in which T is checked: float in double, double in long double, integers modulo 2^64.
template <class T>
struct Wide {
  using type = std::conditional_t<std::is_integral_v<T>, std::uint64_t,
                                  std::conditional_t<std::is_same_v<T, float>, double, long double>>;
  using magnitude_type = std::conditional_t<std::is_integral_v<T>, std::uint64_t, type>;
  static type of(T value) { return static_cast<type>(value); }
};
template <class Real>
struct Wide<Kokkos::complex<Real>> {
  using magnitude_type = typename Wide<Real>::type;
  using type = std::complex<magnitude_type>;
  static type of(Kokkos::complex<Real> const& value) { return {value.real(), value.imag()}; }
};

template <class T>
std::string oracle_name() {
  if constexpr (std::is_integral_v<T>) {
    return "integers modulo 2^64";
  } else {
    return std::is_same_v<typename Wide<T>::magnitude_type, double> ? "float64" : "long double";
  }
}

/// Unit roundoff of T, for complex products with the factor of N. Higham, Accuracy and Stability of Numerical
/// Algorithms, lemma 3.5; zero for integers.
template <class T>
double roundoff() {
  if constexpr (std::is_integral_v<T>) {
    return 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::epsilon() / 2;
  } else {
    return std::numeric_limits<typename T::value_type>::epsilon() * std::sqrt(2.0);
  }
}

/// The smallest positive number of T, which is what an operation with a subnormal result may be off by.
template <class T>
double smallest() {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(std::numeric_limits<T>::denorm_min());
  } else {
    return static_cast<double>(std::numeric_limits<typename T::value_type>::denorm_min());
  }
}

template <class W>
auto magnitude(W const& value) {
  if constexpr (std::is_integral_v<W>) {
    return value;
  } else if constexpr (std::is_floating_point_v<W>) {
    return std::abs(value);
  } else {
    // The sum of the parts' magnitudes: at most sqrt(2) too large, and no square root in the inner loop.
    return std::abs(value.real()) + std::abs(value.imag());
  }
}

/// To the element type: rounded, or modulo 2^w.
template <class T, class W>
T narrow(W const& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(value);
  } else {
    using Real = typename T::value_type;
    return T(static_cast<Real>(value.real()), static_cast<Real>(value.imag()));
  }
}

template <class T>
std::string number_text(T const& value) {
  char text[80];
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  } else {
    std::snprintf(text, sizeof text, "%.9g%+.9gi", static_cast<double>(value.real()), static_cast<double>(value.imag()));
  }
  return text;
}

/// Elements in host memory, at any strides.
template <class T>
struct HostMatrix {
  T const* data = nullptr;
  std::int64_t rows = 0, cols = 0, row_stride = 0, col_stride = 0;

  HostMatrix() = default;
  explicit HostMatrix(Array const& array)
      : data(array.elements<T>().data()),
        rows(static_cast<std::int64_t>(array.shape[0])),
        cols(array.shape.rank() > 1 ? static_cast<std::int64_t>(array.shape[1]) : 1),
        row_stride(array.order == Order::c ? cols : 1),
        col_stride(array.order == Order::c ? 1 : rows) {}

  T const& operator()(std::int64_t i, std::int64_t j) const { return data[i * row_stride + j * col_stride]; }
  [[nodiscard]] HostMatrix transposed() const {
    HostMatrix other = *this;
    std::swap(other.rows, other.cols);
    std::swap(other.row_stride, other.col_stride);
    return other;
  }
};

/// Collects comparisons of results with what they should be.
template <class T>
class Judge {
 public:
  using W = typename Wide<T>::type;

  explicit Judge(Verification& verification) : m_verification(verification) {}

  void compare(std::int64_t i, std::int64_t j, T const& actual, W const& expected, double bound) {
    T const rounded = narrow<T>(expected);
    if (same(actual, rounded)) return;
    double error = std::numeric_limits<double>::infinity();
    if constexpr (!std::is_integral_v<T>) error = static_cast<double>(std::abs(Wide<T>::of(actual) - expected));
    // A NaN, or an Inf where there should be none, is infinitely wrong.
    double fraction = error / bound;
    if (!(error <= bound) && !(fraction > 1)) fraction = std::numeric_limits<double>::infinity();
    if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
    m_verification.largest_error = std::max(m_verification.largest_error, error);
    m_verification.largest_fraction = std::max(m_verification.largest_fraction, fraction);
    if (error <= bound || !m_verification.first_wrong.empty()) return;
    m_verification.first_wrong = "element (" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
                                 number_text(actual) + ", but should be " + number_text(rounded);
    if (!std::is_integral_v<T>) m_verification.first_wrong += " to within " + number_text(bound);
  }

 private:
  static bool same(T const& a, T const& b) {
    if constexpr (std::is_integral_v<T>) {
      return a == b;
    } else if constexpr (std::is_floating_point_v<T>) {
      return a == b || (std::isnan(a) && std::isnan(b));
    } else {
      using Real = typename T::value_type;
      return Judge<Real>::same(a.real(), b.real()) && Judge<Real>::same(a.imag(), b.imag());
    }
  }
  template <class>
  friend class Judge;

  Verification& m_verification;
};

}  // namespace pantile::driver
