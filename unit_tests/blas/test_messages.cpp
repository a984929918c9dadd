// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What the library prints of a bad argument where the program has no xerbla of its own: the caller's positions,
///        also of row-major products, which are computed as others.
#include <blas/routines.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace pantile::testing::blas;

struct Shape {
  int m = 4, n = 4, k = 4, lda = 4, ldb = 4, ldc = 4;
};

/// What a product of this shape prints.
std::string message(int order, Shape const& s) {
  double const a[16] = {}, b[16] = {};
  double c[16] = {};
  ::testing::internal::CaptureStderr();
  cblas_gemm(order, CblasNoTrans, CblasNoTrans, s.m, s.n, s.k, 1.0, a, s.lda, b, s.ldb, 0.0, c, s.ldc);
  return ::testing::internal::GetCapturedStderr();
}
std::string bad(int position) {
  return "libpantile_blas: argument " + std::to_string(position) + " of cblas_dgemm is not valid\n";
}

TEST(Messages, NameTheCallersPosition) {
  for (int const order : {CblasColMajor, CblasRowMajor}) {
    EXPECT_EQ(message(order, {}), "");
    EXPECT_EQ(message(order, {.m = -1}), bad(4)) << order;
    EXPECT_EQ(message(order, {.n = -1}), bad(5)) << order;
    EXPECT_EQ(message(order, {.k = -1}), bad(6)) << order;
    EXPECT_EQ(message(order, {.lda = 3}), bad(9)) << order;
    EXPECT_EQ(message(order, {.ldb = 3}), bad(11)) << order;
    EXPECT_EQ(message(order, {.ldc = 3}), bad(14)) << order;
  }
}

TEST(Messages, SayWhatAnEnumerationIsNot) {
  EXPECT_EQ(message(100, {}),
            "libpantile_blas: argument 1 of cblas_dgemm is not valid: "
            "order is 100, neither 101 (rows) nor 102 (columns)\n");
}

TEST(Messages, FortranNamesAreWithoutPadding) {
  double const a[1] = {}, b[1] = {};
  double c[1] = {};
  ::testing::internal::CaptureStderr();
  fortran_gemm('N', 'N', 1, -1, 1, 1.0, a, 1, b, 1, 0.0, c, 1);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "libpantile_blas: argument 4 of DGEMM is not valid\n");
}

}  // namespace
