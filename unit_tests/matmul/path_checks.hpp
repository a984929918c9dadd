// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Every way of the table with its operands between inaccessible pages: results, what is never read, NaN,
///        infinities and subnormal numbers. Elements are small integers times a power of two, so that results are exact
///        in any order.

#include <matmul/path_cases.hpp>
#include <support/guarded.hpp>
#include <support/numbers.hpp>

#include <pantile/matmul.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace pantile::testing {

template <class T>
Number number_of(T const& x) {
  if constexpr (is_complex_v<T>) {
    return {static_cast<double>(x.real()), static_cast<double>(x.imag())};
  } else {
    return static_cast<double>(x);
  }
}

/// Rounded once, by way of the accumulator's type; integers modulo 2^w.
template <class T>
T element_of(Number const& x) {
  if constexpr (is_complex_v<T>) {
    using Real = typename T::value_type;
    return T(static_cast<Real>(x.real()), static_cast<Real>(x.imag()));
  } else if constexpr (is_integer_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(x.real()));
  } else if constexpr (sizeof(T) < sizeof(float)) {
    return convert<T>(static_cast<float>(x.real()));
  } else {
    return static_cast<T>(x.real());
  }
}

/// Exponent of the smallest subnormal number.
template <class T>
constexpr int least_exponent() {
  using Real = typename impl::RealOf<T>::type;
  if constexpr (impl::is_half<Real>) return -24;
  if constexpr (impl::is_brain<Real>) return -133;
  return std::is_same_v<Real, double> ? -1074 : -149;
}

/// Element (i, j), where rows or columns may be one and the same.
inline void put(Numbers& x, Storage storage, Index i, Index j, Number const& value) {
  bool const all_rows = storage == Storage::flat, all_cols = storage == Storage::repeated;
  for (Index r = all_rows ? 0 : i; r < (all_rows ? x.rows : i + 1); ++r) {
    for (Index c = all_cols ? 0 : j; c < (all_cols ? x.cols : j + 1); ++c) x(r, c) = value;
  }
}

/// Small integers that T has: from -2 to 2, of integers of 8 bits all. Few of them are other than zero where a row is
/// long, so that references are cheap: about `dense` in a row.
template <class T>
Numbers small_integers(Index rows, Index cols, Storage storage, std::uint64_t seed, Index dense = Index{1} << 40) {
  Numbers result(rows, cols);
  if (result.values.empty()) return result;
  auto const next = [&] {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return seed >> 40;
  };
  auto const digit = [&] {
    if (dense < cols && next() % static_cast<std::uint64_t>(cols) >= static_cast<std::uint64_t>(dense)) return 0.0;
    if constexpr (sizeof(T) == 1)
      return static_cast<double>(next() % 256) + static_cast<double>(std::numeric_limits<T>::min());
    return static_cast<double>(next() % 5) - (std::is_unsigned_v<T> ? 0.0 : 2.0);
  };
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) result(i, j) = is_complex_v<T> ? Number(digit(), digit()) : Number(digit());
  }
  for (Index i = 0; i < rows && storage == Storage::repeated; ++i) put(result, storage, i, 0, result(i, 0));
  for (Index j = 0; j < cols && storage == Storage::flat; ++j) put(result, storage, 0, j, result(0, j));
  return result;
}

/// As `agree`, for elements.
template <class T>
bool agrees(T const& actual, T const& expected) {
  if constexpr (is_integer_v<T>) return actual == expected;
  return agree<is_complex_v<T>>(number_of(actual), number_of(expected), true);
}

/// One case: its operands, op(A) op(B) of them, and calls on copies of them between inaccessible pages.
template <class T>
class PathRun {
 public:
  using TA = typename T::TA;
  using TB = typename T::TB;
  using TC = typename T::TC;
  using Accumulator = typename T::Accumulator;
  using Guarded = GuardedMatrix<TC>;
  template <class E>
  using View = Kokkos::View<E**, Kokkos::LayoutStride, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr bool is_complex = is_complex_v<Accumulator>;

  PathCase const x;
  Op const op_a, op_b;
  Numbers a, b, c;  ///< op(A), op(B) and C

