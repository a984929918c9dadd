// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Bad arguments: the program's own xerbla_ and cblas_xerbla hear the routine and the position that the
///        reference BLAS gives, and nothing is written.

#include <blas/routines.hpp>

#include <climits>
#include <string>

namespace {

struct Report {
  std::string routine;
  int position = 0;
  int row_major = 0;
  int calls = 0;
};
Report report;

}  // namespace

// These take the place of the library's.
void xerbla_(char const* routine, int const* position, unsigned long length) {
  report = {std::string(routine, length), *position, RowMajorStrg, report.calls + 1};
}
void cblas_xerbla(int position, char const* routine, char const*, ...) {
  report = {routine, position, RowMajorStrg, report.calls + 1};
}

namespace pantile::testing::blas {
namespace {

/// Integers of a product, right until a test spoils one.
struct Shape {
  int m = 4, n = 3, k = 2, lda = 4, ldb = 4, ldc = 4;
};

template <class T>
struct Arguments : ::testing::Test {
  std::vector<T> a = std::vector<T>(64, T(1)), b = a, c = std::vector<T>(64, T(5));
  std::vector<T> const untouched = c;
  std::string const letter{"sdcz"[std::is_same_v<T, float>    ? 0
                                  : std::is_same_v<T, double> ? 1
                                  : std::is_same_v<T, Cf>     ? 2
                                                              : 3]};
  std::string const upper{static_cast<char>(letter[0] - 'a' + 'A')};

  void SetUp() override { report = {}; }

  void expect(std::string const& routine, int position, int row_major = 0) {
    EXPECT_EQ(report.calls, 1);
    EXPECT_EQ(report.routine, routine);
    EXPECT_EQ(report.position, position);
    EXPECT_EQ(report.row_major, row_major);
    EXPECT_EQ(c, untouched);
    report = {};
  }

