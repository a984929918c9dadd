// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scalar.hpp"

#include "io/file_error.hpp"

#include <charconv>
#include <system_error>

namespace pantile::driver {

namespace {

/// No error when all of the text is a number of T; out of range when it is a number, but none of T.
template <class T>
std::errc parse_all(std::string_view text, T& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

Scalar Scalar::parse(std::string_view text) {
  Scalar scalar;
  if (parse_all(text, scalar.m_integer) == std::errc{}) {
    scalar.m_value = static_cast<double>(scalar.m_integer);
    return scalar;
  }
  scalar.m_integral = false;
  double re = 0, im = 0;
  auto const comma = text.find(',');
  std::errc const real_error = parse_all(text.substr(0, comma), re);
  std::errc const imaginary_error = comma == text.npos ? std::errc{} : parse_all(text.substr(comma + 1), im);
  for (std::errc const error : {real_error, imaginary_error}) {
    if (error == std::errc::invalid_argument) {
      throw UsageError(in_quotes(text) + " is no number, nor two for a complex one as in 0.5,-1");
    }
  }
  if (real_error != std::errc{} || imaginary_error != std::errc{}) {
    throw UsageError(in_quotes(text) + " is outside the range of float64, the largest type that there is");
  }
  scalar.m_value = {re, im};
  return scalar;
}

std::string Scalar::text() const {
  if (m_integral) return std::to_string(m_integer);
  if (m_value.imag() == 0.0) return shortest(m_value.real());
  return shortest(m_value.real()) + "," + shortest(m_value.imag());
}

void Scalar::refuse(std::string_view name, ElementType type) const {
  char const kind = element_info(type).kind;
  char const* const want = kind == 'f'   ? "a real number in its range"
                           : kind == 'c' ? "a number in its range"
                                         : "an integer in its range";
  throw InputError("--" + std::string(name) + " " + text() + " does not fit " + element_name(type) +
                   " elements: it must be " + want);
}

}  // namespace pantile::driver
