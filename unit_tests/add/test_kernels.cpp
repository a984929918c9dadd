// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host's kernels by themselves, through the cache and past it, at any place in a cache line. Small
///        integers: every result is exact. ctest runs them once per instruction set (PANTILE_ISA).
#include <pantile/impl/arch/host/ukernel/add/table.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using pantile::impl::arch::AddKernels;
using pantile::impl::arch::host_kernels;
using pantile::impl::arch::adding::Rows;

/// Numbers of three elements per row are padding, and stay.
template <class Real, int Parts>
void expect_sums(void (*kernel)(Rows<Real> const&), bool reads_b, bool past, std::int64_t shift) {
  Real const alpha[2] = {Real(3), Real(2)}, beta[2] = {Real(5), Real(1)};
  for (std::int64_t const cols : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 257}) {
    constexpr std::int64_t rows = 3;
    std::int64_t const ld = cols + 3, count = (rows * ld + shift) * Parts;
    std::vector<Real> a(static_cast<std::size_t>(count)), b(a), c(a.size(), Real(77));
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<Real>(i % 13);
      b[i] = static_cast<Real>(i % 7);
    }
    std::vector<Real> expected = c;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols; ++j) {
        auto const at = static_cast<std::size_t>((shift + i * ld + j) * Parts);
        for (int part = 0; part < Parts; ++part) {
          auto const product = [&](Real const(&s)[2], std::vector<Real> const& x) -> Real {
            if (Parts == 1) return s[0] * x[at];
            return part == 0 ? s[0] * x[at] - s[1] * x[at + 1] : s[0] * x[at + 1] + s[1] * x[at];
          };
          expected[at + static_cast<std::size_t>(part)] =
              reads_b ? product(alpha, a) + product(beta, b) : product(alpha, a);
        }
      }
    }
    std::int64_t const offset = shift * Parts;
    kernel({a.data() + offset,
            reads_b ? b.data() + offset : nullptr,
            c.data() + offset,
            ld,
            ld,
            ld,
            rows,
            cols,
            {alpha[0], alpha[1]},
            {beta[0], beta[1]},
            past});
    ASSERT_EQ(c, expected) << cols << " columns, shifted by " << shift << (past ? ", past the cache" : "");
  }
}

TEST(AddKernels, EveryKernelAddsEveryElementAndNothingElse) {
  auto const* const kernels = host_kernels<AddKernels>();
  if (kernels == nullptr) GTEST_SKIP() << "no host kernels in this build";
  for (bool const reads_b : {true, false}) {
    for (bool const past : {true, false}) {
      for (std::int64_t const shift : {0, 1, 3, 5}) {
        expect_sums<float, 1>(kernels->float_rows, reads_b, past, shift);
        expect_sums<double, 1>(kernels->double_rows, reads_b, past, shift);
        expect_sums<float, 2>(kernels->complex_float_rows, reads_b, past, shift);
        expect_sums<double, 2>(kernels->complex_double_rows, reads_b, past, shift);
        expect_sums<std::uint32_t, 1>(kernels->word_rows, reads_b, past, shift);
        expect_sums<std::uint64_t, 1>(kernels->long_rows, reads_b, past, shift);
      }
    }
  }
}

}  // namespace
