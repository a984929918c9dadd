// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Serial references in wider arithmetic, and the bounds that theory gives; independent of the library's
///         kernels.

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

namespace pantile::driver {

/// A real number, which C++20 does not say of 16 bits.
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T> || impl::is_half<T>;

/// Its limits, as doubles of 16 bits.
template <class T>
struct Limits : std::numeric_limits<T> {};
template <class T>
  requires impl::is_half<T>
struct Limits<T> {
  static constexpr double epsilon() { return 0x1p-10; }
  static constexpr double denorm_min() { return 0x1p-24; }
  static constexpr double max() { return 65504; }
};

/// Of a complex number those of its parts.
template <class T>
using LimitsOf = Limits<typename impl::RealOf<T>::type>;

/// The arithmetic in which T is checked: half and float in double, double in long double, integers modulo 2^64.
template <class T>
struct Wide {
  using type = std::conditional_t<std::is_integral_v<T>, std::uint64_t,
                                  std::conditional_t<sizeof(T) <= sizeof(float), double, long double>>;
  using magnitude_type = std::conditional_t<std::is_integral_v<T>, std::uint64_t, type>;
  using real_type = std::conditional_t<std::is_integral_v<T>, double, type>;  ///< of errors and bounds
  static type of(T value) { return static_cast<type>(value); }
};
template <class Real>
struct Wide<Kokkos::complex<Real>> {
  using magnitude_type = typename Wide<Real>::type;
  using real_type = magnitude_type;
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
  return static_cast<double>(LimitsOf<T>::epsilon()) * (is_complex_v<T> ? std::sqrt(2.0) : 0.5);
}

/// The smallest positive number of T, which is what an operation with a subnormal result may be off by.
template <class T>
double smallest() {
  return static_cast<double>(LimitsOf<T>::denorm_min());
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

/// \brief  a b as the textbook has it, and as kernels compute it. std::complex's own product turns NaN into infinities
///         where a factor is infinite.
template <class W>
W product(W const& a, W const& b) {
  if constexpr (std::is_arithmetic_v<W>) {
    return a * b;
  } else {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
}

/// A magnitude's share of a bound: infinities and NaN of the operands have none.
template <class Real>
Real finite_part(Real magnitude) {
  return magnitude <= std::numeric_limits<Real>::max() ? magnitude : Real(0);
}

/// \brief  By how much of it the magnitude of a sum may change through so many roundings on every term's way: each is a
///         factor of 1 + d with |d| <= u. Higham, lemma 3.1, of which gamma_n is the simpler form for n u < 1; this one
///         holds for every n.
inline double compounded(double roundings, double unit_roundoff) {
  return std::expm1(roundings * std::log1p(unit_roundoff));
}

/// The largest finite number of T, or of its parts.
template <class T>
auto largest() {
  return LimitsOf<T>::max();
}

/// What rounding may do to a result that is a sum of terms with magnitudes of `size` together. Nothing is proved where
/// the bound is as large as that, or where a sum on the way may leave the type's range: infinities and NaN are right
/// then, too.
template <class Real>
struct Tolerance {
  Real bound = 0;
  bool vacuous = false;
  bool may_overflow = false;

  Tolerance() = default;
  Tolerance(Real size, double relative, Real floor, Real range)
      : bound(static_cast<Real>(relative) * size + floor),
        vacuous(relative >= 1),
        may_overflow(size + bound >= range) {}
};

/// To the element type: rounded, or modulo 2^w.
template <class T, class W>
T rounded_to(W const& value) {
  if constexpr (std::is_integral_v<T> || is_real<T>) {
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
  } else if constexpr (is_real<T>) {
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  } else {
    std::snprintf(text, sizeof text, "%.9g%+.9gi", static_cast<double>(value.real()),
                  static_cast<double>(value.imag()));
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
      : data(array.words<T>().data()),
        // Without elements there is nothing to walk along, however long the other extent.
        rows(array.count() == 0 ? 0 : static_cast<std::int64_t>(array.shape[0])),
        cols(array.count() == 0       ? 0
             : array.shape.rank() > 1 ? static_cast<std::int64_t>(array.shape[1])
                                      : 1),
        row_stride(array.order == Order::c ? cols : 1),
        col_stride(array.order == Order::c ? 1 : rows) {}

  [[nodiscard]] std::int64_t index(std::int64_t i, std::int64_t j) const { return i * row_stride + j * col_stride; }
  T const& operator()(std::int64_t i, std::int64_t j) const { return data[index(i, j)]; }
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
  using Real = typename Wide<T>::real_type;

  explicit Judge(Verification& verification) : m_verification(verification) {}

  void compare(std::int64_t i, std::int64_t j, T const& actual, W const& expected, Tolerance<Real> const& tolerance) {
    T const rounded = rounded_to<T>(expected);
    if (same(actual, rounded)) return;
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    Real error = infinity, fraction = infinity;
    if constexpr (!std::is_integral_v<T>) {
      auto const distance = std::abs(Wide<T>::of(actual) - expected);
      bool const finite = std::isfinite(distance);
      bool const overflowed = tolerance.may_overflow && !std::isfinite(magnitude(Wide<T>::of(actual)));
      if (overflowed || (finite && tolerance.vacuous)) ++m_verification.unproved;
      if (overflowed) return;
      // An infinity or a NaN on one side only is infinitely wrong.
      if (finite) {
        error = distance;
        fraction = error / tolerance.bound;  // error is not zero: then they were the same
      }
    }
    m_verification.largest_error = std::max(m_verification.largest_error, static_cast<double>(error));
    m_verification.largest_fraction = std::max(m_verification.largest_fraction, static_cast<double>(fraction));
    if (fraction <= 1 || !m_verification.first_wrong.empty()) return;
    m_verification.first_wrong = "element (" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
                                 number_text(actual) + ", but should be " + number_text(rounded);
    if (!std::is_integral_v<T>) {
      m_verification.first_wrong += " to within " + number_text(static_cast<double>(tolerance.bound));
    }
  }

 private:
  static bool same(T const& a, T const& b) {
    if constexpr (std::is_integral_v<T>) {
      return a == b;
    } else if constexpr (is_real<T>) {
      return a == b || (a != a && b != b);
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
