// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  cblas_?gemm, cblas_?omatcopy, cblas_?imatcopy: the names and arguments of C.

#include <blas/calls.hpp>
#include <blas/faces.hpp>

#include <complex>

namespace pantile::blas {
namespace {

/// True, and cblas_xerbla told, if order or an operator is no value of its enumeration.
bool refused_choice(char const* routine, int order, int op_a, int op_b) {
  if (!order_of(order)) {
    cblas_xerbla(1, routine, "order is %d, neither 101 (rows) nor 102 (columns)", order);
  } else if (!operator_of(op_a)) {
    cblas_xerbla(2, routine, "trans is %d, not one of 111 to 114", op_a);
  } else if (!operator_of(op_b)) {
    cblas_xerbla(3, routine, "trans is %d, not one of 111 to 114", op_b);
  } else {
    return false;
  }
  return true;
}

/// One more than Fortran's position, which knows no order.
bool refused_number(char const* routine, Order order, int fortran_position) {
  if (fortran_position == 0) return false;
  RowMajorStrg = order == Order::rows ? 1 : 0;
  cblas_xerbla(fortran_position + 1, routine, "");
  RowMajorStrg = 0;
  return true;
}

/// The column-major product of these numbers. Row-major memory read by columns holds transposed matrices, and
/// C^T = op(B)^T op(A)^T.
template <class T>
void gemm_in_order(char const* routine, int order, int op_a, int op_b, int m, int n, int k, void const* alpha,
                   void const* a, int lda, void const* b, int ldb, void const* beta, void* c, int ldc) {
  if (refused_choice(routine, order, op_a, op_b)) return;
  auto const first = operator_of(op_a), second = operator_of(op_b);
  if (*order_of(order) == Order::columns) {
    GemmShape const shape{first, second, m, n, k, lda, ldb, ldc};
    if (!refused_number(routine, Order::columns, shape.first_bad())) gemm<T>(shape, alpha, a, b, beta, c);
  } else {
    GemmShape const shape{second, first, n, m, k, ldb, lda, ldc};
    if (!refused_number(routine, Order::rows, shape.first_bad())) gemm<T>(shape, alpha, b, a, beta, c);
  }
}

/// True, and cblas_xerbla told, if an argument of a copy is bad.
bool refused_copy(char const* routine, CopyShape const& shape, int position_of_ldb) {
  int const position = shape.first_bad(position_of_ldb);
  if (position != 0) cblas_xerbla(position, routine, "");
  return position != 0;
}

}  // namespace
}  // namespace pantile::blas

namespace blas = pantile::blas;

// clang-format off
/// The functions of a type. VALUE: how a scalar arrives; ADDRESS: what makes its address; ARGUMENT: what matrices are
/// made of in the signature; COPY_: the same of copies.
#define PANTILE_BLAS_CBLAS(LETTER, T, VALUE, ADDRESS, ARGUMENT, COPY_VALUE, COPY_ARGUMENT)                             \
  void cblas_##LETTER##gemm(int order, int trans_a, int trans_b, int m, int n, int k, VALUE alpha, ARGUMENT const* a,  \
                            int lda, ARGUMENT const* b, int ldb, VALUE beta, ARGUMENT* c, int ldc) {                   \
    blas::gemm_in_order<T>("cblas_" #LETTER "gemm", order, trans_a, trans_b, m, n, k, ADDRESS alpha, a, lda, b, ldb,   \
                           ADDRESS beta, c, ldc);                                                                      \
  }                                                                                                                    \
  void cblas_##LETTER##omatcopy(int order, int trans, int rows, int cols, COPY_VALUE alpha, COPY_ARGUMENT const* a,    \
                                int lda, COPY_ARGUMENT* b, int ldb) {                                                  \
    blas::CopyShape const shape{blas::order_of(order), blas::operator_of(trans), rows, cols, lda, ldb};                \
    if (!blas::refused_copy("cblas_" #LETTER "omatcopy", shape, 9)) blas::copy<T>(shape, ADDRESS alpha, a, b);         \
  }                                                                                                                    \
  void cblas_##LETTER##imatcopy(int order, int trans, int rows, int cols, COPY_VALUE alpha, COPY_ARGUMENT* a, int lda, \
                                int ldb) {                                                                             \
    blas::CopyShape const shape{blas::order_of(order), blas::operator_of(trans), rows, cols, lda, ldb};                \
    if (!blas::refused_copy("cblas_" #LETTER "imatcopy", shape, 8)) blas::copy_in_place<T>(shape, ADDRESS alpha, a);   \
  }
// clang-format on

extern "C" {

PANTILE_BLAS_CBLAS(s, float, float, &, float, float, float)
PANTILE_BLAS_CBLAS(d, double, double, &, double, double, double)
PANTILE_BLAS_CBLAS(c, std::complex<float>, void const*, , void, float const*, float)
PANTILE_BLAS_CBLAS(z, std::complex<double>, void const*, , void, double const*, double)

}  // extern "C"
