// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The functions of cuBLAS that vendor_blas.cpp calls, on host memory, from their documentation: with this
///        library in its place the contests' calls are checked where there is no GPU.
#include <complex>
#include <cstdint>

namespace {

constexpr int success = 0, not_supported = 15;

template <class T>
T conjugate(T const& x) {
  return x;
}
template <class Real>
std::complex<Real> conjugate(std::complex<Real> const& x) {
  return std::conj(x);
}

std::size_t place(int i, int j, int ld) {
  return static_cast<std::size_t>(j) * static_cast<std::size_t>(ld) + static_cast<std::size_t>(i);
}

/// Element (i, j) of op(X), column-major: op 0 as it lies, 1 transposed, 2 conjugate transposed.
template <class T>
T element(T const* x, int ld, int op, int i, int j) {
  if (op == 0) return x[place(i, j, ld)];
  return op == 1 ? x[place(j, i, ld)] : conjugate(x[place(j, i, ld)]);
}

template <class T, class Sum>
int gemm(int op_a, int op_b, int m, int n, int k, Sum alpha, T const* a, int lda, T const* b, int ldb, Sum* c,
         int ldc) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      Sum sum(0);
      for (int l = 0; l < k; ++l) {
        sum += static_cast<Sum>(element(a, lda, op_a, i, l)) * static_cast<Sum>(element(b, ldb, op_b, l, j));
      }
      c[place(i, j, ldc)] = alpha * sum;
    }
  }
  return success;
}

template <class T>
int geam(int op_a, int op_b, int m, int n, T alpha, T const* a, int lda, T beta, T const* b, int ldb, T* c, int ldc) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      T sum = alpha * element(a, lda, op_a, i, j);
      if (beta != T(0)) sum += beta * element(b, ldb, op_b, i, j);
      c[place(i, j, ldc)] = sum;
    }
  }
  return success;
}

}  // namespace

#define PANTILE_STAND_IN(LETTER, T)                                                                                  \
  int cublas##LETTER##gemm_v2(void*, int op_a, int op_b, int m, int n, int k, T const* alpha, T const* a, int lda,   \
                              T const* b, int ldb, T const* beta, T* c, int ldc) {                                   \
    return *beta == T(0) ? gemm(op_a, op_b, m, n, k, *alpha, a, lda, b, ldb, c, ldc) : not_supported;                \
  }                                                                                                                  \
  int cublas##LETTER##gemmStridedBatched(void*, int op_a, int op_b, int m, int n, int k, T const* alpha, T const* a, \
                                         int lda, long long step_a, T const* b, int ldb, long long step_b,           \
                                         T const* beta, T* c, int ldc, long long step_c, int count) {                \
    if (*beta != T(0)) return not_supported;                                                                         \
    for (int p = 0; p < count; ++p) {                                                                                \
      gemm(op_a, op_b, m, n, k, *alpha, a + p * step_a, lda, b + p * step_b, ldb, c + p * step_c, ldc);              \
    }                                                                                                                \
    return success;                                                                                                  \
  }                                                                                                                  \
  int cublas##LETTER##gemmBatched(void*, int op_a, int op_b, int m, int n, int k, T const* alpha, T const* const* a, \
                                  int lda, T const* const* b, int ldb, T const* beta, T* const* c, int ldc,          \
                                  int count) {                                                                       \
    if (*beta != T(0)) return not_supported;                                                                         \
    for (int p = 0; p < count; ++p) gemm(op_a, op_b, m, n, k, *alpha, a[p], lda, b[p], ldb, c[p], ldc);              \
    return success;                                                                                                  \
  }                                                                                                                  \
  int cublas##LETTER##geam(void*, int op_a, int op_b, int m, int n, T const* alpha, T const* a, int lda,             \
                           T const* beta, T const* b, int ldb, T* c, int ldc) {                                      \
    return geam(op_a, op_b, m, n, *alpha, a, lda, *beta, b, ldb, c, ldc);                                            \
  }

extern "C" {

PANTILE_STAND_IN(S, float)
PANTILE_STAND_IN(D, double)
PANTILE_STAND_IN(C, std::complex<float>)
PANTILE_STAND_IN(Z, std::complex<double>)

int cublasCreate_v2(void** handle) {
  static int held = 0;
  *handle = &held;
  return success;
}
int cublasSetStream_v2(void*, void*) { return success; }
int cublasSetMathMode(void*, int mode) { return mode == 0 ? success : not_supported; }
int cublasGetVersion_v2(void*, int* version) {
  *version = 10000;
  return success;
}

/// int8 (3) into int32 (10) with sums in int32 (72), and float (0) with sums in float (68), TF32 allowed (77); nothing
/// else.
int cublasGemmEx(void*, int op_a, int op_b, int m, int n, int k, void const* alpha, void const* a, int a_type, int lda,
                 void const* b, int b_type, int ldb, void const*, void* c, int c_type, int ldc, int compute, int) {
  if (a_type == 3 && b_type == 3 && c_type == 10 && compute == 72) {
    return gemm(op_a, op_b, m, n, k, *static_cast<std::int32_t const*>(alpha), static_cast<std::int8_t const*>(a), lda,
                static_cast<std::int8_t const*>(b), ldb, static_cast<std::int32_t*>(c), ldc);
  }
  if (a_type == 0 && b_type == 0 && c_type == 0 && (compute == 68 || compute == 77)) {
    return gemm(op_a, op_b, m, n, k, *static_cast<float const*>(alpha), static_cast<float const*>(a), lda,
                static_cast<float const*>(b), ldb, static_cast<float*>(c), ldc);
  }
  return not_supported;
}

}  // extern "C"
