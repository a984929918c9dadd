// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Random products for the host kernels alone, compared with a triple loop.

#include <arch/packed_block.hpp>

#include <pantile/impl/arch/host/ukernel/gemm/full_precision.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/table.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace pantile::testing {

using namespace pantile::impl::arch;

/// What a case calls.
enum class GemmWay { block, skinny_rows, skinny_dots, tiny, rank_k };

/// A product with operands of any strides in memory of their own; what surrounds C must stay.
template <class Format>
class GemmCase {
 public:
  using R = sum_t<Format>;
  static constexpr bool Complex = !std::is_same_v<R, Format>;
  using T = std::conditional_t<Complex, std::complex<R>, R>;
  static constexpr int parts = Complex ? 2 : 1;

  GemmCase(std::uint64_t seed, GemmKernels<Format> const& kernels) : m_kernels(kernels), m_random(seed) {
    int const panel_rows = kernels.shape.panel_rows, panel_cols = kernels.shape.panel_cols;
    int const kind = static_cast<int>(seed % 6);
    std::int64_t const few = number(0, 1) == 0 ? 1 : number(1, 8 / parts);
    call.m = kind == 1 || kind == 2 ? few : kind == 4 ? number(1, 150) : number(1, 3 * panel_rows + 1);
    call.n = kind == 1 ? number(1, 3000) : kind == 4 ? number(1, 150) : number(1, 3 * panel_cols + 1);
    call.k = kind == 1   ? number(1, call.m == 1 ? 400 : 40)
             : kind == 2 ? number(1, 2500)
                         : number(1, kind == 3 ? 3 * gemm_chain : 90);  // 3: deeper than one chain of additions
    // Kind 5: more columns than 16 panels, which shallow blocks are written along, by several rows of tiles.
    if (kind == 5) {
      call.n = number(16 * panel_cols + 1, 20 * panel_cols);
      call.m = number(1, 3 * panel_rows + 1);
      call.k = number(1, 3 * gemm_chain / 2);
    }
    // Deeper than what the methods for few rows hold of A at a time.
    if (kind == 2 && number(0, 3) == 0) call.k = number(4000, 12000);
    place(call.m, call.k, call.a_rs, call.a_cs, m_a);
    place(call.k, call.n, call.b_rs, call.b_cs, m_b);
    if constexpr (!std::is_integral_v<R>) {
      for (T const& value : m_a) m_a_sizes.push_back(std::abs(value));
      for (T const& value : m_b) m_b_sizes.push_back(std::abs(value));
    }
    call.c_cs = 1;
    call.c_rs = call.n + number(0, 3);
    if (call.m * parts <= SkinnyBlocks::rows && call.b_cs == 1 && number(0, 1) == 0) way = GemmWay::skinny_rows;
    if (call.m * parts <= SkinnyBlocks::rows && call.b_rs == 1 && number(0, 1) == 0) way = GemmWay::skinny_dots;
    if (way != GemmWay::block && number(0, 1) == 0) call.c_cs = number(1, 3);
    bool const as_they_lie = way == GemmWay::block && call.b_cs == 1 && call.a_cs != 0;
    if (as_they_lie && call.k <= gemm_chain && number(0, 1) == 0) way = GemmWay::tiny;
    if (as_they_lie && kind == 1 && m_kernels.rank_k != nullptr && number(0, 2) > 0) {
      way = GemmWay::rank_k;
      call.k = std::min(call.k, host::rank_k_most);
    }
    if (call.c_cs != 1) call.c_rs = call.n * call.c_cs;
    m_c.resize(static_cast<std::size_t>(call.m * call.c_rs + 8));
    for (T& value : m_c) value = element();
    // The flags of tiny real products say nothing; complex ones are read as they lie.
    bool const may_pack = way != GemmWay::tiny || !Complex;
    call.packed_a = may_pack && number(0, 1) == 0;
    call.packed_b = may_pack && (call.b_cs != 1 || number(0, 1) == 0);
    call.hints.prefetches = number(0, 1) == 0;
    call.hints.few_rows = number(0, 1) == 0;
    call.hints.wide = number(0, 1) == 0;
    call.hints.large_c = kind == 5 || number(0, 1) == 0;
    call.reads_c = number(0, 1) == 0 && way != GemmWay::rank_k;
    call.conj_a = number(0, 1) == 0;
    call.conj_b = number(0, 1) == 0;
    m_alpha = element();
    m_beta = element();
    assign(call.alpha, m_alpha);
    assign(call.beta, m_beta);
    call.a = reinterpret_cast<R const*>(m_a.data());
    call.b = reinterpret_cast<R const*>(m_b.data());
  }

