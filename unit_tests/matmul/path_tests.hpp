// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The tests of every way, for a file to instantiate with its element types.

#include <matmul/path_checks.hpp>
#include <support/isa.hpp>

#include <set>
#include <string>
#include <utility>

namespace pantile::testing {

template <class T>
class MatmulPaths : public ::testing::Test {
 protected:
  using Run = PathRun<T>;
  static constexpr bool has_infinity = !is_integer_v<typename T::TC>;

  /// f(run) for every case, until one fails.
  template <class F>
  static void for_each_run(F const& f) {
    if (!GuardedMemory::available()) GTEST_SKIP() << "this system has no inaccessible pages";
    ASSERT_FALSE(path_table<T>().cases.empty());
    for_each_path<T>([&](std::string const& path, PathCase const& x, int number) {
      if (::testing::Test::HasFailure()) return;
      Run const run(x, number);
      SCOPED_TRACE(path + ": " + to_string(x) + ", " + to_string(run.op_a) + " " + to_string(run.op_b));
      f(run, number);
    });
  }
};
TYPED_TEST_SUITE_P(MatmulPaths);

TYPED_TEST_P(MatmulPaths, TheTableIsComplete) {
  PathTable const& table = path_table<TypeParam>();
  for (std::string const& path : table.reached) {
    EXPECT_TRUE(known_paths().contains(path)) << "\"" << path << "\" is missing in known_paths.cpp";
    EXPECT_TRUE(table.cases.contains(path)) << "\"" << path << "\" has no case that is cheap enough to be run";
  }
  // The sweep finds what the test knows to be there.
  for (char const* const path : {"naive", "grid_stride", "tiled"}) EXPECT_TRUE(table.reached.contains(path));
  EXPECT_GE(table.reached.size(), 4U);
}

// With beta = 0 over a C of NaN, and with another beta: nothing beside A, B and C is touched, and results are right.
TYPED_TEST_P(MatmulPaths, NothingBesideOperandsIsTouched) {
  using Run = PathRun<TypeParam>;
  double const poison = this->has_infinity ? std::numeric_limits<double>::quiet_NaN() : 99;
  this->for_each_run([&](Run const& run, int number) {
    Number const alpha = Run::factor(2, -1), beta = Run::factor(3, 1);
    auto const unread = Run::filled(run.x.m, run.x.n, poison), sums = run.sums();
    Guard const first = number % 2 == 0 ? Guard::behind : Guard::before,
                second = number % 2 == 0 ? Guard::before : Guard::behind;
    EXPECT_TRUE(run.gives(first, alpha, run.a, run.b, 0, unread, Run::update(alpha, sums, 0, unread)))
        << to_string(first) << ", beta = 0";
    EXPECT_TRUE(run.gives(second, alpha, run.a, run.b, beta, run.c, Run::update(alpha, sums, beta, run.c)))
        << to_string(second);
    EXPECT_TRUE(run.gives(first, 1, run.a, run.b, 1, run.c, Run::update(1, sums, 1, run.c))) << to_string(first);
  });
}

/// NaN in A, infinity in B opposite a row of zeroes in A, NaN in C: at the first and at the last places.
template <class Run>
void expect_specials(Run const& run, bool at_end) {
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  auto const& x = run.x;
  Index const i = at_end ? x.m - 1 : 0, p = at_end ? x.k - 1 : 0, j = at_end ? x.n - 1 : 0;
  Index const zero_row = x.m / 2, other_p = x.k / 2;
  Numbers a = run.a, b = run.b, c = run.c, sums = run.sums();
  if (i != zero_row) put(a, x.a, i, p, nan);
  for (Index q = 0; q < x.k; ++q) a(zero_row, q) = 0;
  put(b, x.b, other_p, j, infinity);
  c(at_end ? 0 : x.m - 1, at_end ? 0 : x.n - 1) = nan;
  for (Index column = 0; column < x.n; ++column) {
    sums(i, column) = product_at<Run::is_complex>(a, b, i, column);
    sums(zero_row, column) = product_at<Run::is_complex>(a, b, zero_row, column);
  }
  for (Index row = 0; row < x.m; ++row) sums(row, j) = product_at<Run::is_complex>(a, b, row, j);
  ASSERT_TRUE(std::isnan(sums(zero_row, j).real())) << "zero times infinity";
  Number const alpha = Run::factor(-2, 1), beta = Run::factor(2, 1);
  EXPECT_TRUE(run.gives(Guard::behind, alpha, a, b, beta, c, Run::update(alpha, sums, beta, c)));
  EXPECT_TRUE(run.gives(Guard::before, alpha, a, b, 0, c, Run::update(alpha, sums, 0, c))) << "beta = 0";
}

TYPED_TEST_P(MatmulPaths, WhatIsNoFiniteNumberPropagates) {
  if constexpr (TestFixture::has_infinity) {
    this->for_each_run([](auto const& run, int number) { expect_specials(run, number % 2 == 0); });
  }
}

/// A scaled by 2^of_a, B by 2^of_b: results are multiples of the product of the two.
template <class Run>
void expect_scaled(Run const& run, int of_a, int of_b, bool elements_vanish) {
  if (of_a + of_b < least_exponent<typename Run::TC>() || of_a < least_exponent<typename Run::TA>() ||
      of_b < least_exponent<typename Run::TB>()) {
    return;
  }
  Number const alpha = Run::factor(1, 1), beta = Run::factor(2, -1);
  auto const a = Run::scaled(run.a, of_a), b = Run::scaled(run.b, of_b), c = Run::scaled(run.c, of_a + of_b);
  auto const sums = elements_vanish ? Numbers(run.x.m, run.x.n) : Run::scaled(run.sums(), of_a + of_b);
  EXPECT_TRUE(run.gives(Guard::behind, alpha, a, b, beta, c, Run::update(alpha, sums, beta, c)))
      << "A times 2^" << of_a << ", B times 2^" << of_b;
}

// Operands that are subnormal, and products of others that are.
TYPED_TEST_P(MatmulPaths, SubnormalNumbersAreKept) {
  if constexpr (TestFixture::has_infinity) {
    using Run = PathRun<TypeParam>;
    constexpr bool brain = impl::is_brain<typename Run::TA> && impl::is_brain<typename Run::TB>;
    constexpr int of_a = least_exponent<typename Run::TA>(), of_b = least_exponent<typename Run::TB>(),
                  least = least_exponent<typename Run::Accumulator>(),
                  normal = of_b == -24     ? 4
                           : of_b == -1074 ? 600
                                           : 90;
    this->for_each_run([](Run const& run, int number) {
      // By AVX-512 BF16's instruction, as the face says.
      bool const vanish = brain && impl::arch::host_isa() == impl::arch::Isa::avx512bf16 &&
                          run.x.algorithm != MatmulAlgorithm::naive &&
                          run.x.algorithm != MatmulAlgorithm::grid_stride && run.x.algorithm != MatmulAlgorithm::tiled;
      switch (number % 3) {
        case 0: expect_scaled(run, of_a, 0, vanish); break;
        case 1: expect_scaled(run, 0, of_b, vanish); break;
        default: expect_scaled(run, of_a, normal, vanish);
      }
      if (!vanish) expect_scaled(run, least / 2, least - least / 2, false);
    });
  }
}

// alpha = 0 reads neither A nor B, and k = 0 neither these nor alpha: C = beta C.
TYPED_TEST_P(MatmulPaths, ZeroAlphaAndZeroDepthScaleC) {
  using Run = PathRun<TypeParam>;
  constexpr bool infinite = TestFixture::has_infinity;
  double const nan = infinite ? std::numeric_limits<double>::quiet_NaN() : 99;
  Number const beta = Run::factor(-3, 1);
  std::set<std::pair<Index, Index>> done;
  this->for_each_run([&](Run const& run, int number) {
    auto const& x = run.x;
    // The way depends on m and n only, and little.
    if (cost_of(x) > 1e6) return;
    Guard const guard = number % 2 == 0 ? Guard::behind : Guard::before;
    auto const zeroes = Run::filled(x.m, x.n, 0), unread = Run::filled(x.m, x.n, nan);
    Numbers a = run.a, b = run.b;
    if constexpr (infinite) {
      a = Run::filled(x.m, x.k, nan);
      b = Run::filled(x.k, x.n, number % 3 == 0 ? nan : std::numeric_limits<double>::infinity());
    }
    auto const scaled = Run::update(0, zeroes, beta, run.c);
    EXPECT_TRUE(run.gives(guard, 0, a, b, beta, run.c, scaled)) << "alpha = 0";
    EXPECT_TRUE(run.gives(guard, 0, a, b, 0, unread, zeroes)) << "alpha = 0, beta = 0";
    if (!done.insert({x.m, x.n}).second) return;
    PathCase shallow = x;
    shallow.k = 0;
    Run const nothing(shallow, number);
    EXPECT_TRUE(nothing.gives(guard, nan, nothing.a, nothing.b, beta, run.c, scaled)) << "k = 0";
    EXPECT_TRUE(nothing.gives(guard, nan, nothing.a, nothing.b, 0, unread, zeroes)) << "k = 0, beta = 0";
  });
}

/// A product of this size with both guards.
template <class T>
void expect_right_between_guards(PathCase const& x, int number) {
  using Run = PathRun<T>;
  Run const run(x, number);
  SCOPED_TRACE(to_string(x) + ", " + to_string(run.op_a) + " " + to_string(run.op_b));
  auto const sums = run.sums(), expected = Run::update(1, sums, 0, run.c);
  for (Guard const guard : both_guards)
    EXPECT_TRUE(run.gives(guard, 1, run.a, run.b, 0, run.c, expected)) << to_string(guard);
}

// Every number of elements that is left over in the last register, row of registers, tile and packed panel.
TYPED_TEST_P(MatmulPaths, NoRemainderTouchesWhatIsBeside) {
  if (!GuardedMemory::available()) GTEST_SKIP() << "this system has no inaccessible pages";
  using T = TypeParam;
  auto const facts =
      matmul_impl::host_facts(problem_of<typename T::TA, typename T::TB, typename T::TC, typename T::Accumulator>(
          {1, 1, 1}, nullptr, nullptr, nullptr));
  if (!facts.available) GTEST_SKIP() << "no kernels for these types";
  Index const rows = facts.panel_rows, cols = facts.panel_cols, lanes = facts.lanes, deep = Index{facts.k_pack} * lanes;
  int number = 0;
  auto const visit = [&](PathCase const& x) {
    if (!::testing::Test::HasFailure()) expect_right_between_guards<T>(x, number++);
  };
  constexpr Storage by_rows = Storage::rows, by_columns = Storage::columns, streamed = Storage::prefetch_rows,
                    apart = Storage::strided;
  for (Index n = 1; n <= cols + lanes + 1; ++n) {
    for (Index m = 1; m <= 2 * rows + 1; ++m) visit({m, n, 5, by_rows, by_rows});
    visit({49, n, 9, by_rows, streamed});  // B packed from rows, A read where it lies
    visit({49, n, 9, by_columns, streamed});
    visit({2, n + 16, 33, by_rows, by_rows});  // few rows
    visit({1, n + 16, 33, by_rows, by_rows});
  }
  for (Index k = 1; k <= 2 * deep + 3; ++k) {
    for (Index const n : {Index{1}, Index{3}, cols - 1, cols, cols + 1}) {
      visit({rows + 1, n, k, by_rows, by_columns});
      visit({rows, n, k, by_columns, by_rows});
      visit({49, n, k, apart, apart});
    }
    visit({1, 19, k + 32, by_rows, by_columns});  // dot products
    visit({3, 17, k + 128, by_rows, by_columns});
  }
  visit({3, 17, 4096 / facts.element_bytes - 3, by_rows, by_columns});  // rows of A that meet in a cache are held
  Index const depth = 40000 / facts.element_bytes / 64;                 // A packed, from columns
  for (Index m = 64; m <= 64 + rows; ++m) visit({m, 2 * cols + 1, depth, by_columns, by_rows});
}

REGISTER_TYPED_TEST_SUITE_P(MatmulPaths, TheTableIsComplete, NoRemainderTouchesWhatIsBeside,
                            NothingBesideOperandsIsTouched, WhatIsNoFiniteNumberPropagates, SubnormalNumbersAreKept,
                            ZeroAlphaAndZeroDepthScaleC);

}  // namespace pantile::testing
