// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  ?gemm with its operands between inaccessible pages, on every way that a call takes: what is never touched,
///        never read, and what propagates. Exact.
#include <blas/guarded_operands.hpp>

#include <utility>

namespace pantile::testing::blas {
namespace {

/// Next to no work; on the calling thread without and with a plan, packed and not; pooled instances; the team; few rows
/// or columns.
struct Size {
  int m, n, k;
};
constexpr Size sizes[] = {{1, 1, 1},      {2, 2, 2},     {3, 1, 2},     {3, 4, 5},     {17, 9, 13},   {35, 40, 21},
                          {48, 48, 20},   {70, 9, 33},   {1, 60, 70},   {65, 1, 129},  {49, 50, 51},  {90, 100, 37},
                          {130, 110, 49}, {1, 700, 301}, {301, 2, 517}, {5, 2000, 40}, {2001, 7, 33}, {200, 30, 401}};
constexpr int operators[] = {CblasNoTrans, CblasTrans, CblasConjTrans, CblasConjNoTrans};

template <class T>
class GuardedGemm : public ::testing::Test {
 protected:
  /// f(call) for each size, with operators, orders and places taking turns.
  template <class F>
  static void for_each_call(F const& f);
};
TYPED_TEST_SUITE(GuardedGemm, Elements);

/// One call: op(A), op(B), C and op(A) op(B).
template <class T>
struct GemmRun {
  Size size;
  int order, ta, tb;
  Place place;
  Numbers a, b, c;

  GemmRun(Size size_, int number, Place place_)
      : size(size_),
        order(number % 3 == 0 ? CblasRowMajor : CblasColMajor),
        ta(operators[number % 4]),
        tb(operators[number / 4 % 4]),
        place(place_),
        a(small_integers<T>(size.m, size.k, 1)),
        b(small_integers<T>(size.k, size.n, 2)),
        c(small_integers<T>(size.m, size.n, 3)) {}

  [[nodiscard]] Numbers sums() const { return product<is_complex<T>>(a, b); }

