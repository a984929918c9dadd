// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  BLAS' routines where leading dimension times lines is beyond 2^32, though each number by itself has 31 bits.
#include <blas/routines.hpp>
#include <support/sparse.hpp>

#include <cstdint>
#include <cstdlib>

namespace pantile::testing::blas {
namespace {

constexpr int ld = static_cast<int>(far_apart);
constexpr int m = 67, n = 71, k = 69;
static_assert(std::int64_t{m - 1} * ld > std::int64_t{1} << 32);

/// A small integer that tells its place.
template <class T>
T value(std::int64_t i, std::int64_t j) {
  return element<T>(static_cast<int>((7 * i + 3 * j) % 11) - 5, static_cast<int>((3 * i + 5 * j) % 7) - 3);
}

/// rows x cols, lines far apart.
template <class T>
struct Far {
  SparseMemory memory{far_span(72) * static_cast<std::int64_t>(sizeof(T))};
  int order;
  T* data = memory.template as<T>();

  explicit Far(int order_) : order(order_) {}
  T& operator()(std::int64_t i, std::int64_t j) const {
    return data[order == CblasColMajor ? j * std::int64_t{ld} + i : i * std::int64_t{ld} + j];
  }
  void fill(int rows, int cols, int shift) const {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) (*this)(i, j) = value<T>(i + shift, j);
    }
  }
};

template <class T>
struct FarBlas : ::testing::Test {};
TYPED_TEST_SUITE(FarBlas, Elements);

TYPED_TEST(FarBlas, Gemm) {
  using T = TypeParam;
  for (int const order : {+CblasColMajor, +CblasRowMajor}) {
    for (int const trans : {+CblasNoTrans, +CblasTrans}) {
      Far<T> const a(order), b(order), c(order);
      if (!a.data || !b.data || !c.data) GTEST_SKIP() << "no address space";
      bool const transposed = transposes(trans);
      a.fill(transposed ? k : m, transposed ? m : k, 0);
      b.fill(transposed ? n : k, transposed ? k : n, 4);
      c.fill(m, n, 9);
      cblas_gemm(order, trans, trans, m, n, k, T(2), a.data, ld, b.data, ld, T(3), c.data, ld);
      std::int64_t wrong = 0;
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
          T sum{};
          for (int l = 0; l < k; ++l) {
            sum += transposed ? value<T>(l, i) * value<T>(j + 4, l) : value<T>(i, l) * value<T>(l + 4, j);
          }
          wrong += c(i, j) == T(2) * sum + T(3) * value<T>(i + 9, j) ? 0 : 1;
        }
      }
      EXPECT_EQ(wrong, 0) << order << " " << letter_of(trans);
    }
  }
}

TYPED_TEST(FarBlas, CopiesOutOfPlaceAndInPlace) {
  using T = TypeParam;
  for (int const order : {+CblasColMajor, +CblasRowMajor}) {
    for (int const trans : {+CblasNoTrans, +CblasTrans, +CblasConjTrans}) {
      for (T const alpha : {T(1), T(2)}) {
        Far<T> const a(order), b(order);
        if (!a.data || !b.data) GTEST_SKIP() << "no address space";
        auto const wrong = [&](Far<T> const& x) {
          std::int64_t count = 0;
          for (int i = 0; i < m; ++i) {
            for (int j = 0; j < n; ++j) {
              T expected = alpha * value<T>(i, j);
              if constexpr (is_complex<T>) expected = conjugates(trans) ? std::conj(expected) : expected;
              count += (transposes(trans) ? x(j, i) : x(i, j)) == expected ? 0 : 1;
            }
          }
          return count;
        };
        a.fill(m, n, 0);
        cblas_omatcopy(order, trans, m, n, alpha, a.data, ld, b.data, ld);
        EXPECT_EQ(wrong(b), 0) << order << " " << letter_of(trans) << " " << alpha;
        cblas_imatcopy(order, trans, m, n, alpha, a.data, ld, ld);
        EXPECT_EQ(wrong(a), 0) << "in place, " << order << " " << letter_of(trans) << " " << alpha;
      }
    }
  }
}

}  // namespace
}  // namespace pantile::testing::blas
