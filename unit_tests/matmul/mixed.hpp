// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  One mixed call of every algorithm, compared with the reference in the accumulator's type.

#include <matmul/cases.hpp>

#include <type_traits>

namespace pantile::testing {

using impl::CompilerBrain;
using impl::CompilerHalf;

/// Is there such a type of 16 bits?
template <class T>
inline constexpr bool is_there = !std::is_same_v<T, impl::NoSuchType> && !std::is_same_v<T, float>;

template <class To, class From>
HostMatrix<To> converted(HostMatrix<From> const& x) {
  HostMatrix<To> result(x.rows, x.cols);
  for (std::size_t i = 0; i < x.values.size(); ++i) result.values[i] = convert<To>(x.values[i]);
  return result;
}

/// How far rounding to C's type may move a value of the accumulator.
template <class TC, class Accumulator>
double rounding(Accumulator const& value) {
  return unit_roundoff<TC>() * (1 + detail::distance(value, Accumulator(0)));
}

/// C against the reference: integers in C's type, since they wrap; else in the accumulator's, so that C is rounded
/// once.
template <class TC, class Accumulator>
::testing::AssertionResult right(HostMatrix<TC> const& c, Reference<Accumulator> const& reference) {
  if constexpr (is_integer_v<TC>) {
    return within(c, converted<TC>(reference.values), reference.bound);
  } else {
    HostMatrix<double> bound = reference.bound;
    for (std::size_t i = 0; i < bound.values.size(); ++i) bound.values[i] += rounding<TC>(reference.values.values[i]);
    return within(converted<Accumulator>(c), reference.values, bound);
  }
}

/// All algorithms and three mixes of layouts for A of TA, B of TB, C of TC, summed in Accumulator.
template <class TA, class TB, class TC, class Accumulator = default_accumulator_t<TA, TB, TC>, class Scalar>
void expect_mixed_right(Scalar alpha, Scalar beta, Shape s = {19, 21, 35}) {
  using Exec = Kokkos::DefaultExecutionSpace;
  auto const a = random_matrix<TA>(s.m, s.k, 1);
  auto const b = random_matrix<TB>(s.k, s.n, 2);
  auto const c = random_matrix<TC>(s.m, s.n, 3);
  auto const reference =
      reference_matmul(convert<Accumulator>(alpha), converted<Accumulator>(a), converted<Accumulator>(b),
                       convert<Accumulator>(beta), converted<Accumulator>(c));
  for (MatmulAlgorithm const algorithm : own_algorithms) {
    for (Placements const at : {Placements{}, Placements{Placement::left, Placement::right, Placement::left},
                                Placements{Placement::strided, Placement::left, Placement::padded_left}}) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + to_string(at));
      Placed<TA, Exec> const A("A", a, at.a);
      Placed<TB, Exec> const B("B", b, at.b);
      Placed<TC, Exec> const C("C", c, at.c);
      pantile::matmul<Accumulator>(Exec{}, alpha, A.view(), B.view(), beta, C.view(), {.algorithm = algorithm});
      Exec{}.fence();
      EXPECT_TRUE(right(C.values(), reference));
      EXPECT_TRUE(C.surroundings_intact());
    }
  }
}

}  // namespace pantile::testing