  [[nodiscard]] ::testing::AssertionResult gives(Number alpha, Numbers const& va, Numbers const& vb, Number beta,
                                                 Numbers const& vc, Numbers const& expected) const {
    GuardedOperand<T> A("A", order, operated(va, ta), 3, place), B("B", order, operated(vb, tb), 0, place),
        C("C", order, vc, 5, place);
    auto const al = element_of<T>(alpha), be = element_of<T>(beta);
    if (order == CblasColMajor) {
      fortran_gemm(letter_of(ta), letter_of(tb), size.m, size.n, size.k, al, A.data(), A.ld, B.data(), B.ld, be,
                   C.data(), C.ld);
    } else {
      cblas_gemm(order, ta, tb, size.m, size.n, size.k, al, A.data(), A.ld, B.data(), B.ld, be, C.data(), C.ld);
    }
    return holds<T>(C, expected);
  }
  static Number factor(double re, double im) { return is_complex<T> ? Number(re, im) : Number(re); }
};

template <class T>
template <class F>
void GuardedGemm<T>::for_each_call(F const& f) {
  if (!GuardedMemory::available()) GTEST_SKIP() << "this system has no inaccessible pages";
  int number = 0;
  for (Size const& size : sizes) {
    for (Place const& place : places) {
      if (place.odd && !is_complex<T>) continue;
      for (int turn = 0; turn < 3; ++turn) {
        GemmRun<T> const run(size, number++ * 5 + turn, place);
        SCOPED_TRACE(::testing::Message() << size.m << "x" << size.n << "x" << size.k << " " << letter_of(run.ta)
                                          << letter_of(run.tb) << " order " << run.order << ", " << to_string(place));
        f(run);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

double const nan = std::numeric_limits<double>::quiet_NaN();
double const infinity = std::numeric_limits<double>::infinity();

TYPED_TEST(GuardedGemm, NothingBesideOperandsIsTouched) {
  using Run = GemmRun<TypeParam>;
  this->for_each_call([](Run const& run) {
    Number const alpha = Run::factor(2, -1), beta = Run::factor(3, 1);
    auto const sums = run.sums(), unread = filled<TypeParam>(run.size.m, run.size.n, nan);
    EXPECT_TRUE(run.gives(alpha, run.a, run.b, 0, unread, update<TypeParam>(alpha, sums, 0, unread))) << "beta = 0";
    EXPECT_TRUE(run.gives(alpha, run.a, run.b, beta, run.c, update<TypeParam>(alpha, sums, beta, run.c)));
    EXPECT_TRUE(run.gives(1, run.a, run.b, 1, run.c, update<TypeParam>(1, sums, 1, run.c)));
  });
}

TYPED_TEST(GuardedGemm, ZeroAlphaAndZeroDepthScaleC) {
  using T = TypeParam;
  using Run = GemmRun<T>;
  this->for_each_call([](Run const& run) {
    auto const [m, n, k] = run.size;
    Number const beta = Run::factor(-3, 1);
    auto const zeroes = filled<T>(m, n, 0), unread = filled<T>(m, n, nan);
    auto const a = filled<T>(m, k, nan), b = filled<T>(k, n, infinity);
    auto const scaled_c = update<T>(0, zeroes, beta, run.c);
    EXPECT_TRUE(run.gives(0, a, b, beta, run.c, scaled_c)) << "alpha = 0";
    EXPECT_TRUE(run.gives(0, a, b, 1, run.c, run.c)) << "alpha = 0, beta = 1";
    EXPECT_TRUE(run.gives(0, a, b, 0, unread, zeroes)) << "alpha = 0, beta = 0";
    Run shallow = run;
    shallow.size.k = 0;
    Numbers const no_a(m, 0), no_b(0, n);
    EXPECT_TRUE(shallow.gives(nan, no_a, no_b, beta, run.c, scaled_c)) << "k = 0";
    EXPECT_TRUE(shallow.gives(nan, no_a, no_b, 0, unread, zeroes)) << "k = 0, beta = 0";
  });
}

TYPED_TEST(GuardedGemm, WhatIsNoFiniteNumberPropagates) {
  using T = TypeParam;
  using Run = GemmRun<T>;
  constexpr bool complex = is_complex<T>;
  this->for_each_call([](Run const& run) {
    auto const [m, n, k] = run.size;
    Numbers a = run.a, b = run.b, c = run.c, sums = run.sums();
    Index const zero_row = m / 2, last = m - 1;
    if (last != zero_row) a(last, k - 1) = nan;
    for (Index p = 0; p < k; ++p) a(zero_row, p) = 0;
    b(k / 2, n - 1) = infinity;
    c(0, 0) = nan;
    for (Index j = 0; j < n; ++j) {
      sums(last, j) = product_at<complex>(a, b, last, j);
      sums(zero_row, j) = product_at<complex>(a, b, zero_row, j);
    }
    for (Index i = 0; i < m; ++i) sums(i, n - 1) = product_at<complex>(a, b, i, n - 1);
    ASSERT_TRUE(std::isnan(sums(zero_row, n - 1).real())) << "zero times infinity";
    Number const alpha = Run::factor(-2, 1), beta = Run::factor(2, 1);
    EXPECT_TRUE(run.gives(alpha, a, b, beta, c, update<T>(alpha, sums, beta, c)));
    EXPECT_TRUE(run.gives(alpha, a, b, 0, c, update<T>(alpha, sums, 0, c))) << "beta = 0";
  });
}

TYPED_TEST(GuardedGemm, SubnormalNumbersAreKept) {
  using T = TypeParam;
  using Run = GemmRun<T>;
  constexpr int least = least_exponent<T>;
  constexpr std::pair<int, int> exponents[] = {{least, 0}, {0, least}, {least / 2, least - least / 2}};
  int turn = 0;
  this->for_each_call([&](Run const& run) {
    Number const alpha = Run::factor(1, 1), beta = Run::factor(2, -1);
    auto const [of_a, of_b] = exponents[turn++ % 3];
    auto const c = scaled(run.c, least);
    EXPECT_TRUE(run.gives(alpha, scaled(run.a, of_a), scaled(run.b, of_b), beta, c,
                          update<T>(alpha, scaled(run.sums(), least), beta, c)))
        << of_a << " " << of_b;
  });
}

}  // namespace
}  // namespace pantile::testing::blas
