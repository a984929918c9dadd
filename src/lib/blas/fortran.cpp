// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  ?gemm_, ?omatcopy_, ?imatcopy_: the names and arguments of Fortran.

#include <blas/calls.hpp>
#include <blas/faces.hpp>

#include <complex>
#include <string_view>

namespace pantile::blas {
namespace {

/// True, and xerbla_ told, if an argument is bad.
bool refused(int position, std::string_view routine) {
  if (position == 0) return false;
  xerbla_(routine.data(), &position, routine.size());
  return true;
}

}  // namespace
}  // namespace pantile::blas

namespace blas = pantile::blas;

// clang-format off
#define PANTILE_BLAS_GEMM(NAME, UPPER, T, ARGUMENT)                                                                   \
  void NAME(char const* trans_a, char const* trans_b, int const* m, int const* n, int const* k, ARGUMENT const* alpha, \
            ARGUMENT const* a, int const* lda, ARGUMENT const* b, int const* ldb, ARGUMENT const* beta, ARGUMENT* c,   \
            int const* ldc) {                                                                                          \
    blas::GemmShape const shape{blas::operator_of(*trans_a), blas::operator_of(*trans_b), *m, *n, *k, *lda, *ldb,      \
                                *ldc};                                                                                 \
    if (!blas::refused(shape.first_bad(), UPPER)) blas::gemm<T>(shape, alpha, a, b, beta, c);                          \
  }

#define PANTILE_BLAS_COPY(NAME, UPPER, T, ARGUMENT)                                                                    \
  void NAME(char const* order, char const* trans, int const* rows, int const* cols, ARGUMENT const* alpha,             \
            ARGUMENT const* a, int const* lda, ARGUMENT* b, int const* ldb) {                                          \
    blas::CopyShape const shape{blas::order_of(*order), blas::operator_of(*trans), *rows, *cols, *lda, *ldb};          \
    if (!blas::refused(shape.first_bad(9), UPPER)) blas::copy<T>(shape, alpha, a, b);                                  \
  }

#define PANTILE_BLAS_COPY_IN_PLACE(NAME, UPPER, T, ARGUMENT)                                                           \
  void NAME(char const* order, char const* trans, int const* rows, int const* cols, ARGUMENT const* alpha,             \
            ARGUMENT* a, int const* lda, int const* ldb) {                                                             \
    blas::CopyShape const shape{blas::order_of(*order), blas::operator_of(*trans), *rows, *cols, *lda, *ldb};          \
    if (!blas::refused(shape.first_bad(8), UPPER)) blas::copy_in_place<T>(shape, alpha, a);                            \
  }
// clang-format on

extern "C" {

// Names in at least six characters, as the reference BLAS' error routine expects them.
PANTILE_BLAS_GEMM(sgemm_, "SGEMM ", float, float)
PANTILE_BLAS_GEMM(dgemm_, "DGEMM ", double, double)
PANTILE_BLAS_GEMM(cgemm_, "CGEMM ", std::complex<float>, void)
PANTILE_BLAS_GEMM(zgemm_, "ZGEMM ", std::complex<double>, void)

PANTILE_BLAS_COPY(somatcopy_, "SOMATCOPY", float, float)
PANTILE_BLAS_COPY(domatcopy_, "DOMATCOPY", double, double)
PANTILE_BLAS_COPY(comatcopy_, "COMATCOPY", std::complex<float>, float)
PANTILE_BLAS_COPY(zomatcopy_, "ZOMATCOPY", std::complex<double>, double)

PANTILE_BLAS_COPY_IN_PLACE(simatcopy_, "SIMATCOPY", float, float)
PANTILE_BLAS_COPY_IN_PLACE(dimatcopy_, "DIMATCOPY", double, double)
PANTILE_BLAS_COPY_IN_PLACE(cimatcopy_, "CIMATCOPY", std::complex<float>, float)
PANTILE_BLAS_COPY_IN_PLACE(zimatcopy_, "ZIMATCOPY", std::complex<double>, double)

}  // extern "C"
