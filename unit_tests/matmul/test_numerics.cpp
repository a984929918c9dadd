// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The numerics contract for real and complex types: what is never read, and what propagates.
#include <matmul/cases.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;

template <class TestCase>
class MatmulNumerics : public ::testing::Test {
 public:
  using Exec = typename TestCase::Exec;
  using T = typename TestCase::T;
  using Real = typename pantile::impl::RealOf<T>::type;

  static T nan() { return poison<T>(); }
  static T infinite() { return T(std::numeric_limits<Real>::infinity()); }

  /// C after C = alpha A B + beta C.
  static HostMatrix<T> product(T alpha, HostMatrix<T> const& a, HostMatrix<T> const& b, T beta, HostMatrix<T> const& c,
                               Algorithm algorithm) {
    Placed<T, Exec> const A("A", a, Placement::padded_right), B("B", b, Placement::left), C("C", c, Placement::strided);
    pantile::matmul(Exec{}, alpha, A.view(), B.view(), beta, C.view(), {.algorithm = algorithm});
    Exec{}.fence();
    EXPECT_TRUE(C.surroundings_intact());
    return C.values();
  }

  static HostMatrix<T> filled(std::size_t rows, std::size_t cols, T const& value) {
    HostMatrix<T> result(rows, cols);
    for (T& element : result.values) element = value;
    return result;
  }

  static bool is_nan(T const& value) { return detail::is_nan(value); }
};
using Cases = CasesOf<float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(MatmulNumerics, Cases);

// The shape spans several register tiles and tiles, so that padding is in play.
constexpr Shape shape{67, 35, 19};

TYPED_TEST(MatmulNumerics, ZeroAlphaReadsNeitherANorB) {
  using T = typename TestFixture::T;
  auto const nan = TestFixture::nan();
  auto const c = random_matrix<T>(shape.m, shape.n, 3);
  for (Algorithm const algorithm : own_algorithms) {
    auto const a = TestFixture::filled(shape.m, shape.k, nan), b = TestFixture::filled(shape.k, shape.n, nan);
    EXPECT_TRUE(equal(TestFixture::product(T(0), a, b, T(1), c, algorithm), c)) << to_string(algorithm);
    auto const zero = HostMatrix<T>(shape.m, shape.n);
    EXPECT_TRUE(
        equal(TestFixture::product(T(0), a, b, T(0), TestFixture::filled(shape.m, shape.n, nan), algorithm), zero));
  }
}

TYPED_TEST(MatmulNumerics, ZeroKReadsNothing) {
  using T = typename TestFixture::T;
  auto const c = random_matrix<T>(shape.m, shape.n, 3);
  HostMatrix<T> const a(shape.m, 0), b(0, shape.n);
  HostMatrix<T> doubled = c;
  for (T& value : doubled.values) value += value;
  for (Algorithm const algorithm : own_algorithms) {
    // Not even alpha: there is nothing for it to multiply.
    EXPECT_TRUE(equal(TestFixture::product(TestFixture::nan(), a, b, T(2), c, algorithm), doubled));
    EXPECT_TRUE(equal(
        TestFixture::product(T(1), a, b, T(0), TestFixture::filled(shape.m, shape.n, TestFixture::nan()), algorithm),
        HostMatrix<T>(shape.m, shape.n)));
  }
}

TYPED_TEST(MatmulNumerics, NanScalarsReachEveryElement) {
  using T = typename TestFixture::T;
  auto const a = random_matrix<T>(shape.m, shape.k, 1), b = random_matrix<T>(shape.k, shape.n, 2),
             c = random_matrix<T>(shape.m, shape.n, 3);
  for (Algorithm const algorithm : own_algorithms) {
    for (auto const& result : {TestFixture::product(TestFixture::nan(), a, b, T(1), c, algorithm),
                               TestFixture::product(TestFixture::nan(), a, b, T(0), c, algorithm),
                               TestFixture::product(T(1), a, b, TestFixture::nan(), c, algorithm),
                               TestFixture::product(T(0), a, b, TestFixture::nan(), c, algorithm)}) {
      EXPECT_TRUE(std::all_of(result.values.begin(), result.values.end(), TestFixture::is_nan)) << to_string(algorithm);
    }
  }
}

