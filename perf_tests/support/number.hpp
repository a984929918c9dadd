// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers among a program's words.

#include <charconv>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace pantile::perf {

/// The number that `text` is, from `least` on and finite. Throws std::invalid_argument, which says what it should be.
template <class Number>
Number number(std::string const& text, Number least, std::string const& what) {
  Number value{};
  char const* const end = text.data() + text.size();
  auto const [rest, error] = std::from_chars(text.data(), end, value);
  bool const whole = error == std::errc() && rest == end;
  if (whole && value >= least && value <= std::numeric_limits<Number>::max()) return value;
  std::ostringstream said;
  said << what << " must be a number from " << least << " on, not '" << text << "'";
  throw std::invalid_argument(said.str());
}

}  // namespace pantile::perf
