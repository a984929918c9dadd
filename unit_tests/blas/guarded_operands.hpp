// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Operands of BLAS between inaccessible pages, at addresses that are a multiple of an element's size or only of
///        a real number's, and the numbers that they are filled with.

#include <blas/routines.hpp>
#include <support/guarded.hpp>
#include <support/numbers.hpp>

#include <limits>
#include <string>

namespace pantile::testing::blas {

template <class T>
inline constexpr int least_exponent = sizeof(typename RealOf<T>::type) == 4 ? -149 : -1074;

template <class T>
Number number_of(T const& x) {
  if constexpr (is_complex<T>) {
    return {static_cast<double>(x.real()), static_cast<double>(x.imag())};
  } else {
    return static_cast<double>(x);
  }
}
template <class T>
T element_of(Number const& x) {
  using Real = typename RealOf<T>::type;
  if constexpr (is_complex<T>) {
    return {static_cast<Real>(x.real()), static_cast<Real>(x.imag())};
  } else {
    return static_cast<T>(x.real());
  }
}

/// Where an operand lies between its pages.
struct Place {
  Guard guard;
  bool odd;  ///< complex elements at an odd multiple of a real number's size

  template <class T>
  [[nodiscard]] std::size_t gap() const {
    return odd && is_complex<T> ? sizeof(T) / 2 : 0;
  }
};
inline constexpr Place places[] = {
    {Guard::behind, false}, {Guard::before, false}, {Guard::behind, true}, {Guard::before, true}};

inline std::string to_string(Place const& place) {
  return std::string(testing::to_string(place.guard)) + (place.odd ? ", odd address" : "");
}

/// Small integers, in both parts where T has two.
template <class T>
Numbers small_integers(Index rows, Index cols, std::uint64_t seed) {
  Numbers result(rows, cols);
  auto const digit = [&] {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(seed >> 40 & 3U) - 1.5 > 0 ? 2.0 : static_cast<double>(seed >> 50 & 3U) - 2.0;
  };
  for (Number& value : result.values) {
    double const re = digit(), im = digit();
    value = is_complex<T> ? Number(re, im) : Number(re);
  }
  return result;
}
template <class T>
Numbers filled(Index rows, Index cols, double value) {
  Numbers result(rows, cols);
  for (Number& x : result.values) x = is_complex<T> ? Number(value, value) : Number(value);
  return result;
}
inline Numbers scaled(Numbers x, int exponent) {
  for (Number& value : x.values) value = {std::ldexp(value.real(), exponent), std::ldexp(value.imag(), exponent)};
  return x;
}

/// op(X), or X from op(X): transposition and conjugation undo themselves.
inline Numbers operated(Numbers const& x, int trans) {
  Numbers result(transposes(trans) ? x.cols : x.rows, transposes(trans) ? x.rows : x.cols);
  for (Index i = 0; i < result.rows; ++i) {
    for (Index j = 0; j < result.cols; ++j) {
      Number const value = transposes(trans) ? x(j, i) : x(i, j);
      result(i, j) = conjugates(trans) ? std::conj(value) : value;
    }
  }
  return result;
}

/// alpha S + beta C; C is not read where beta is zero.
template <class T>
Numbers update(Number alpha, Numbers const& s, Number beta, Numbers const& c) {
  Numbers result(s.rows, s.cols);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.values[i] = times<is_complex<T>>(alpha, s.values[i]);
    if (beta != 0.0) result.values[i] += times<is_complex<T>>(beta, c.values[i]);
  }
  return result;
}

/// A matrix in one of BLAS' orders, its lines `room` elements further apart than they are long.
template <class T>
struct GuardedOperand : GuardedMatrix<T> {
  int const ld;

  GuardedOperand(std::string const& name, int order, Numbers const& values, int room, Place place)
      : GuardedMatrix<T>(name, size(values.rows), size(values.cols), strides(order, values, room), place.guard,
                         place.gap<T>()),
        ld(static_cast<int>(line(order, values)) + room) {
    this->fill([&](std::size_t i, std::size_t j) { return element_of<T>(values(Index(i), Index(j))); });
  }

 private:
  static std::size_t size(Index extent) { return static_cast<std::size_t>(extent); }
  static Index line(int order, Numbers const& values) {
    return std::max<Index>(1, order == CblasColMajor ? values.rows : values.cols);
  }
  static Strides strides(int order, Numbers const& values, int room) {
    std::size_t const apart = size(line(order, values) + room);
    return order == CblasColMajor ? Strides{1, apart} : Strides{apart, 1};
  }
};

/// Are the elements those, and was nothing else written?
template <class T>
::testing::AssertionResult holds(GuardedMatrix<T> const& actual, Numbers const& expected) {
  for (Index i = 0; i < expected.rows; ++i) {
    for (Index j = 0; j < expected.cols; ++j) {
      Number const is = number_of(actual(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
      Number const wanted = number_of(element_of<T>(expected(i, j)));
      if (!agree<is_complex<T>>(is, wanted)) {
        return ::testing::AssertionFailure()
               << "element (" << i << "," << j << ") is " << is << " instead of " << wanted;
      }
    }
  }
  if (!actual.gaps_intact()) return ::testing::AssertionFailure() << "written between or around the elements";
  return ::testing::AssertionSuccess();
}

}  // namespace pantile::testing::blas
