// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  P1673's products. Updates as its text has them: E may be C, and A, B and E are only read.
#include <operands/spans.hpp>
#include <support/matcher.hpp>
#include <support/oracle.hpp>
#include <support/refusal.hpp>

#include <pantile/linalg.hpp>

#include <gmock/gmock.h>
#include <Kokkos_Core.hpp>

#include <complex>
#include <string>

namespace {

using namespace pantile::testing;
using namespace pantile::linalg;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using T = Kokkos::complex<double>;

HostMatrix<T> operated(HostMatrix<T> const& x, bool transposes, bool conjugates) {
  HostMatrix<T> result(transposes ? x.cols : x.rows, transposes ? x.rows : x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < x.cols; ++j) {
      result(transposes ? j : i, transposes ? i : j) = conjugates ? pantile::conjugate(x(i, j)) : x(i, j);
    }
  }
  return result;
}

/// Square matrices, so that each operator fits everywhere.
template <class Kind>
struct Squares {
  static constexpr std::size_t n = 7;
  HostMatrix<T> const a = random_matrix<T>(n, n, 1), b = random_matrix<T>(n, n, 2), e = random_matrix<T>(n, n, 3);
  Rows<T, Kind> A{a, 1}, B{b}, E{e, 2}, C{random_matrix<T>(n, n, 4), 3};

  /// C = scale E' + factor A' B', as it was computed.
  void expect(T factor, HostMatrix<T> const& left, HostMatrix<T> const& right, T scale, HostMatrix<T> const& sum) {
    auto const expected = reference_matmul(factor, left, right, scale, sum);
    EXPECT_TRUE(within(C.matrix(), expected.values, expected.bound));
    EXPECT_EQ(A.matrix().values, a.values);
    EXPECT_EQ(B.matrix().values, b.values);
  }
};

template <class Kind>
class Linalg : public ::testing::Test {};
TYPED_TEST_SUITE(Linalg, Mdspans::AndPlainSpans);

TYPED_TEST(Linalg, Overwrites) {
  Squares<TypeParam> x;
  auto& [a, b, e, A, B, E, C] = x;
  matrix_product(A.span(), B.const_span(), C.span());
  x.expect(1, a, b, 0, e);
  matrix_product(transposed(A.span()), conjugated(B.span()), C.span());
  x.expect(1, operated(a, true, false), operated(b, false, true), 0, e);
  matrix_product(conjugate_transposed(A.span()), transposed(transposed(B.span())), C.span());
  x.expect(1, operated(a, true, true), b, 0, e);
}

TYPED_TEST(Linalg, FactorsAreMultipliedAndConjugatedInTheirOrder) {
  Squares<TypeParam> x;
  auto& [a, b, e, A, B, E, C] = x;
  std::complex<double> const alpha(0.5, 2);
  matrix_product(scaled(alpha, A.span()), scaled(3.0, B.span()), C.span());
  x.expect(T(1.5, 6), a, b, 0, e);
  matrix_product(conjugated(scaled(alpha, A.span())), B.span(), C.span());
  x.expect(T(0.5, -2), operated(a, false, true), b, 0, e);
  matrix_product(scaled(alpha, conjugated(scaled(alpha, A.span()))), B.span(), C.span());
  x.expect(T(4.25), operated(a, false, true), b, 0, e);
}

TYPED_TEST(Linalg, UpdatesWithAnotherMatrix) {
  Squares<TypeParam> x;
  auto& [a, b, e, A, B, E, C] = x;
  matrix_product(A.span(), B.span(), E.const_span(), C.span());
  x.expect(1, a, b, 1, e);
  matrix_product(A.span(), B.span(), scaled(T(0, 1), transposed(E.span())), C.span());
  x.expect(1, a, b, T(0, 1), operated(e, true, false));
  matrix_product(A.span(), B.span(), conjugated(E.span()), C.span());
  x.expect(1, a, b, 1, operated(e, false, true));
  matrix_product(A.span(), B.span(), scaled(2.0, conjugate_transposed(E.span())), C.span());
  x.expect(1, a, b, 2, operated(e, true, true));
  EXPECT_EQ(E.matrix().values, e.values);
}

TYPED_TEST(Linalg, UpdatesTheResultItself) {
  Squares<TypeParam> x;
  auto& [a, b, e, A, B, E, C] = x;
  auto const c = C.matrix();
  matrix_product(A.span(), B.span(), C.span(), C.span());
  x.expect(1, a, b, 1, c);
  auto const next = C.matrix();
  matrix_product(A.span(), B.span(), scaled(T(0.5, 1), C.const_span()), C.span());
  x.expect(1, a, b, T(0.5, 1), next);
  auto const last = C.matrix();
  matrix_product(A.span(), B.span(), conjugated(C.span()), C.span());
  x.expect(1, a, b, 1, operated(last, false, true));
}

TYPED_TEST(Linalg, RefusesBeforeAnythingIsWritten) {
  Squares<TypeParam> x;
  auto& [a, b, e, A, B, E, C] = x;
  auto const before = C.values;
  EXPECT_NE(refusal([&] { matrix_product(C.span(), B.span(), E.span(), C.span()); }), "accepted") << "A is C";
  EXPECT_NE(refusal([&] { matrix_product(A.span(), B.span(), transposed(C.span()), C.span()); }), "accepted");
  Rows<T, TypeParam> narrow(random_matrix<T>(x.n, x.n - 1, 5));
  EXPECT_NE(refusal([&] { matrix_product(A.span(), narrow.span(), E.span(), C.span()); }), "accepted");
  EXPECT_NE(refusal([&] { matrix_product(A.span(), B.span(), narrow.span(), C.span()); }), "accepted");
  EXPECT_EQ(C.values, before);
}

