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
/// The functions of a type, whose matrices are made of ARGUMENT in the signature of products, of COPY_ARGUMENT in that
/// of copies. Names in at least six characters, as the reference BLAS' error routine expects them.
#define PANTILE_BLAS_FORTRAN(LETTER, UPPER, T, ARGUMENT, COPY_ARGUMENT)                                                \
  void LETTER##gemm_(char const* trans_a, char const* trans_b, int const* m, int const* n, int const* k,               \
                     ARGUMENT const* alpha, ARGUMENT const* a, int const* lda, ARGUMENT const* b, int const* ldb,      \
                     ARGUMENT const* beta, ARGUMENT* c, int const* ldc) {                                              \
    blas::GemmShape const shape{blas::operator_of(*trans_a), blas::operator_of(*trans_b), *m, *n, *k, *lda, *ldb,      \
                                *ldc};                                                                                 \
    if (!blas::refused(shape.first_bad(), #UPPER "GEMM ")) blas::gemm<T>(shape, alpha, a, b, beta, c);                 \
  }                                                                                                                    \
  void LETTER##omatcopy_(char const* order, char const* trans, int const* rows, int const* cols,                       \
                         COPY_ARGUMENT const* alpha, COPY_ARGUMENT const* a, int const* lda, COPY_ARGUMENT* b,         \
                         int const* ldb) {                                                                             \
    blas::CopyShape const shape{blas::order_of(*order), blas::operator_of(*trans), *rows, *cols, *lda, *ldb};          \
    if (!blas::refused(shape.first_bad(9), #UPPER "OMATCOPY")) blas::copy<T>(shape, alpha, a, b);                      \
  }                                                                                                                    \
  void LETTER##imatcopy_(char const* order, char const* trans, int const* rows, int const* cols,                       \
                         COPY_ARGUMENT const* alpha, COPY_ARGUMENT* a, int const* lda, int const* ldb) {               \
    blas::CopyShape const shape{blas::order_of(*order), blas::operator_of(*trans), *rows, *cols, *lda, *ldb};          \
    if (!blas::refused(shape.first_bad(8), #UPPER "IMATCOPY")) blas::copy_in_place<T>(shape, alpha, a);                \
  }
// clang-format on

extern "C" {

PANTILE_BLAS_FORTRAN(s, S, float, float, float)
PANTILE_BLAS_FORTRAN(d, D, double, double, double)
PANTILE_BLAS_FORTRAN(c, C, std::complex<float>, void, float)
PANTILE_BLAS_FORTRAN(z, Z, std::complex<double>, void, double)

}  // extern "C"
