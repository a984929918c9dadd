// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The BLAS names under one name each, and the values, operands and results of the tests.

#include <pantile/c/blas.h>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <random>
#include <type_traits>
#include <vector>

namespace pantile::testing::blas {

using Cf = std::complex<float>;
using Cd = std::complex<double>;
using Elements = ::testing::Types<float, double, Cf, Cd>;

template <class T>
inline constexpr bool is_complex = !std::is_floating_point_v<T>;

template <class T>
struct RealOf {
  using type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
  using type = R;
};
/// Copies of complex matrices take pointers to real numbers.
template <class T>
auto* numbers(T* data) {
  using Real = typename RealOf<std::remove_const_t<T>>::type;
  return reinterpret_cast<std::conditional_t<std::is_const_v<T>, Real const, Real>*>(data);
}

#define PANTILE_TEST_REAL(T, LETTER)                                                                                  \
  inline void cblas_gemm(int order, int ta, int tb, int m, int n, int k, T alpha, T const* a, int lda, T const* b,    \
                         int ldb, T beta, T* c, int ldc) {                                                            \
    cblas_##LETTER##gemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                \
  }                                                                                                                   \
  inline void cblas_omatcopy(int order, int trans, int rows, int cols, T alpha, T const* a, int lda, T* b, int ldb) { \
    cblas_##LETTER##omatcopy(order, trans, rows, cols, alpha, a, lda, b, ldb);                                        \
  }                                                                                                                   \
  inline void cblas_imatcopy(int order, int trans, int rows, int cols, T alpha, T* a, int lda, int ldb) {             \
    cblas_##LETTER##imatcopy(order, trans, rows, cols, alpha, a, lda, ldb);                                           \
  }
PANTILE_TEST_REAL(float, s)
PANTILE_TEST_REAL(double, d)

#define PANTILE_TEST_COMPLEX(T, LETTER)                                                                               \
  inline void cblas_gemm(int order, int ta, int tb, int m, int n, int k, T alpha, T const* a, int lda, T const* b,    \
                         int ldb, T beta, T* c, int ldc) {                                                            \
    cblas_##LETTER##gemm(order, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);                              \
  }                                                                                                                   \
  inline void cblas_omatcopy(int order, int trans, int rows, int cols, T alpha, T const* a, int lda, T* b, int ldb) { \
    cblas_##LETTER##omatcopy(order, trans, rows, cols, numbers(&alpha), numbers(a), lda, numbers(b), ldb);            \
  }                                                                                                                   \
  inline void cblas_imatcopy(int order, int trans, int rows, int cols, T alpha, T* a, int lda, int ldb) {             \
    cblas_##LETTER##imatcopy(order, trans, rows, cols, numbers(&alpha), numbers(a), lda, ldb);                        \
  }
PANTILE_TEST_COMPLEX(Cf, c)
PANTILE_TEST_COMPLEX(Cd, z)

#define PANTILE_TEST_FORTRAN(T, LETTER)                                                                              \
  inline void fortran_gemm(char ta, char tb, int m, int n, int k, T alpha, T const* a, int lda, T const* b, int ldb, \
                           T beta, T* c, int ldc) {                                                                  \
    LETTER##gemm_(&ta, &tb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);                                   \
  }                                                                                                                  \
  inline void fortran_omatcopy(char order, char trans, int rows, int cols, T alpha, T const* a, int lda, T* b,       \
                               int ldb) {                                                                            \
    LETTER##omatcopy_(&order, &trans, &rows, &cols, numbers(&alpha), numbers(a), &lda, numbers(b), &ldb);            \
  }                                                                                                                  \
  inline void fortran_imatcopy(char order, char trans, int rows, int cols, T alpha, T* a, int lda, int ldb) {        \
    LETTER##imatcopy_(&order, &trans, &rows, &cols, numbers(&alpha), numbers(a), &lda, &ldb);                        \
  }
PANTILE_TEST_FORTRAN(float, s)
PANTILE_TEST_FORTRAN(double, d)
PANTILE_TEST_FORTRAN(Cf, c)
PANTILE_TEST_FORTRAN(Cd, z)

/// The letter of an operator for each of CBLAS' numbers.
inline char letter_of(int trans) { return "NTCR"[trans - CblasNoTrans]; }
inline bool transposes(int trans) { return trans == CblasTrans || trans == CblasConjTrans; }
inline bool conjugates(int trans) { return trans == CblasConjTrans || trans == CblasConjNoTrans; }

template <class T>
T element(int real, int imaginary) {
  using Real = typename RealOf<T>::type;
  if constexpr (is_complex<T>) {
    return {static_cast<Real>(real), static_cast<Real>(imaginary)};
  } else {
    return static_cast<T>(real);
  }
}

/// \brief  A matrix in memory of its own, with room between its lines. Its elements are small integers, so that sums
///         are exact in any order and results are compared for equality.
template <class T>
struct Operand {
  int order, rows, cols, ld;
  std::vector<T> memory;

  Operand(int order_, int rows_, int cols_, int gap, unsigned seed)
      : order(order_), rows(rows_), cols(cols_), ld(std::max(1, order == CblasColMajor ? rows : cols) + gap) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> digit(-4, 4);
    memory.resize(static_cast<std::size_t>(ld) * (order == CblasColMajor ? cols : rows) + 1);
    for (T& value : memory) value = element<T>(digit(random), digit(random));
  }

  [[nodiscard]] std::size_t offset(int i, int j) const {
    return order == CblasColMajor ? static_cast<std::size_t>(j) * ld + i : static_cast<std::size_t>(i) * ld + j;
  }
  T& operator()(int i, int j) { return memory[offset(i, j)]; }
  T const& operator()(int i, int j) const { return memory[offset(i, j)]; }
};

template <class T>
T operated(Operand<T> const& m, int trans, int i, int j) {
  T const value = transposes(trans) ? m(j, i) : m(i, j);
  if constexpr (is_complex<T>) {
    return conjugates(trans) ? std::conj(value) : value;
  } else {
    return value;
  }
}

/// C = alpha op(A) op(B) + beta C, one element after the other; what lies between the lines stays.
template <class T>
void oracle_gemm(int ta, int tb, int k, T alpha, Operand<T> const& a, Operand<T> const& b, T beta, Operand<T>& c) {
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.cols; ++j) {
      T sum{};
      for (int l = 0; l < k; ++l) sum += operated(a, ta, i, l) * operated(b, tb, l, j);
      c(i, j) = beta == T{} ? alpha * sum : alpha * sum + beta * c(i, j);
    }
  }
}

/// A product of this size with operands of its own, checked. \return whether all of C's memory is as it must be
template <class T>
bool product_is_right(int m, int n, int k, unsigned seed) {
  Operand<T> const a(CblasColMajor, m, k, 1, seed), b(CblasColMajor, k, n, 0, seed + 1);
  Operand<T> c(CblasColMajor, m, n, 2, seed + 2), expected = c;
  oracle_gemm(CblasNoTrans, CblasNoTrans, k, T(2), a, b, T(-1), expected);
  cblas_gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, T(2), a.memory.data(), a.ld, b.memory.data(), b.ld,
             T(-1), c.memory.data(), c.ld);
  return c.memory == expected.memory;
}

}  // namespace pantile::testing::blas
