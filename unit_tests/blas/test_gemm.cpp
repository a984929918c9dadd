// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  ?gemm_ and cblas_?gemm: every operator, order and type against a triple loop, exactly.

#include <blas/routines.hpp>

#include <array>
#include <cstring>
#include <limits>
#include <string>

namespace pantile::testing::blas {
namespace {

constexpr std::array operators{+CblasNoTrans, +CblasTrans, +CblasConjTrans, +CblasConjNoTrans};
constexpr std::array orders{+CblasColMajor, +CblasRowMajor};

struct Size {
  int m, n, k;
};
constexpr std::array sizes{Size{1, 1, 1},    Size{3, 5, 7},    Size{5, 3, 1},   Size{17, 33, 9},
                           Size{64, 64, 64}, Size{70, 65, 97}, Size{1, 200, 3}, Size{150, 1, 40},
                           Size{0, 3, 2},    Size{3, 0, 2},    Size{3, 2, 0},   Size{129, 66, 65}};

template <class T>
struct Gemm : ::testing::Test {
  static constexpr int gap = 3;
  T const alpha = element<T>(2, -1), beta = element<T>(-3, 2);

  static Operand<T> stored(int order, int trans, int rows, int cols, unsigned seed) {
    return transposes(trans) ? Operand<T>(order, cols, rows, gap, seed) : Operand<T>(order, rows, cols, gap, seed);
  }

  /// Runs both faces where the order is Fortran's.
  void check(int order, int ta, int tb, Size size, T a_factor, T c_factor) {
    auto const [m, n, k] = size;
    auto const a = stored(order, ta, m, k, 11), b = stored(order, tb, k, n, 12);
    Operand<T> const before(order, m, n, gap, 13);
    Operand<T> c = before, expected = before;
    oracle_gemm(ta, tb, k, a_factor, a, b, c_factor, expected);
    auto const text = ::testing::Message()
                      << order << " " << letter_of(ta) << letter_of(tb) << " " << m << "x" << n << "x" << k;
    cblas_gemm(order, ta, tb, m, n, k, a_factor, a.memory.data(), a.ld, b.memory.data(), b.ld, c_factor,
               c.memory.data(), c.ld);
    EXPECT_EQ(c.memory, expected.memory) << "cblas " << text;
    if (order != CblasColMajor) return;
    c = before;
    char const small_b = static_cast<char>(letter_of(tb) - 'A' + 'a');
    fortran_gemm(letter_of(ta), small_b, m, n, k, a_factor, a.memory.data(), a.ld, b.memory.data(), b.ld, c_factor,
                 c.memory.data(), c.ld);
    EXPECT_EQ(c.memory, expected.memory) << "Fortran " << text;
  }
};
TYPED_TEST_SUITE(Gemm, Elements);

TYPED_TEST(Gemm, EveryOperatorOrderAndSize) {
  for (int const order : orders) {
    for (int const ta : operators) {
      for (int const tb : operators) {
        for (Size const size : sizes) this->check(order, ta, tb, size, this->alpha, this->beta);
      }
    }
  }
}

TYPED_TEST(Gemm, ScalarsOfZeroAndOne) {
  using T = TypeParam;
  for (int const order : orders) {
    for (T const alpha : {T(0), T(1), this->alpha}) {
      for (T const beta : {T(0), T(1), this->beta}) {
        this->check(order, CblasNoTrans, CblasTrans, {33, 70, 65}, alpha, beta);
      }
    }
  }
}

TYPED_TEST(Gemm, BetaOfZeroNeverReadsC) {
  using T = TypeParam;
  using Real = typename RealOf<T>::type;
  Operand<T> const a(CblasColMajor, 40, 70, 0, 1), b(CblasColMajor, 70, 65, 0, 2);
  for (T const alpha : {T(0), T(3)}) {
    Operand<T> c(CblasColMajor, 40, 65, 0, 3), expected = c;
    oracle_gemm(CblasNoTrans, CblasNoTrans, 70, alpha, a, b, T(0), expected);
    for (int i = 0; i < c.rows; ++i) {
      for (int j = 0; j < c.cols; ++j) c(i, j) = std::numeric_limits<Real>::quiet_NaN();
    }
    cblas_gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 40, 65, 70, alpha, a.memory.data(), a.ld, b.memory.data(),
               b.ld, T(0), c.memory.data(), c.ld);
    EXPECT_EQ(c.memory, expected.memory);
  }
}

TYPED_TEST(Gemm, AlphaOfZeroNeverReadsAAndB) {
  using T = TypeParam;
  Operand<T> c(CblasColMajor, 40, 65, 1, 3), expected = c;
  Operand<T> const nothing(CblasColMajor, 0, 0, 0, 1);
  oracle_gemm(CblasNoTrans, CblasNoTrans, 0, T(0), nothing, nothing, T(2), expected);
  T const* const null = nullptr;
  cblas_gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 40, 65, 7, T(0), null, 40, null, 7, T(2), c.memory.data(),
             c.ld);
  EXPECT_EQ(c.memory, expected.memory);
}