// P1673 [linalg.algs.blas3.gemm]: C may be E, and aliases nothing else.
TYPED_TEST(Linalg, RefusesAnAddendInItsOwnWords) {
  Squares<TypeParam> x;
  auto& [a, b, e, A, B, E, C] = x;
  auto const before = C.values;
  auto const expect = [&](auto const& addend, char const* rule) {
    auto const said = refusal([&] { matrix_product(A.span(), B.span(), addend, C.span()); });
    EXPECT_THAT(said, AllOf(StartsWith("pantile::linalg::matrix_product: "), HasSubstr(rule), HasSubstr("; E '")));
    EXPECT_EQ(C.values, before) << rule;
  };
  Rows<T, TypeParam> narrow(random_matrix<T>(x.n, x.n - 1, 5));
  expect(narrow.span(), "E must be 7x7 as C is, but it is 7x6");
  expect(transposed(narrow.span()), "op(E) must be 7x7 as C is, but it is 6x7");
  expect(scaled(2.0, conjugated(narrow.span())), "op(E) must be 7x7 as C is, but it is 7x6");
  using Number = typename Rows<T, TypeParam>::Element;
  auto const nothing = TypeParam::template matrix<Number>(nullptr, x.n, x.n, x.n);
  expect(nothing, "E must not be null");
  expect(conjugate_transposed(nothing), "E must not be null");
  expect(transposed(C.span()), "C must be exactly op(E) or not overlap it");
  expect(conjugate_transposed(C.span()), "C must be exactly op(E) or not overlap it");
  auto const shifted = TypeParam::matrix(C.values.data() + 1, x.n, x.n, C.stride);
  expect(shifted, "C must be exactly E or not overlap it");
  expect(conjugated(shifted), "C must be exactly op(E) or not overlap it");
}

// With E, with C itself and without either, under its own name, with all operands and the place of the call.
TYPED_TEST(Linalg, RefusesFactorsInItsOwnName) {
  Squares<TypeParam> x;
  auto& [a, b, e, A, B, E, C] = x;
  auto const before = C.values;
  auto const expect = [&](auto const& left, auto const& right, std::string const& rule) {
    auto const says = AllOf(StartsWith("pantile::linalg::matrix_product: " + rule + "; A '"), HasSubstr(", B '"),
                            HasSubstr(", C '"), HasSubstr("[called from "), HasSubstr("test_linalg.cpp:"));
    EXPECT_THAT(refusal([&] { matrix_product(left, right, C.span()); }), says);
    EXPECT_THAT(refusal([&] { matrix_product(left, right, E.span(), C.span()); }), says);
    EXPECT_THAT(refusal([&] { matrix_product(left, right, C.span(), C.span()); }), says);
    EXPECT_EQ(C.values, before) << rule;
  };
  Rows<T, TypeParam> narrow(random_matrix<T>(x.n, x.n - 1, 5));
  expect(narrow.span(), B.span(), "columns of op(A) (6) must equal rows of op(B) (7)");
  expect(A.span(), transposed(narrow.span()), "columns of op(A) (7) must equal rows of op(B) (6)");
  expect(A.span(), narrow.span(), "C must be 7x6 (rows of op(A) by columns of op(B))");
  expect(A.span(), C.span(), "C must not overlap B: they share memory");
  expect(transposed(C.span()), B.span(), "C must not overlap A: they share memory");
}

TYPED_TEST(Linalg, ARefusalHasItsParts) {
  Squares<TypeParam> x;
  try {
    matrix_product(x.A.span(), x.C.span(), x.C.span());
    FAIL() << "accepted";
  } catch (pantile::Error const& error) {
    EXPECT_EQ(error.operation(), "linalg::matrix_product");
    EXPECT_EQ(error.rule(), "C must not overlap B: they share memory");
    EXPECT_THAT(error.where().file_name(), ::testing::EndsWith("test_linalg.cpp"));
  }
}

TYPED_TEST(Linalg, RealNumbersHaveNoConjugates) {
  auto const a = random_matrix<float>(3, 4, 1), b = random_matrix<float>(3, 5, 2);
  Rows<float, TypeParam> const left(a), right(b);
  Rows<float, TypeParam> result(HostMatrix<float>(4, 5));
  auto const adjoint = conjugate_transposed(left.const_span());
  static_assert(decltype(adjoint)::op == pantile::Op::transpose);
  HostMatrix<float> transposed_a(4, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) transposed_a(j, i) = a(i, j);
  }
  auto const expected = reference_matmul(2.0F, transposed_a, b, 0.0F, HostMatrix<float>(4, 5));
  Kokkos::DefaultHostExecutionSpace const exec;
  matrix_product(exec, scaled(2.0F, adjoint), right.const_span(), result.span());
  exec.fence();
  EXPECT_TRUE(within(result.matrix(), expected.values, expected.bound));
}

TEST(LinalgTypes, ViewsAreOperandsToo) {
  Kokkos::View<double**> const a("a", 2, 3), b("b", 3, 2), c("c", 2, 2);
  Kokkos::deep_copy(a, 2.0);
  Kokkos::deep_copy(b, 3.0);
  Kokkos::deep_copy(c, 1.0);
  matrix_product(a, scaled(0.5, b), c, c);
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
  EXPECT_EQ(result(1, 1), 10);
}

}  // namespace
