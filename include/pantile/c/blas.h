/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#pragma once
/**
 * \file  Functions of libpantile_blas.so: general matrix products and scaled copies under the names of BLAS.
 *
 * Plain C, opt-in: link Pantile::blas (or -lpantile_blas) and include this file, or any other cblas.h. An existing
 * program uses it with LD_PRELOAD=libpantile_blas.so, or when it is linked with this library before its
 * BLAS.
 *
 * Integers are int (LP64); offsets are computed in 64 bits. Letters s, d, c, z: float, double, and their complex types
 * as pairs of numbers (real, imaginary), whose scalars are passed by address. Matrices are in host memory.
 *
 * \par Arguments     are checked in the order of the reference BLAS. The first bad one goes to xerbla_ or cblas_xerbla
 *                    with its position, counted from 1; nothing is written. The program's own definitions of these two
 *                    are called where it has any; ours say one line on stderr and return.
 * \par Numerics      as pantile/matmul.hpp: beta = 0 never reads C, alpha = 0 or k = 0 never reads A and B.
 * \par Asynchrony    none: results are there when a call returns.
 * \par Kokkos        is initialised by the first call that needs it, if the program has not done so, and never
 *                    finalised. A program that uses the same Kokkos library initialises it before its first call here.
 *                    Nothing is printed. After the program has finalised Kokkos, calls run on their own thread alone.
 * \par Threads       Calls may come from many threads at once. As many threads work as OMP_NUM_THREADS says when Kokkos
 *                    is initialised; omp_set_num_threads changes nothing later. A call runs on its own thread alone
 *                    where it is small, comes from within an OpenMP parallel region, or finds as many other calls under
 *                    way as there are threads.
 * \par Fork          A child of a program that has loaded the library may call it, each call on its own thread alone:
 *                    the OpenMP run-time library's threads do not survive a fork.
 * \par Alignment     Operands, complex ones too, need the alignment of their real type only.
 * \par Memory        Where none can be allocated, calls run in up to 330 KB of the caller's stack, on its own
 *                    thread alone if Kokkos could not be started, which is tried once. The OpenMP run-time library
 *                    ends the program where it finds no memory for its threads.
 * \par Source        Dongarra et al., "A set of level 3 basic linear algebra subprograms", ACM TOMS 16 (1990) 1-17, and
 *                    the CBLAS chapter of the BLAS Technical Forum Standard (2001); copies as in OpenBLAS.
 */

/* Another cblas.h that came before has declared these already, with types of its own. */
#if !defined(CBLAS_H) && !defined(__CBLAS_H__) && !defined(__MKL_CBLAS_H__) && !defined(__GSL_CBLAS_H__)

/** Values of the arguments order and trans; any int of the same value will do. */
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113, CblasConjNoTrans = 114 };

#define PANTILE_BLAS_DECLARES_CBLAS 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** \brief  Called for a bad argument of a Fortran-style routine: its name in at least six characters, the position. */
void xerbla_(char const* routine, int const* position, unsigned long routine_length);

#ifdef PANTILE_BLAS_DECLARES_CBLAS

/**
 * \brief  Called for a bad argument of a C-style routine; form and what follows are a text for printf, or empty.
 *
 * As in the reference CBLAS, RowMajorStrg is not zero during this call for a row-major product, and the positions of
 * m and n, and of lda and ldb, are then those of the column-major product that it is turned into: 4 and 5, 9 and 11
 * exchanged.
 */
void cblas_xerbla(int position, char const* routine, char const* form, ...);
extern int RowMajorStrg;

/**
 * \brief  C = alpha op(A) op(B) + beta C, where op is none, transpose, conjugate transpose or conjugate alone.
 *
 * op(A) is m x k, op(B) is k x n, C is m x n; lda, ldb, ldc are the distances between columns (column-major) or rows.
 * \pre  C overlaps neither A nor B
 */
void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, float const* a, int lda,
                 float const* b, int ldb, float beta, float* c, int ldc);
void cblas_dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, double const* a, int lda,
                 double const* b, int ldb, double beta, double* c, int ldc);
void cblas_cgemm(int order, int trans_a, int trans_b, int m, int n, int k, void const* alpha, void const* a, int lda,
                 void const* b, int ldb, void const* beta, void* c, int ldc);
