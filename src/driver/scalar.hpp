// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "errors.hpp"
#include "io/element_type.hpp"

#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace pantile::driver {

/// \brief  alpha or beta as the command line gives it: `2`, `-0.5`, `1e-3`, or `re,im` for complex elements.
///
/// Integers are kept exactly, so that one of 64 bits does not pass through a double.
class Scalar {
 public:
  Scalar(std::int64_t value = 0)  // NOLINT: numbers are scalars
      : m_value(static_cast<double>(value)), m_integer(value), m_integral(true) {}

  /// Throws UsageError when the text is no number.
  static Scalar parse(std::string_view text);

  [[nodiscard]] bool is_zero() const { return m_value == 0.0; }
  [[nodiscard]] std::string text() const;

  /// As a number of an element type. Throws InputError, which calls the scalar `name`, when that loses its meaning.
  template <class T>
  [[nodiscard]] T as(std::string_view name) const {
    if constexpr (std::integral<T>) {
      if (!m_integral || !(sizeof(T) == 8 || std::in_range<T>(m_integer))) refuse(name, element_type_of<T>);
      return static_cast<T>(m_integer);
    } else if constexpr (std::floating_point<T>) {
      if (m_value.imag() != 0.0 || !holds<T>(m_value.real())) refuse(name, element_type_of<T>);
      return static_cast<T>(m_value.real());
    } else {
      using Real = typename T::value_type;
      if (!holds<Real>(m_value.real()) || !holds<Real>(m_value.imag())) refuse(name, element_type_of<T>);
      return T(static_cast<Real>(m_value.real()), static_cast<Real>(m_value.imag()));
    }
  }

 private:
  /// Whether the number stays finite as a Real; infinities may be asked for.
  template <class Real>
  static bool holds(double value) {
    return std::isinf(value) || !std::isinf(static_cast<Real>(value));
  }
  [[noreturn]] void refuse(std::string_view name, ElementType type) const;

  std::complex<double> m_value;
  std::int64_t m_integer = 0;
  bool m_integral = false;
};

}  // namespace pantile::driver