  PathRun(PathCase const& x_, int number)
      : x(x_),
        op_a(static_cast<Op>(number % 4)),
        op_b(static_cast<Op>(number / 4 % 4)),
        a(small_integers<TA>(x.m, x.k, x.a, 1, 24)),
        b(small_integers<TB>(x.k, x.n, x.b, 2)),
        c(small_integers<TC>(x.m, x.n, x.c, 3)) {}

  [[nodiscard]] Numbers sums() const { return product<is_complex>(a, b); }

  /// C after alpha op(A) op(B) + beta C of these values, and whether all around it was left alone.
  ::testing::AssertionResult gives(Guard guard, Number alpha, Numbers const& va, Numbers const& vb, Number beta,
                                   Numbers const& vc, Numbers const& expected) const {
    GuardedMatrix<TA> A("A", size(x.m), size(x.k), strides(x.a, x.m, x.k), guard);
    GuardedMatrix<TB> B("B", size(x.k), size(x.n), strides(x.b, x.k, x.n), guard);
    Guarded C("C", size(x.m), size(x.n), strides(x.c, x.m, x.n), guard);
    A.fill([&](std::size_t i, std::size_t j) { return stored<TA>(op_a, va(Index(i), Index(j))); });
    B.fill([&](std::size_t i, std::size_t j) { return stored<TB>(op_b, vb(Index(i), Index(j))); });
    C.fill([&](std::size_t i, std::size_t j) { return element_of<TC>(vc(Index(i), Index(j))); });
    pantile::matmul<Accumulator>(Host{}, element_of<Accumulator>(alpha), view<TA const>(A, op_a),
                                 view<TB const>(B, op_b), element_of<Accumulator>(beta), view<TC>(C, Op::none),
                                 {.op_a = op_a, .op_b = op_b, .algorithm = x.algorithm});
    Host{}.fence();
    for (Index i = 0; i < x.m; ++i) {
      for (Index j = 0; j < x.n; ++j) {
        auto const actual = C(size(i), size(j)), wanted = element_of<TC>(expected(i, j));
        if (!agrees(actual, wanted)) {
          return ::testing::AssertionFailure()
                 << "element (" << i << "," << j << ") is " << number_of(actual) << " instead of " << number_of(wanted);
        }
      }
    }
    if (!C.gaps_intact()) return ::testing::AssertionFailure() << "written between or around the elements of C";
    return ::testing::AssertionSuccess();
  }

  /// alpha S + beta C, C not read where beta is zero.
  static Numbers update(Number alpha, Numbers const& s, Number beta, Numbers const& c_before) {
    Numbers result(s.rows, s.cols);
    for (std::size_t i = 0; i < result.values.size(); ++i) {
      result.values[i] = times<is_complex>(alpha, s.values[i]);
      if (beta != 0.0) result.values[i] += times<is_complex>(beta, c_before.values[i]);
    }
    return result;
  }

  static Numbers scaled(Numbers x_, int exponent) {
    for (Number& value : x_.values) value = {std::ldexp(value.real(), exponent), std::ldexp(value.imag(), exponent)};
    return x_;
  }
  static Numbers filled(Index rows, Index cols, double value) {
    Numbers result(rows, cols);
    for (Number& element : result.values) element = is_complex_v<TC> ? Number(value, value) : Number(value);
    return result;
  }

  /// Factors with both parts in use.
  static Number factor(double re, double im) { return is_complex ? Number(re, im) : Number(re); }

 private:
  static std::size_t size(Index extent) { return static_cast<std::size_t>(extent); }
  static Strides strides(Storage storage, Index rows, Index cols) {
    Distance const d = distance_of(storage, rows, cols);
    return {size(d.row), size(d.col)};
  }
  template <class E>
  static E stored(Op op, Number const& value) {
    return element_of<E>(conjugates(op) ? std::conj(value) : value);
  }
  /// Of what the operator makes the wanted matrix of.
  template <class E, class Matrix>
  static View<E> view(Matrix const& m, Op op) {
    if (transposes(op)) return View<E>(m.data(), Kokkos::LayoutStride(m.cols, m.strides.col, m.rows, m.strides.row));
    return View<E>(m.data(), Kokkos::LayoutStride(m.rows, m.strides.row, m.cols, m.strides.col));
  }
};

}  // namespace pantile::testing