TYPED_TEST(MatmulNumerics, ANanReachesExactlyItsRowOrColumn) {
  using T = typename TestFixture::T;
  Call<T> const call(shape);
  for (Algorithm const algorithm : own_algorithms) {
    for (std::size_t const at : {std::size_t{0}, std::size_t{18}}) {
      auto a = call.a, b = call.b;
      auto expected = call.reference.values;
      std::size_t const row = 3 * at + 9, col = at + 16;
      a(row, at) = TestFixture::nan();
      b(at, col) = TestFixture::nan();
      for (std::size_t j = 0; j < shape.n; ++j) expected(row, j) = TestFixture::nan();
      for (std::size_t i = 0; i < shape.m; ++i) expected(i, col) = TestFixture::nan();
      EXPECT_TRUE(
          within(TestFixture::product(call.alpha, a, b, call.beta, call.c, algorithm), expected, call.reference.bound))
          << to_string(algorithm);
    }
  }
}

TYPED_TEST(MatmulNumerics, NanInCStaysInItsElement) {
  using T = typename TestFixture::T;
  Call<T> call(shape);
  call.c(66, 34) = call.reference.values(66, 34) = TestFixture::nan();
  call.c(0, 33) = call.reference.values(0, 33) = TestFixture::nan();
  for (Algorithm const algorithm : own_algorithms) {
    EXPECT_TRUE(within(TestFixture::product(call.alpha, call.a, call.b, call.beta, call.c, algorithm),
                       call.reference.values, call.reference.bound))
        << to_string(algorithm);
  }
}

TYPED_TEST(MatmulNumerics, InfinitiesPropagate) {
  using T = typename TestFixture::T;
  if constexpr (!pantile::is_complex_v<T>) {
    T const inf = TestFixture::infinite();
    auto a = TestFixture::filled(shape.m, shape.k, T(1)), b = TestFixture::filled(shape.k, shape.n, T(1));
    auto const c = TestFixture::filled(shape.m, shape.n, T(1));
    a(5, 18) = inf;                  // row 5: infinite
    a(6, 0) = inf, a(6, 18) = -inf;  // row 6: NaN
    b(18, 7) = T(0);                 // inf * 0 = NaN
    auto expected = TestFixture::filled(shape.m, shape.n, T(20));
    for (std::size_t i = 0; i < shape.m; ++i) expected(i, 7) = T(19);
    for (std::size_t j = 0; j < shape.n; ++j) expected(5, j) = inf, expected(6, j) = TestFixture::nan();
    expected(5, 7) = TestFixture::nan();
    for (Algorithm const algorithm : own_algorithms) {
      EXPECT_TRUE(equal(TestFixture::product(T(1), a, b, T(1), c, algorithm), expected)) << to_string(algorithm);
    }
  }
}

TYPED_TEST(MatmulNumerics, SubnormalsAreKept) {
  using T = typename TestFixture::T;
  using Real = typename TestFixture::Real;
  T const tiny(std::numeric_limits<Real>::denorm_min());
  HostMatrix<T> const a = TestFixture::filled(9, 3, tiny), b = TestFixture::filled(3, 9, T(1)),
                      c = TestFixture::filled(9, 9, tiny);
  auto const expected = TestFixture::filled(9, 9, T(8 * std::numeric_limits<Real>::denorm_min()));
  for (Algorithm const algorithm : own_algorithms) {
    EXPECT_TRUE(equal(TestFixture::product(T(2), a, b, T(2), c, algorithm), expected)) << to_string(algorithm);
  }
}

}  // namespace
