// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scalar.hpp"

#include <charconv>
#include <cstdio>
#include <system_error>

namespace pantile::driver {

namespace {

template <class T>
bool parse_all(std::string_view text, T& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

Scalar Scalar::parse(std::string_view text) {
  Scalar scalar;
  if (parse_all(text, scalar.m_integer)) {
    scalar.m_value = static_cast<double>(scalar.m_integer);
    return scalar;
  }
  scalar.m_integral = false;
  double re = 0, im = 0;
  auto const comma = text.find(',');
  bool const good = comma == text.npos ? parse_all(text, re)
                                       : parse_all(text.substr(0, comma), re) && parse_all(text.substr(comma + 1), im);
  if (!good) {
    throw UsageError("'" + std::string(text) + "' is no number, nor two for a complex one as in 0.5,-1");
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
  char const* const want = element_info(type).kind == 'f' ? "a real number" : "an integer in its range";
  throw InputError("--" + std::string(name) + " " + text() + " does not fit " + std::string(element_name(type)) +
                   " elements: it must be " + want);
}

}  // namespace pantile::driver
