// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  omatcopy and imatcopy: every operator, order and type element by element, exactly.

#include <blas/routines.hpp>

#include <array>
#include <limits>
#include <utility>

namespace pantile::testing::blas {
namespace {

constexpr std::array operators{+CblasNoTrans, +CblasTrans, +CblasConjTrans, +CblasConjNoTrans};
constexpr std::array orders{+CblasColMajor, +CblasRowMajor};
constexpr std::array<std::pair<int, int>, 8> shapes{
    {{1, 1}, {3, 5}, {40, 1}, {1, 40}, {33, 33}, {65, 130}, {300, 290}, {0, 4}}};

char order_letter(int order) { return order == CblasColMajor ? 'C' : 'r'; }

template <class T>
struct Copies : ::testing::Test {
  std::array<T, 3> const factors{T(0), T(1), element<T>(3, -2)};

  static T expected_element(Operand<T> const& a, int trans, T alpha, int i, int j) {
    return alpha == T{} ? T{} : alpha * operated(a, trans, i, j);
  }

  static void check_out_of_place(int order, int trans, int rows, int cols, T alpha) {
    Operand<T> const a(order, rows, cols, 2, 1);
    bool const transposed = transposes(trans);
    Operand<T> const before(order, transposed ? cols : rows, transposed ? rows : cols, 5, 2);
    Operand<T> expected = before;
    for (int i = 0; i < expected.rows; ++i) {
      for (int j = 0; j < expected.cols; ++j) expected(i, j) = expected_element(a, trans, alpha, i, j);
    }
    auto const text = ::testing::Message()
                      << order << " " << letter_of(trans) << " " << rows << "x" << cols << " " << alpha;
    Operand<T> b = before;
    cblas_omatcopy(order, trans, rows, cols, alpha, a.memory.data(), a.ld, b.memory.data(), b.ld);
    EXPECT_EQ(b.memory, expected.memory) << "cblas " << text;
    b = before;
    fortran_omatcopy(order_letter(order), letter_of(trans), rows, cols, alpha, a.memory.data(), a.ld, b.memory.data(),
                     b.ld);
    EXPECT_EQ(b.memory, expected.memory) << "Fortran " << text;
  }

  /// \param same_ld  the lines of the result are as far apart as those of A, where that is possible
  static void check_in_place(int order, int trans, int rows, int cols, T alpha, bool same_ld) {
    Operand<T> const a(order, rows, cols, 2, 1);
    bool const transposed = transposes(trans);
    int const new_rows = transposed ? cols : rows, new_cols = transposed ? rows : cols;
    Operand<T> expected(order, new_rows, new_cols, 4, 2);
    if (same_ld && a.ld >= expected.ld - 4) expected.ld = a.ld;
    // One memory for both: what the result does not cover keeps A's old values.
    std::size_t const lines = static_cast<std::size_t>(order == CblasColMajor ? new_cols : new_rows);
    expected.memory = a.memory;
    expected.memory.resize(std::max(a.memory.size(), lines * static_cast<std::size_t>(expected.ld)), T(7));
    std::vector<T> memory = expected.memory;
    for (int i = 0; i < new_rows; ++i) {
      for (int j = 0; j < new_cols; ++j) expected(i, j) = expected_element(a, trans, alpha, i, j);
    }
    std::vector<T> const before = memory;
    auto const text = ::testing::Message() << order << " " << letter_of(trans) << " " << rows << "x" << cols << " "
                                           << alpha << " ld " << a.ld << " to " << expected.ld;
    cblas_imatcopy(order, trans, rows, cols, alpha, memory.data(), a.ld, expected.ld);
    EXPECT_EQ(memory, expected.memory) << "cblas " << text;
    memory = before;
    fortran_imatcopy(order_letter(order), letter_of(trans), rows, cols, alpha, memory.data(), a.ld, expected.ld);
    EXPECT_EQ(memory, expected.memory) << "Fortran " << text;
  }
};
TYPED_TEST_SUITE(Copies, Elements);

TYPED_TEST(Copies, OutOfPlace) {
  for (int const order : orders) {
    for (int const trans : operators) {
      for (auto const [rows, cols] : shapes) {
        for (TypeParam const alpha : this->factors) this->check_out_of_place(order, trans, rows, cols, alpha);
      }
    }
  }
}

TYPED_TEST(Copies, InPlace) {
  for (int const order : orders) {
    for (int const trans : operators) {
      for (auto const [rows, cols] : shapes) {
        for (TypeParam const alpha : this->factors) {
          this->check_in_place(order, trans, rows, cols, alpha, true);
          this->check_in_place(order, trans, rows, cols, alpha, false);
        }
      }
    }
  }
}

TYPED_TEST(Copies, AlphaOfZeroNeverReadsA) {
  using T = TypeParam;
  using Real = typename RealOf<T>::type;
  std::vector<T> a(300 * 300, T(std::numeric_limits<Real>::quiet_NaN())), b = a;
  cblas_omatcopy(CblasColMajor, CblasConjTrans, 300, 300, T(0), a.data(), 300, b.data(), 300);
  EXPECT_EQ(b, std::vector<T>(300 * 300));
  cblas_imatcopy(CblasColMajor, CblasConjTrans, 300, 300, T(0), a.data(), 300, 300);
  EXPECT_EQ(a, std::vector<T>(300 * 300));
}

}  // namespace
}  // namespace pantile::testing::blas