void cblas_zgemm(int order, int trans_a, int trans_b, int m, int n, int k, void const* alpha, void const* a, int lda,
                 void const* b, int ldb, void const* beta, void* c, int ldc);

/**
 * \brief  B = alpha op(A), out of place; A is rows x cols.
 *
 * Positions of bad arguments: order 1, trans 2, rows 3, cols 4, lda 7, ldb 9.
 * \pre  B does not overlap A
 */
void cblas_somatcopy(int order, int trans, int rows, int cols, float alpha, float const* a, int lda, float* b, int ldb);
void cblas_domatcopy(int order, int trans, int rows, int cols, double alpha, double const* a, int lda, double* b,
                     int ldb);
void cblas_comatcopy(int order, int trans, int rows, int cols, float const* alpha, float const* a, int lda, float* b,
                     int ldb);
void cblas_zomatcopy(int order, int trans, int rows, int cols, double const* alpha, double const* a, int lda, double* b,
                     int ldb);

/**
 * \brief  A = alpha op(A), in place; A is rows x cols with lda before, and the result has ldb. Needs no memory where
 *         lda = ldb and the matrix is square or not transposed, else room for one more matrix.
 *
 * Positions of bad arguments: order 1, trans 2, rows 3, cols 4, lda 7, ldb 8.
 */
void cblas_simatcopy(int order, int trans, int rows, int cols, float alpha, float* a, int lda, int ldb);
void cblas_dimatcopy(int order, int trans, int rows, int cols, double alpha, double* a, int lda, int ldb);
void cblas_cimatcopy(int order, int trans, int rows, int cols, float const* alpha, float* a, int lda, int ldb);
void cblas_zimatcopy(int order, int trans, int rows, int cols, double const* alpha, double* a, int lda, int ldb);

#endif /* PANTILE_BLAS_DECLARES_CBLAS */

#ifndef PANTILE_BLAS_NO_FORTRAN
/* The same as Fortran calls them: all by address, column-major, op as one of N, T, C (conjugate transpose), R
   (conjugate alone) in either case. Copies take the order first: C (columns) or R (rows). Lengths that Fortran passes
   behind the arguments are not read. */

void sgemm_(char const* trans_a, char const* trans_b, int const* m, int const* n, int const* k, float const* alpha,
            float const* a, int const* lda, float const* b, int const* ldb, float const* beta, float* c,
            int const* ldc);
void dgemm_(char const* trans_a, char const* trans_b, int const* m, int const* n, int const* k, double const* alpha,
            double const* a, int const* lda, double const* b, int const* ldb, double const* beta, double* c,
            int const* ldc);
void cgemm_(char const* trans_a, char const* trans_b, int const* m, int const* n, int const* k, void const* alpha,
            void const* a, int const* lda, void const* b, int const* ldb, void const* beta, void* c, int const* ldc);
void zgemm_(char const* trans_a, char const* trans_b, int const* m, int const* n, int const* k, void const* alpha,
            void const* a, int const* lda, void const* b, int const* ldb, void const* beta, void* c, int const* ldc);

void somatcopy_(char const* order, char const* trans, int const* rows, int const* cols, float const* alpha,
                float const* a, int const* lda, float* b, int const* ldb);
void domatcopy_(char const* order, char const* trans, int const* rows, int const* cols, double const* alpha,
                double const* a, int const* lda, double* b, int const* ldb);
void comatcopy_(char const* order, char const* trans, int const* rows, int const* cols, float const* alpha,
                float const* a, int const* lda, float* b, int const* ldb);
void zomatcopy_(char const* order, char const* trans, int const* rows, int const* cols, double const* alpha,
                double const* a, int const* lda, double* b, int const* ldb);
void simatcopy_(char const* order, char const* trans, int const* rows, int const* cols, float const* alpha, float* a,
                int const* lda, int const* ldb);
void dimatcopy_(char const* order, char const* trans, int const* rows, int const* cols, double const* alpha, double* a,
                int const* lda, int const* ldb);
void cimatcopy_(char const* order, char const* trans, int const* rows, int const* cols, float const* alpha, float* a,
                int const* lda, int const* ldb);
void zimatcopy_(char const* order, char const* trans, int const* rows, int const* cols, double const* alpha, double* a,
                int const* lda, int const* ldb);

#endif /* PANTILE_BLAS_NO_FORTRAN */

#ifdef __cplusplus
}
#endif
