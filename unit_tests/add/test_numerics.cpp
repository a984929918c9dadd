// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What is not read, what propagates, what wraps.
#include <add/cases.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::AddAlgorithm;

template <class TestCase>
class AddNumerics : public ::testing::Test {};
TYPED_TEST_SUITE(AddNumerics, AllCases);

TYPED_TEST(AddNumerics, ZeroScalarsNeverReadTheirOperands) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  auto const x = random_matrix<T>(35, 67, 1), nan = poisoned<T>(35, 67);
  T const two = scalar<T>(2, 1), zero(0);
  for (Algorithm const algorithm : add_algorithms) {
    for (Placement const placement : {Placement::right, Placement::strided}) {
      Placements const at{placement, placement, Placement::padded_right};
      SCOPED_TRACE(to_string(algorithm));
      expect_sum(exec, Sum<T>(zero, nan, two, x), {.algorithm = algorithm}, at);
      expect_sum(exec, Sum<T>(two, x, zero, nan), {.algorithm = algorithm}, at);
      expect_sum(exec, Sum<T>(zero, nan, zero, nan), {.algorithm = algorithm}, at);
    }
  }
}

TYPED_TEST(AddNumerics, NotANumberAndInfinityPropagate) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  if constexpr (!pantile::is_integer_v<T>) {
    auto a = random_matrix<T>(5, 6, 1);
    auto const b = random_matrix<T>(5, 6, 2);
    a(1, 2) = poison<T>();
    a(3, 4) = T(std::numeric_limits<double>::infinity());
    for (Algorithm const algorithm : add_algorithms) {
      Placed<T, Exec> const A("A", a, Placement::right), B("B", b, Placement::right), C("C", 5, 6, Placement::right);
      pantile::add(Exec{}, 1, A.view(), 1, B.view(), C.view(), {.algorithm = algorithm});
      Exec{}.fence();
      auto const c = C.values();
      EXPECT_FALSE(std::isfinite(std::abs(std::complex<double>(pantile::convert<Kokkos::complex<double>>(c(1, 2))))));
      EXPECT_FALSE(std::isfinite(std::abs(std::complex<double>(pantile::convert<Kokkos::complex<double>>(c(3, 4))))));
      EXPECT_TRUE(std::isfinite(std::abs(std::complex<double>(pantile::convert<Kokkos::complex<double>>(c(0, 0))))));
    }
  }
}

TYPED_TEST(AddNumerics, IntegersWrap) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  if constexpr (pantile::is_integer_v<T>) {
    HostMatrix<T> a(1, 3), b(1, 3), expected(1, 3);
    T const most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
    a.values = {most, most, T(5)};
    b.values = {T(1), most, T(7)};
    expected.values = {least, static_cast<T>(T(0) - T(2)), T(12)};
    for (Algorithm const algorithm : add_algorithms) {
      Placed<T, Exec> const A("A", a, Placement::right), B("B", b, Placement::right), C("C", 1, 3, Placement::right);
      pantile::add(Exec{}, 1, A.view(), 1, B.view(), C.view(), {.algorithm = algorithm});
      Exec{}.fence();
      EXPECT_TRUE(equal(C.values(), expected)) << to_string(algorithm);
    }
  }
}

TEST(AddNumericsExact, OneTimesKeepsBits) {
  using Exec = Kokkos::DefaultExecutionSpace;
  double const smallest = std::numeric_limits<double>::denorm_min();
  HostMatrix<double> a(1, 4);
  a.values = {-0.0, smallest, -smallest, 3 * smallest};
  for (Algorithm const algorithm : add_algorithms) {
    Placed<double, Exec> const A("A", a, Placement::right), C("C", 1, 4, Placement::right);
    pantile::add(Exec{}, 1, A.view(), 0, A.view(), C.view(), {.algorithm = algorithm});
    Exec{}.fence();
    auto const c = C.values();
    EXPECT_TRUE(equal(c, a)) << to_string(algorithm);
    EXPECT_TRUE(std::signbit(c(0, 0)));
  }
}

}  // namespace