  /// Run the kernel on a copy of C; the first wrong element, or nothing.
  [[nodiscard]] std::string difference() {
    std::vector<T> c = m_c;
    GemmCall<R> run = call;
    run.c = reinterpret_cast<R*>(c.data());
    if (way == GemmWay::block) {
      run_block(m_kernels, run, m_a.data(), m_b.data());
    } else {
      Memory const sums = aligned_memory(SkinnyBlocks::workspace_bytes(run.m, run.n, run.k, parts, sizeof(R)));
      run.workspace = sums.get();
      kernel()(run);
    }
    for (std::size_t at = 0; at < c.size(); ++at) {
      auto const i = static_cast<std::int64_t>(at) / call.c_rs, rest = static_cast<std::int64_t>(at) % call.c_rs;
      bool const inside = i < call.m && rest % call.c_cs == 0 && rest / call.c_cs < call.n;
      if (!is_right(c[at], m_c[at], inside, i, rest / call.c_cs)) {
        return "C(" + std::to_string(i) + "," + std::to_string(rest) + ") of " + description();
      }
    }
    return "";
  }

  GemmCall<R> call{};
  GemmWay way = GemmWay::block;

 private:
  auto kernel() const {
    switch (way) {
      case GemmWay::skinny_rows: return m_kernels.skinny_rows;
      case GemmWay::skinny_dots: return m_kernels.skinny_dots;
      case GemmWay::tiny: return m_kernels.tiny;
      default: return m_kernels.rank_k;
    }
  }
  /// Sums as exactly as the type allows to check: k + 8 roundings in any order (N. Higham, Accuracy and Stability,
  /// 3.1), each complex product adding two more.
  bool is_right(T const& found, T const& before, bool inside, std::int64_t i, std::int64_t j) const {
    if (!inside) return found == before;
    if constexpr (std::is_integral_v<R>) {
      T sum = 0;
      for (std::int64_t p = 0; p < call.k; ++p) sum += a(i, p) * b(p, j);
      return found == static_cast<T>(m_alpha * sum + (call.reads_c ? m_beta * before : T(0)));
    } else {
      using Wide = std::conditional_t<Complex, std::complex<long double>, long double>;
      Wide sum(0);
      long double size = 0;
      for (std::int64_t p = 0; p < call.k; ++p) {
        sum += Wide(a(i, p)) * Wide(b(p, j));
        size += m_a_sizes[at_a(i, p)] * m_b_sizes[at_b(p, j)];
      }
      Wide wanted = Wide(m_alpha) * sum;
      size *= std::abs(m_alpha);
      if (call.reads_c) {
        wanted += Wide(m_beta) * Wide(before);
        size += std::abs(m_beta) * std::abs(before);
      }
      long double const unit = std::numeric_limits<R>::epsilon() / 2, n = 2 * static_cast<long double>(call.k) + 16;
      return std::abs(Wide(found) - wanted) <= n * unit / (1 - n * unit) * size;
    }
  }
  std::size_t at_a(std::int64_t i, std::int64_t p) const {
    return static_cast<std::size_t>(i * call.a_rs + p * call.a_cs);
  }
  std::size_t at_b(std::int64_t p, std::int64_t j) const {
    return static_cast<std::size_t>(p * call.b_rs + j * call.b_cs);
  }
  T a(std::int64_t i, std::int64_t p) const { return conjugated_if(m_a[at_a(i, p)], call.conj_a); }
  T b(std::int64_t p, std::int64_t j) const { return conjugated_if(m_b[at_b(p, j)], call.conj_b); }
  static T conjugated_if(T value, [[maybe_unused]] bool conjugated) {
    if constexpr (Complex) {
      if (conjugated) return std::conj(value);
    }
    return value;
  }

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(m_random);
  }
  T element() {
    if constexpr (std::is_integral_v<R>) {
      return static_cast<R>(m_random());
    } else {
      std::uniform_real_distribution<R> distribution(-1, 1);
      if constexpr (Complex) {
        R const re = distribution(m_random);
        return {re, distribution(m_random)};
      } else {
        return distribution(m_random);
      }
    }
  }
  void place(std::int64_t rows, std::int64_t cols, std::int64_t& row_stride, std::int64_t& col_stride,
             std::vector<T>& to) {
    std::int64_t const step = number(0, 2) == 0 ? number(2, 3) : 1;
    bool const left = number(0, 1) == 0;
    row_stride = left ? step : cols * step + number(0, 3);
    col_stride = left ? rows * step + number(0, 3) : step;
    to.resize(static_cast<std::size_t>((rows - 1) * row_stride + (cols - 1) * col_stride + 1));
    for (T& value : to) value = element();
  }
  static void assign(R (&to)[2], T const& value) {
    if constexpr (Complex) {
      to[0] = value.real();
      to[1] = value.imag();
    } else {
      to[0] = value;
    }
  }
  [[nodiscard]] std::string description() const {
    return std::to_string(call.m) + "x" + std::to_string(call.n) + "x" + std::to_string(call.k) + " A strides " +
           std::to_string(call.a_rs) + "," + std::to_string(call.a_cs) + " B strides " + std::to_string(call.b_rs) +
           "," + std::to_string(call.b_cs) + " way " + std::to_string(static_cast<int>(way)) + " packed " +
           std::to_string(call.packed_a) + std::to_string(call.packed_b);
  }

  GemmKernels<Format> const& m_kernels;
  std::mt19937_64 m_random;
  std::vector<T> m_a, m_b, m_c;
  std::vector<R> m_a_sizes, m_b_sizes;
  T m_alpha{}, m_beta{};
};