  void fortran(char ta, char tb, Shape const& s, int position) {
    fortran_gemm(ta, tb, s.m, s.n, s.k, T(1), a.data(), s.lda, b.data(), s.ldb, T(2), c.data(), s.ldc);
    expect(upper + "GEMM ", position);
  }
  void cblas(int order, int ta, int tb, Shape const& s, int position) {
    cblas_gemm(order, ta, tb, s.m, s.n, s.k, T(1), a.data(), s.lda, b.data(), s.ldb, T(2), c.data(), s.ldc);
    expect("cblas_" + letter + "gemm", position, order == CblasRowMajor && position > 3);
  }
};
TYPED_TEST_SUITE(Arguments, Elements);

TYPED_TEST(Arguments, FortranGemm) {
  this->fortran('/', 'N', {}, 1);
  this->fortran('N', 'X', {}, 2);
  this->fortran('N', 'N', {.m = -1}, 3);
  this->fortran('N', 'N', {.n = -1}, 4);
  this->fortran('N', 'N', {.k = INT_MIN}, 5);
  this->fortran('N', 'N', {.lda = 3}, 8);
  this->fortran('t', 'N', {.lda = 1}, 8);
  this->fortran('C', 'N', {.m = 0, .k = 0, .lda = 0}, 8);
  this->fortran('N', 'N', {.ldb = 1}, 10);
  this->fortran('N', 'c', {.ldb = 2}, 10);
  this->fortran('N', 'R', {.ldb = 1}, 10);
  this->fortran('N', 'N', {.ldc = 3}, 13);
  this->fortran('N', 'N', {.m = 0, .ldc = 0}, 13);
}

TYPED_TEST(Arguments, TheFirstBadOneIsReported) {
  this->fortran('/', '/', {-1, -1, -1, 0, 0, 0}, 1);
  this->fortran('N', '/', {-1, -1, -1, 0, 0, 0}, 2);
  this->fortran('N', 'N', {-1, -1, -1, 0, 0, 0}, 3);
  this->fortran('N', 'N', {1, -1, -1, 0, 0, 0}, 4);
  this->fortran('N', 'N', {1, 1, -1, 0, 0, 0}, 5);
  this->fortran('N', 'N', {1, 1, 1, 0, 0, 0}, 8);
  this->fortran('N', 'N', {1, 1, 1, 1, 0, 0}, 10);
}

TYPED_TEST(Arguments, CblasGemmByColumns) {
  this->cblas(100, CblasNoTrans, CblasNoTrans, {}, 1);
  this->cblas(CblasColMajor, 110, CblasNoTrans, {}, 2);
  this->cblas(CblasColMajor, CblasTrans, 115, {}, 3);
  this->cblas(CblasColMajor, CblasNoTrans, CblasNoTrans, {.m = -1}, 4);
  this->cblas(CblasColMajor, CblasNoTrans, CblasNoTrans, {.n = -1}, 5);
  this->cblas(CblasColMajor, CblasNoTrans, CblasNoTrans, {.k = -1}, 6);
  this->cblas(CblasColMajor, CblasNoTrans, CblasNoTrans, {.lda = 3}, 9);
  this->cblas(CblasColMajor, CblasNoTrans, CblasTrans, {.ldb = 2}, 11);
  this->cblas(CblasColMajor, CblasNoTrans, CblasNoTrans, {.ldc = 3}, 14);
}

/// The positions of the column-major product that the row-major one becomes, as the reference CBLAS reports them.
TYPED_TEST(Arguments, CblasGemmByRows) {
  this->cblas(CblasRowMajor, 0, CblasNoTrans, {}, 2);
  this->cblas(CblasRowMajor, CblasNoTrans, 'N', {}, 3);
  this->cblas(CblasRowMajor, CblasNoTrans, CblasNoTrans, {.m = -1}, 5);
  this->cblas(CblasRowMajor, CblasNoTrans, CblasNoTrans, {.n = -1}, 4);
  this->cblas(CblasRowMajor, CblasNoTrans, CblasNoTrans, {.k = -1}, 6);
  this->cblas(CblasRowMajor, CblasNoTrans, CblasNoTrans, {.lda = 1}, 11);
  this->cblas(CblasRowMajor, CblasNoTrans, CblasNoTrans, {.ldb = 2}, 9);
  this->cblas(CblasRowMajor, CblasNoTrans, CblasNoTrans, {.ldc = 2}, 14);
}

TYPED_TEST(Arguments, OutOfPlaceCopy) {
  auto const check = [&](int order, int trans, int rows, int cols, int lda, int ldb, int position) {
    using T = TypeParam;
    cblas_omatcopy(order, trans, rows, cols, T(1), this->a.data(), lda, this->c.data(), ldb);
    this->expect("cblas_" + this->letter + "omatcopy", position);
    char const order_letter = order == CblasColMajor ? 'C' : order == CblasRowMajor ? 'R' : 'x';
    char const letter = trans == 0 ? '?' : letter_of(trans);
    fortran_omatcopy(order_letter, letter, rows, cols, T(1), this->a.data(), lda, this->c.data(), ldb);
    this->expect(this->upper + "OMATCOPY", position);
  };
  check(0, CblasNoTrans, 4, 3, 4, 4, 1);
  check(CblasColMajor, 0, 4, 3, 4, 4, 2);
  check(CblasColMajor, CblasNoTrans, -1, 3, 4, 4, 3);
  check(CblasColMajor, CblasNoTrans, 4, -1, 4, 4, 4);
  check(CblasColMajor, CblasNoTrans, 4, 3, 3, 4, 7);
  check(CblasRowMajor, CblasNoTrans, 4, 3, 2, 4, 7);
  check(CblasColMajor, CblasNoTrans, 4, 3, 4, 3, 9);
  check(CblasColMajor, CblasTrans, 4, 3, 4, 2, 9);
  check(CblasRowMajor, CblasConjTrans, 4, 3, 3, 3, 9);
}

TYPED_TEST(Arguments, InPlaceCopy) {
  auto const check = [&](int order, int trans, int rows, int cols, int lda, int ldb, int position) {
    using T = TypeParam;
    cblas_imatcopy(order, trans, rows, cols, T(2), this->c.data(), lda, ldb);
    this->expect("cblas_" + this->letter + "imatcopy", position);
    fortran_imatcopy(order == CblasColMajor ? 'c' : 'r', letter_of(trans), rows, cols, T(2), this->c.data(), lda, ldb);
    this->expect(this->upper + "IMATCOPY", position);
  };
  check(CblasColMajor, CblasNoTrans, -1, 3, 4, 4, 3);
  check(CblasRowMajor, CblasNoTrans, 4, -1, 4, 4, 4);
  check(CblasColMajor, CblasNoTrans, 4, 3, 3, 4, 7);
  check(CblasColMajor, CblasNoTrans, 4, 3, 4, 3, 8);
  check(CblasRowMajor, CblasTrans, 4, 3, 3, 3, 8);
}

/// What is right is not reported.
TYPED_TEST(Arguments, SmallestThatAreAllowed) {
  using T = TypeParam;
  fortran_gemm('N', 'N', 0, 0, 0, T(1), this->a.data(), 1, this->b.data(), 1, T(2), this->c.data(), 1);
  fortran_gemm('T', 'T', 4, 3, 2, T(1), this->a.data(), 2, this->b.data(), 3, T(2), this->c.data(), 4);
  cblas_omatcopy(CblasColMajor, CblasNoTrans, 0, 0, T(1), this->a.data(), 1, this->c.data(), 1);
  EXPECT_EQ(report.calls, 0);
}

}  // namespace
}  // namespace pantile::testing::blas
