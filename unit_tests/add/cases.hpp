// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the add tests share: the oracle with its bound, operands, one call compared with it.

#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/oracle.hpp>
#include <support/spaces.hpp>

#include <pantile/add.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace pantile::testing {

inline constexpr AddAlgorithm add_algorithms[] = {AddAlgorithm::automatic, AddAlgorithm::naive,
                                                  AddAlgorithm::grid_stride, AddAlgorithm::tiled};

struct Shape {
  std::size_t rows, cols;
};

inline std::string to_string(Shape const& s) { return std::to_string(s.rows) + "x" + std::to_string(s.cols); }

/// A scalar with all its parts in use: complex where T is.
template <class T>
T scalar(int real, int imag) {
  if constexpr (is_complex_v<T>) {
    return T(static_cast<typename T::value_type>(real), static_cast<typename T::value_type>(imag));
  } else {
    return static_cast<T>(real);
  }
}

/// \brief  alpha A + beta B in wide arithmetic; operands whose scalar is zero are not read.
///
/// Bound: two products and a sum are three roundings, componentwise gamma_3 (|alpha| |A| + |beta| |B|), with the factor
/// for complex products (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections 3.5 and 3.6).
template <class T>
Reference<T> reference_add(T alpha, HostMatrix<T> const& a, T beta, HostMatrix<T> const& b) {
  using W = Wide<T>;
  using V = typename W::type;
  auto const magnitude = [](V const& v) {
    if constexpr (std::is_integral_v<V>)
      return 0.0L;
    else
      return std::abs(v);
  };
  double const u = unit_roundoff<T>() * (is_complex_v<T> ? 2 * std::sqrt(2.0) : 1);
  double const gamma = 3 * u / (1 - 3 * u);
  Reference<T> result{HostMatrix<T>(a.rows, a.cols), HostMatrix<double>(a.rows, a.cols)};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.cols; ++j) {
      V const left = alpha == T(0) ? V(0) : W::of(alpha) * W::of(a(i, j));
      V const right = beta == T(0) ? V(0) : W::of(beta) * W::of(b(i, j));
      result.values(i, j) = rounded_to<T>(left + right);
      result.bound(i, j) = static_cast<double>(gamma * (magnitude(left) + magnitude(right)));
    }
  }
  return result;
}

/// Matrix of poison: what is not to be read.
template <class T>
HostMatrix<T> poisoned(std::size_t rows, std::size_t cols) {
  HostMatrix<T> result(rows, cols);
  for (T& value : result.values) value = poison<T>();
  return result;
}

/// Where the three operands of a call lie; the i-th of all 125 triples.
struct Placements {
  Placement a = Placement::right, b = Placement::right, c = Placement::right;
};
inline Placements placements(std::size_t i) {
  return {all_placements[i % 5], all_placements[i / 5 % 5], all_placements[i / 25 % 5]};
}

/// The operands of one call and what must come out.
template <class T>
struct Sum {
  T alpha;
  HostMatrix<T> a;
  T beta;
  HostMatrix<T> b;
  Reference<T> reference;

  Sum(T alpha_, HostMatrix<T> const& a_, T beta_, HostMatrix<T> const& b_)
      : alpha(alpha_), a(a_), beta(beta_), b(b_), reference(reference_add(alpha, a, beta, b)) {}
};

/// C = alpha A + beta B over a poisoned C: C must be right, A, B and what lies around C as they were.
template <class Exec, class T>
void expect_sum(Exec const& exec, Sum<T> const& sum, AddOptions const& options, Placements const& at = {}) {
  Placed<T, Exec> const A("A", sum.a, at.a), B("B", sum.b, at.b), C("C", poisoned<T>(sum.a.rows, sum.a.cols), at.c);
  pantile::add(exec, sum.alpha, A.view(), sum.beta, B.view(), C.view(), options);
  exec.fence();
  EXPECT_TRUE(within(C.values(), sum.reference.values, sum.reference.bound));
  EXPECT_TRUE(C.surroundings_intact());
  EXPECT_TRUE(equal(A.values(), sum.a));
  EXPECT_TRUE(equal(B.values(), sum.b));
}

}  // namespace pantile::testing