/// A block of the same numbers, with and without gaps between the rows of A and C; what lies behind C last.
template <class R>
std::vector<R> block_with_gaps(GemmKernels<R> const& kernels, GemmCall<R> call, std::int64_t gap) {
  call.a_rs = call.k + gap;
  call.c_rs = call.n + gap;
  std::vector<R> a(static_cast<std::size_t>(call.m * call.a_rs - gap)), b(static_cast<std::size_t>(call.k * call.b_rs)),
      c(static_cast<std::size_t>(call.m * call.c_rs + 1));
  auto const number = [](std::int64_t i) { return static_cast<R>(i * 7 % 23) / R(3); };
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t p = 0; p < call.k; ++p) a[static_cast<std::size_t>(i * call.a_rs + p)] = number(i * call.k + p);
    for (std::int64_t j = 0; j < call.n; ++j) c[static_cast<std::size_t>(i * call.c_rs + j)] = number(i - 5 * j + 100);
  }
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = number(static_cast<std::int64_t>(i) * 3);
  c.back() = R(77);
  call.a = a.data();
  call.b = b.data();
  call.c = c.data();
  kernels.block(call);
  std::vector<R> result;
  for (std::int64_t i = 0; i < call.m; ++i) {
    auto const row = c.begin() + i * call.c_rs;
    result.insert(result.end(), row, row + call.n);
  }
  result.push_back(c.back());
  return result;
}

/// Several rows in a register, where there are no gaps, have the bits of tiles.
template <class R>
void expect_bits_of_tiles(GemmKernels<R> const& kernels) {
  GemmCall<R> call{};
  call.a_cs = call.b_cs = call.c_cs = 1;
  call.alpha[0] = R(5) / R(3);
  call.beta[0] = R(7) / R(3);
  for (call.n = 1; call.n <= 9; ++call.n) {
    for (call.k = 1; call.k <= 9; ++call.k) {
      call.b_rs = call.n + 2;
      for (std::int64_t m : {1, 2, 7, 16, 101}) {
        for (bool reads_c : {false, true}) {
          call.m = m;
          call.reads_c = reads_c;
          ASSERT_EQ(block_with_gaps(kernels, call, 0), block_with_gaps(kernels, call, 1))
              << m << "x" << call.n << "x" << call.k << (reads_c ? ", C read" : "");
        }
      }
    }
  }
}