/// A complex number of C and Fortran needs the alignment of its parts only.
TYPED_TEST(Gemm, OperandsBetweenTwoComplexNumbers) {
  using T = TypeParam;
  using Real = typename RealOf<T>::type;
  Operand<T> const a(CblasColMajor, 21, 9, 0, 1), b(CblasColMajor, 9, 17, 0, 2);
  Operand<T> expected(CblasColMajor, 21, 17, 0, 3);
  auto const shifted = [](Operand<T> const& operand) {
    std::vector<Real> memory(operand.memory.size() * (sizeof(T) / sizeof(Real)) + 1);
    std::memcpy(memory.data() + 1, operand.memory.data(), operand.memory.size() * sizeof(T));
    return memory;
  };
  auto const start = [](auto& memory) { return reinterpret_cast<T*>(memory.data() + 1); };
  auto a_memory = shifted(a), b_memory = shifted(b), c_memory = shifted(expected);
  oracle_gemm(CblasNoTrans, CblasNoTrans, 9, this->alpha, a, b, this->beta, expected);
  cblas_gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 21, 17, 9, this->alpha, start(a_memory), a.ld, start(b_memory),
             b.ld, this->beta, start(c_memory), 21);
  EXPECT_EQ(c_memory, shifted(expected));
}

/// Of little work, an element is the same whatever stands beside it: LAPACK's tests compute eigenvalues once with
/// vectors and once without, by products of other shapes, and ask for the same numbers. Signs of zeros may differ.
TYPED_TEST(Gemm, ElementsDoNotDependOnTheOthers) {
  using T = TypeParam;
  using Real = typename RealOf<T>::type;
  constexpr int most = 32, ld = most + 3;
  std::mt19937 random(7);
  std::uniform_real_distribution<Real> number(-1, 1);
  auto const matrix = [&] {
    std::vector<T> memory(std::size_t{ld} * ld);
    for (T& value : memory) {
      value = static_cast<T>(number(random));
      if constexpr (is_complex<T>) value.imag(number(random));
    }
    return memory;
  };
  std::vector<T> const a = matrix(), b = matrix(), before = matrix();
  constexpr std::array extents{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 31};
  T const factor = before[0], share = before[1];
  for (auto const [ta, tb] : {std::array{+CblasNoTrans, +CblasNoTrans},
                              {+CblasTrans, +CblasNoTrans},
                              {+CblasNoTrans, +CblasConjTrans},
                              {+CblasConjTrans, +CblasTrans}}) {
    for (T const beta : {T(0), share}) {
      for (int const k : extents) {
        auto const multiply = [&, ta = ta, tb = tb](int i, int j, int m, int n) {
          std::vector<T> c = before;
          cblas_gemm(CblasColMajor, ta, tb, m, n, k, factor, &a[transposes(ta) ? i * ld : i], ld,
                     &b[transposes(tb) ? j : j * ld], ld, beta, &c[i + j * ld], ld);
          return c;
        };
        std::vector<T> const whole = multiply(0, 0, most, most);
        std::string wrong;
        for (int const m : extents) {
          for (int const n : extents) {
            int const i = most - m, j = n % 2 == 0 ? most - n : 0;
            std::vector<T> const part = multiply(i, j, m, n);
            int differ = 0;
            for (int col = j; col < j + n; ++col) {
              for (int row = i; row < most; ++row) differ += part[row + col * ld] != whole[row + col * ld];
            }
            if (differ > 0)
              wrong += " " + std::to_string(differ) + " of " + std::to_string(m) + "x" + std::to_string(n);
          }
        }
        EXPECT_EQ(wrong, "") << letter_of(ta) << letter_of(tb) << ", k = " << k << ", beta is "
                             << (beta == T(0) ? 0 : 1);
      }
    }
  }
}

