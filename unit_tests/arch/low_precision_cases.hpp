// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Random products of elements of low precision for the host kernels alone, compared with a triple loop.

#include <arch/packed_block.hpp>

#include <pantile/impl/arch/host/ukernel/gemm/low_precision.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/table.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace pantile::testing {

using namespace pantile::impl::arch;

/// What an element is worth, by the formats' definitions and not as the kernels do it.
template <class Format>
struct LowPrecisionValue;
template <>
struct LowPrecisionValue<Bytes> {
  static std::int64_t of(std::uint8_t bits, bool is_signed) {
    return is_signed ? static_cast<std::int8_t>(bits) : bits;
  }
};
template <>
struct LowPrecisionValue<Half16> {
  static double of(std::uint16_t bits, bool) {
    int const exponent = bits >> 10 & 31, fraction = bits & 1023;
    double const size = exponent == 0    ? std::ldexp(fraction, -24)
                        : exponent == 31 ? fraction == 0 ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN()
                                         : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
  }
};
template <>
struct LowPrecisionValue<Brain16> {
  static double of(std::uint16_t bits, bool) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

/// A product with operands of any strides in memory of their own; what surrounds C must stay.
template <class Format>
class LowPrecisionCase {
 public:
  using Call = GemmCall<sum_t<Format>>;
  using E = low_precision_t<Format>;
  using R = sum_t<Format>;
  using Value = LowPrecisionValue<Format>;

  LowPrecisionCase(std::uint64_t seed, GemmKernels<Format> const& kernels) : m_kernels(kernels), m_random(seed) {
    bool const large = seed % 4 == 3;
    call.m = large ? number(1, 150) : number(1, 3 * kernels.shape.panel_rows + 1);
    call.n = large ? number(1, 150) : number(1, 3 * kernels.shape.panel_cols + 1);
    call.k = seed % 4 == 1 ? number(1, 2000) : number(1, 90);
    place(call.m, call.k, call.a_rs, call.a_cs, m_a);
    place(call.k, call.n, call.b_rs, call.b_cs, m_b);
    call.c_rs = call.n + number(0, 3);
    m_c.resize(static_cast<std::size_t>(call.m * call.c_rs + 8));
    for (R& value : m_c) value = sum_value();
    call.packed_a = call.packed_b = true;
    call.hints.large_c = number(0, 1) == 0;
    call.reads_c = number(0, 1) == 0;
    m_a_signed = number(0, 1) == 0;
    m_b_signed = number(0, 1) == 0;
    call.alpha[0] = sum_value();
    call.beta[0] = sum_value();
  }

  /// Run the kernel on a copy of C; the first wrong element, or nothing.
  [[nodiscard]] std::string difference() {
    std::vector<R> c = m_c;
    Call run = call;
    run.c = c.data();
    run_block(m_kernels, run, m_a.data(), m_b.data(), m_a_signed, m_b_signed);
    for (std::size_t at = 0; at < c.size(); ++at) {
      auto const i = static_cast<std::int64_t>(at) / call.c_rs, j = static_cast<std::int64_t>(at) % call.c_rs;
      bool const inside = i < call.m && j < call.n;
      if (inside ? !is_right(c[at], m_c[at], i, j) : c[at] != m_c[at]) {
        return "C(" + std::to_string(i) + "," + std::to_string(j) + ") of " + std::to_string(call.m) + "x" +
               std::to_string(call.n) + "x" + std::to_string(call.k) + " A strides " + std::to_string(call.a_rs) + "," +
               std::to_string(call.a_cs) + " B strides " + std::to_string(call.b_rs) + "," + std::to_string(call.b_cs) +
               " signed " + std::to_string(m_a_signed) + std::to_string(m_b_signed);
      }
    }
    return "";
  }

  Call call{};

 private:
  auto a(std::int64_t i, std::int64_t p) const {
    return Value::of(m_a[static_cast<std::size_t>(i * call.a_rs + p * call.a_cs)], m_a_signed);
  }
  auto b(std::int64_t p, std::int64_t j) const {
    return Value::of(m_b[static_cast<std::size_t>(p * call.b_rs + j * call.b_cs)], m_b_signed);
  }
  /// Integers exactly; else 2 k + 16 roundings in any order (N. Higham, Accuracy and Stability, 3.1).
  bool is_right(R found, R before, std::int64_t i, std::int64_t j) const {
    if constexpr (std::is_integral_v<R>) {
      R sum = 0;
      for (std::int64_t p = 0; p < call.k; ++p) sum += static_cast<R>(a(i, p) * b(p, j));
      return found == static_cast<R>(call.alpha[0] * sum + (call.reads_c ? call.beta[0] * before : R(0)));
    } else {
      double wanted = 0, size = 0;
      for (std::int64_t p = 0; p < call.k; ++p) {
        wanted += a(i, p) * b(p, j);
        size += std::abs(a(i, p) * b(p, j));
      }
      wanted *= call.alpha[0];
      size *= std::abs(call.alpha[0]);
      if (call.reads_c) {
        wanted += static_cast<double>(call.beta[0]) * before;
        size += std::abs(static_cast<double>(call.beta[0]) * before);
      }
      double const unit = std::numeric_limits<R>::epsilon() / 2, n = 2 * static_cast<double>(call.k) + 16;
      return std::abs(found - wanted) <= n * unit / (1 - n * unit) * size;
    }
  }

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(m_random);
  }
  R sum_value() {
    if constexpr (std::is_integral_v<R>) {
      return static_cast<R>(m_random());
    } else {
      return std::uniform_real_distribution<R>(-1, 1)(m_random);
    }
  }
  /// Any byte; numbers between 2^-7 and 2^3 of either sign.
  E element() {
    auto const bits = static_cast<E>(m_random());
    if constexpr (sizeof(E) == 1) {
      return bits;
    } else {
      int const shift = std::is_same_v<Format, Half16> ? 10 : 7, bias = std::is_same_v<Format, Half16> ? 15 : 127;
      int const exponent = bias + static_cast<int>(number(-7, 2)), fraction = bits & ((1 << shift) - 1);
      return static_cast<E>((bits & 0x8000) | exponent << shift | fraction);
    }
  }
  void place(std::int64_t rows, std::int64_t cols, std::int64_t& row_stride, std::int64_t& col_stride,
             std::vector<E>& to) {
    std::int64_t const step = number(0, 2) == 0 ? number(2, 3) : 1;
    bool const left = number(0, 1) == 0;
    row_stride = left ? step : cols * step + number(0, 3);
    col_stride = left ? rows * step + number(0, 3) : step;
    to.resize(static_cast<std::size_t>((rows - 1) * row_stride + (cols - 1) * col_stride + 1));
    for (E& value : to) value = element();
  }

  GemmKernels<Format> const& m_kernels;
  std::mt19937_64 m_random;
  std::vector<E> m_a, m_b;
  std::vector<R> m_c;
  bool m_a_signed = false, m_b_signed = false;
};

/// Many cases through one kernel. Each operand ends with its last element, so that a sanitizer sees reads beyond.
template <class Format>
void expect_low_precision_right(GemmKernels<Format> const& kernels) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    LowPrecisionCase<Format> test(seed, kernels);
    ASSERT_EQ(test.difference(), "") << "seed " << seed;
  }
}

}  // namespace pantile::testing