/// A block of the same numbers, A packed or where it lies; what lies between C's rows too.
template <class R>
std::vector<R> block_of_a(GemmKernels<R> const& kernels, GemmCall<R> call, bool packed_a) {
  call.packed_a = packed_a;
  call.a_rs = call.k + 1;
  call.b_rs = call.n + 2;
  call.c_rs = call.n + 3;
  auto const numbers = [](std::int64_t count, std::int64_t step) {
    std::vector<R> all(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = static_cast<R>(i * step % 23) / R(3);
    return all;
  };
  auto const a = numbers(call.m * call.a_rs - 1, 7), b = numbers(call.k * call.b_rs - 2, 5);
  auto c = numbers(call.m * call.c_rs - 3, 3);
  call.c = c.data();
  run_block(kernels, call, a.data(), b.data());
  return c;
}

/// Few products in a sum, for which registers hold B, have the bits of tiles.
template <class R>
void expect_bits_of_packed(GemmKernels<R> const& kernels) {
  GemmCall<R> call{};
  call.a_cs = call.b_cs = call.c_cs = 1;
  call.alpha[0] = R(5) / R(3);
  call.beta[0] = R(7) / R(3);
  for (std::int64_t const n : {8, 15, 16, 17, 31, 47, 48, 50, 101}) {
    for (call.k = 1; call.k <= 13; ++call.k) {
      for (std::int64_t const m : {7, 8, 33, 70}) {
        for (int flags = 0; flags < 8; ++flags) {
          call.n = n;
          call.m = m;
          call.packed_b = (flags & 1) != 0;
          call.hints.large_c = (flags & 2) != 0;
          call.reads_c = (flags & 4) != 0;
          ASSERT_EQ(block_of_a(kernels, call, false), block_of_a(kernels, call, true))
              << m << "x" << n << "x" << call.k << (call.packed_b ? ", B packed" : "")
              << (call.hints.large_c ? ", C large" : "") << (call.reads_c ? ", C read" : "");
        }
      }
    }
  }
}

/// Many cases through the kernels. Each operand ends with its last element, so that a sanitizer sees reads beyond.
template <class Format>
void expect_right(GemmKernels<Format> const& kernels) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    GemmCase<Format> test(seed, kernels);
    ASSERT_EQ(test.difference(), "") << "seed " << seed;
    if (test.way != GemmWay::skinny_rows && test.way != GemmWay::skinny_dots) continue;
    test.call.hints.prefetches = !test.call.hints.prefetches;
    ASSERT_EQ(test.difference(), "") << "seed " << seed << ", B elsewhere";
  }
  if constexpr (std::is_arithmetic_v<Format>) {
    expect_bits_of_tiles(kernels);
    expect_bits_of_packed(kernels);
  }
}

/// Tiles of other machines.
template <class Format>
void expect_right_elsewhere() {
  for_simd_elsewhere([]<class S>() { expect_right(gemm_table<S, Format>); });
}

}  // namespace pantile::testing

/// One test per instruction set of the library.
#define PANTILE_TEST_GEMM(SUITE, ISA, FORMAT)                                           \
  TEST(SUITE, ISA) {                                                                    \
    using namespace pantile::impl::arch;                                                \
    if (!has_isa(Isa::ISA)) GTEST_SKIP() << "this CPU has no " #ISA;                    \
    pantile::testing::expect_right(*compiled_kernels<GemmKernels<FORMAT>, Isa::ISA>()); \
  }
#if defined(__x86_64__)
#define PANTILE_TEST_GEMM_SETS(SUITE, FORMAT) \
  PANTILE_TEST_GEMM(SUITE, generic, FORMAT)   \
  PANTILE_TEST_GEMM(SUITE, avx2, FORMAT)      \
  PANTILE_TEST_GEMM(SUITE, avx512, FORMAT)
#elif defined(__aarch64__)
#define PANTILE_TEST_GEMM_SETS(SUITE, FORMAT) \
  PANTILE_TEST_GEMM(SUITE, generic, FORMAT)   \
  PANTILE_TEST_GEMM(SUITE, neon, FORMAT)
#else
#define PANTILE_TEST_GEMM_SETS(SUITE, FORMAT) PANTILE_TEST_GEMM(SUITE, generic, FORMAT)
#endif
