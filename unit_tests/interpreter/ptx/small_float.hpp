// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  The 16-bit floating-point types, to and from double, which holds all of their values.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pantile_interpreter::ptx {

/// Binary16 and bfloat16: bits of exponent and of the fraction.
template <int exponent_bits, int fraction_bits>
struct SmallFloat {
  std::uint16_t bits = 0;

  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr int fraction_mask = (1 << fraction_bits) - 1;
  static constexpr int exponent_mask = (1 << exponent_bits) - 1;
  static constexpr std::uint16_t nan_bits = 0x7fff;  // what devices make of every NaN
  static constexpr std::uint16_t infinity_bits = exponent_mask << fraction_bits;

  [[nodiscard]] double value() const {
    int const exponent = bits >> fraction_bits & exponent_mask;
    int const fraction = bits & fraction_mask;
    double magnitude = 0;
    if (exponent == exponent_mask) {
      magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
    } else if (exponent == 0) {
      magnitude = std::ldexp(fraction, 1 - bias - fraction_bits);
    } else {
      magnitude = std::ldexp(fraction | (1 << fraction_bits), exponent - bias - fraction_bits);
    }
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  }

  /// The nearest, ties to even.
  static SmallFloat nearest(double value) {
    return rounded(value, [](double x) { return std::nearbyint(x); });
  }
  /// The next towards zero.
  static SmallFloat towards_zero(double value) {
    SmallFloat const result = rounded(value, [](double x) { return std::trunc(x); });
    // Too large a value becomes the largest number, unless it is infinity itself.
    if ((result.bits & 0x7fff) == infinity_bits && std::isfinite(value))
      return {static_cast<std::uint16_t>(result.bits - 1)};
    return result;
  }

 private:
  template <class Round>
  static SmallFloat rounded(double value, Round round) {
    if (std::isnan(value)) return {nan_bits};
    auto const sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    double const magnitude = std::fabs(value);
    if (magnitude == 0) return {sign};
    if (std::isinf(magnitude)) return {static_cast<std::uint16_t>(sign | infinity_bits)};
    // In units of the last place; a fraction that is rounded up to the next power of two moves the exponent by itself.
    int const exponent = std::max(std::ilogb(magnitude), 1 - bias);
    if (exponent > bias) return {static_cast<std::uint16_t>(sign | infinity_bits)};
    auto const units = static_cast<int>(round(std::ldexp(magnitude, fraction_bits - exponent)));
    int const all = ((exponent + bias - 1) << fraction_bits) + units;
    return {static_cast<std::uint16_t>(sign | all)};
  }
};

using Half = SmallFloat<5, 10>;
using Bfloat16 = SmallFloat<8, 7>;

}  // namespace pantile_interpreter::ptx