/// The same memory as A and B is allowed: neither is written.
TYPED_TEST(Gemm, TwiceTheSameFactor) {
  using T = TypeParam;
  Operand<T> const a(CblasRowMajor, 66, 66, 0, 1);
  Operand<T> c(CblasRowMajor, 66, 66, 0, 2), expected = c;
  oracle_gemm(CblasNoTrans, CblasConjTrans, 66, T(1), a, a, T(0), expected);
  cblas_gemm(CblasRowMajor, CblasNoTrans, CblasConjTrans, 66, 66, 66, T(1), a.memory.data(), a.ld, a.memory.data(),
             a.ld, T(0), c.memory.data(), c.ld);
  EXPECT_EQ(c.memory, expected.memory);
}

/// C has the memory of a column of A that B's zeroes leave out: what the others give, before and behind it, is defined
/// all the same.
TYPED_TEST(Gemm, IntoAColumnOfAThatDoesNotCount) {
  using T = TypeParam;
  for (int const trans : {+CblasNoTrans, +CblasConjNoTrans}) {
    Operand<T> whole(CblasColMajor, 7, 3, 2, 9), expected = whole;
    Operand<T> b(CblasColMajor, 3, 1, 0, 10);
    Operand<T> const a = whole;
    Operand<T> c(CblasColMajor, 7, 1, 2, 11);
    b(1, 0) = T(0);
    oracle_gemm(trans, CblasNoTrans, 3, T(2), a, b, T(0), c);
    for (int i = 0; i < 7; ++i) expected(i, 1) = c(i, 0);
    T* const shared = whole.memory.data() + whole.offset(0, 1);
    cblas_gemm(CblasColMajor, trans, CblasNoTrans, 7, 1, 3, T(2), whole.memory.data(), whole.ld, b.memory.data(), b.ld,
               T(0), shared, whole.ld);
    EXPECT_EQ(whole.memory, expected.memory) << letter_of(trans);
  }
}

/// Blocked factorisations multiply blocks of one matrix into another block of it.
TYPED_TEST(Gemm, BlocksOfOneMatrix) {
  using T = TypeParam;
  Operand<T> whole(CblasColMajor, 90, 90, 2, 5), expected = whole;
  for (int i = 30; i < 90; ++i) {
    for (int j = 30; j < 90; ++j) {
      T sum{};
      for (int l = 0; l < 30; ++l) sum += whole(i, l) * whole(l, j);
      expected(i, j) -= sum;
    }
  }
  auto const at = [&](int i, int j) { return whole.memory.data() + whole.offset(i, j); };
  cblas_gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 60, 60, 30, T(-1), at(30, 0), whole.ld, at(0, 30), whole.ld,
             T(1), at(30, 30), whole.ld);
  EXPECT_EQ(whole.memory, expected.memory);
}

}  // namespace
}  // namespace pantile::testing::blas
