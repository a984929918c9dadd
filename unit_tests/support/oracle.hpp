// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Serial references with a wider accumulator, and the bounds that theory gives.

#include <support/matrices.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace pantile::testing {

/// Type in which a reference sums: long double (64-bit mantissa) for reals, 64 unsigned bits for integers.
template <class T>
struct Wide {
  using type = std::conditional_t<is_integer_v<T>, std::uint64_t, long double>;
  static type of(T const& value) { return static_cast<type>(value); }
};
template <class Real>
struct Wide<Kokkos::complex<Real>> {
  using type = std::complex<long double>;
  static type of(Kokkos::complex<Real> const& value) { return {value.real(), value.imag()}; }
};

template <class T>
T rounded_to(typename Wide<T>::type const& value) {
  if constexpr (is_complex_v<T>) {
    using Real = typename T::value_type;
    return T(static_cast<Real>(value.real()), static_cast<Real>(value.imag()));
  } else {
    return static_cast<T>(value);
  }
}

/// Unit roundoff of the type in which sums of T are formed; zero for integers.
template <class T>
double unit_roundoff() {
  if constexpr (is_integer_v<T>) {
    return 0;
  } else if constexpr (impl::is_half<T> || impl::is_brain<T>) {  // std::numeric_limits knows them from C++23 on only
    return impl::is_half<T> ? 0x1p-11 : 0x1p-8;
  } else if constexpr (is_complex_v<T>) {
    return std::numeric_limits<typename T::value_type>::epsilon() / 2;
  } else {
    return static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  }
}

/// A result and, element by element, how far a correct one may be from it.
template <class T>
struct Reference {
  HostMatrix<T> values;
  HostMatrix<double> bound;
};

/// \brief  alpha A B + beta C in wide arithmetic.
///
/// Bound: N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.5: componentwise
/// gamma_{k+3} (|alpha| |A| |B| + |beta| |C|), gamma_n = n u / (1 - n u), with two more roundings for complex products
/// (Higham, lemma 3.5: sqrt(2) gamma_2 each). Integers: zero.
template <class T>
Reference<T> reference_matmul(T alpha, HostMatrix<T> const& a, HostMatrix<T> const& b, T beta, HostMatrix<T> const& c) {
  using W = Wide<T>;
  using V = typename W::type;
  auto const magnitude = [](V const& v) {
    if constexpr (std::is_integral_v<V>)
      return 0.0L;
    else
      return std::abs(v);
  };
  // Once for each element: roots of complex ones take longer than their products.
  auto const of_all = [](HostMatrix<T> const& x, auto const& f) {
    std::vector<decltype(f(V{}))> all;
    for (T const& value : x.values) all.push_back(f(W::of(value)));
    return all;
  };
  auto const itself = [](V const& v) { return v; };
  auto const wide_a = of_all(a, itself), wide_b = of_all(b, itself);
  auto const size_a = of_all(a, magnitude), size_b = of_all(b, magnitude);
  std::size_t const k = a.cols;
  double const u = unit_roundoff<T>() * (is_complex_v<T> ? 2 * std::sqrt(2.0) : 1);
  double const n = static_cast<double>(k) + 3;
  double const gamma = n * u / (1 - n * u);
  Reference<T> result{HostMatrix<T>(a.rows, b.cols), HostMatrix<double>(a.rows, b.cols)};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.cols; ++j) {
      V sum(0);
      long double size = 0;
      for (std::size_t l = 0; l < k; ++l) {
        sum += wide_a[i * k + l] * wide_b[l * b.cols + j];
        size += size_a[i * k + l] * size_b[l * b.cols + j];
      }
      V total = k == 0 || alpha == T(0) ? V(0) : W::of(alpha) * sum;
      if (!(beta == T(0))) total += W::of(beta) * W::of(c(i, j));
      long double const scale =
          magnitude(W::of(alpha)) * size + (beta == T(0) ? 0.0L : magnitude(W::of(beta)) * magnitude(W::of(c(i, j))));
      result.values(i, j) = rounded_to<T>(total);
      result.bound(i, j) = static_cast<double>(gamma * scale);
    }
  }
  return result;
}

/// Of most types optimised, in the support library (oracle.cpp): tests are not.
#define PANTILE_TEST_REFERENCE_MATMUL(KEYWORD, T)                                                  \
  KEYWORD template Reference<T> reference_matmul(T, HostMatrix<T> const&, HostMatrix<T> const&, T, \
                                                 HostMatrix<T> const&);
#define PANTILE_TEST_REFERENCES(KEYWORD)                          \
  PANTILE_TEST_REFERENCE_MATMUL(KEYWORD, float)                   \
  PANTILE_TEST_REFERENCE_MATMUL(KEYWORD, double)                  \
  PANTILE_TEST_REFERENCE_MATMUL(KEYWORD, Kokkos::complex<float>)  \
  PANTILE_TEST_REFERENCE_MATMUL(KEYWORD, Kokkos::complex<double>) \
  PANTILE_TEST_REFERENCE_MATMUL(KEYWORD, std::int32_t)            \
  PANTILE_TEST_REFERENCE_MATMUL(KEYWORD, std::int64_t)            \
  PANTILE_TEST_REFERENCE_MATMUL(KEYWORD, std::uint32_t)
PANTILE_TEST_REFERENCES(extern)

}  // namespace pantile::testing
