// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Integers: exact modulo 2^w against unsigned arithmetic, at the ends of the range too.
#include <matmul/cases.hpp>

#include <limits>
#include <type_traits>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;

template <class TestCase>
class MatmulIntegers : public ::testing::Test {};
using Cases = CasesOf<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(MatmulIntegers, Cases);

/// alpha k a b + beta c in unsigned arithmetic of T's own width.
template <class T>
T wrapped(T alpha, T a, T b, std::size_t k, T beta, T c) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(U(alpha) * (U(k) * U(a) * U(b)) + U(beta) * U(c));
}

TYPED_TEST(MatmulIntegers, ExtremeValuesWrap) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  constexpr T extremes[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(3)};
  constexpr std::size_t m = 9, n = 11, k = 21;
  for (T const x : extremes) {
    for (T const y : extremes) {
      HostMatrix<T> a(m, k), b(k, n), c(m, n), expected(m, n);
      for (T& value : a.values) value = x;
      for (T& value : b.values) value = y;
      for (T& value : c.values) value = x;
      for (T& value : expected.values) value = wrapped<T>(y, x, y, k, x, x);
      for (Algorithm const algorithm : own_algorithms) {
        Placed<T, Exec> const A("A", a, Placement::right), B("B", b, Placement::right), C("C", c, Placement::strided);
        pantile::matmul(Exec{}, y, A.view(), B.view(), x, C.view(), {.algorithm = algorithm});
        Exec{}.fence();
        EXPECT_TRUE(equal(C.values(), expected)) << to_string(algorithm) << " " << x << " " << y;
      }
    }
  }
}

TYPED_TEST(MatmulIntegers, RandomValuesOfTheWholeRangeAreExact) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::mt19937_64 generator(11);
  for (int repeat = 0; repeat < 4; ++repeat) {
    Call<T> const call({33, 29, 70}, random_value<T>(generator), random_value<T>(generator), pantile::Op::none,
                       pantile::Op::transpose, generator());
    for (Algorithm const algorithm : own_algorithms) {
      expect_right(exec, call, {.op_b = pantile::Op::transpose, .algorithm = algorithm},
                   placements(static_cast<std::size_t>(repeat) * 31));
    }
  }
}

}  // namespace
