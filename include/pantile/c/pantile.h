/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#pragma once
/**
 * \file  Pantile's operations for C and for whatever calls C: plain C99, for libpantile_c.so (CMake: Pantile::c).
 *
 *   double a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 0, 1, 1, 1}, c[4];
 *   pantile_matrix A = {a, PANTILE_DOUBLE, 2, 3, 3, 1};
 *   pantile_matrix B = {b, PANTILE_DOUBLE, 3, 2, 2, 1};
 *   pantile_matrix C = {c, PANTILE_DOUBLE, 2, 2, 2, 1};
 *   if (pantile_matmul(NULL, NULL, &A, &B, NULL, &C, NULL) != PANTILE_OK) puts(pantile_last_error_message());
 *
 * \par Errors        A call that returns anything but PANTILE_OK has written nothing (on a device, PANTILE_FAILED
 *                    leaves that open). No C++ exception leaves the library; nothing is printed.
 * \par Operands      are pointer, element type, extents, and strides in elements. Strides have any size and order, but
 *                    are not negative; an operand that is only read may repeat its elements (stride 0). Complex
 *                    elements are pairs (real, imaginary), on hosts aligned as their parts, on devices as a whole.
 * \par Elements      All operands have one type: float, double, their complex types, integers of 32 and 64 bits.
 *                    Integers wrap modulo 2^w, so that the code of signed ones serves unsigned 64-bit ones, and
 *                    explanations say so. Other types and mixed ones are PANTILE_NOT_SUPPORTED. Copies and
 *                    transpositions take integers of 8 bits, half and bfloat16 too, where the library's compiler has
 *                    them, and matrix products what follows.
 * \par Products      A and B have one type; C theirs, or a wider one; sums, and alpha and beta, are of the first type
 *                    in the last column, unless options ask for another one there:
 *                    float                        C float             float, double
 *                    float                        C double            double
 *                    complex float                C complex float     complex float, complex double
 *                    complex float                C complex double    complex double
 *                    int8, uint8                  C of the same       int32, uint32
 *                    int8, uint8                  C int32 or uint32   int32, uint32
 *                    half, bfloat16               C of the same       float
 *                    half, bfloat16               C float             float
 *                    all others                   C of the same       the same
 * \par Scalars       point to one number of the operands' element type, in host memory, of matrix products to one of
 *                    their sums' type. NULL: alpha = 1, beta = 0.
 * \par Options       NULL, or a structure whose first member is its own size and whose zeroes mean the default:
 *                    `pantile_matmul_options o = {sizeof o};`. Later versions append members: the library takes those
 *                    that the caller's header does not have for zero, and refuses those that it does not know itself
 *                    unless they are zero. So the structures grow, and programs need not be built anew, while the
 *                    soname is the same.
 * \par Instances     Every call takes one first: NULL for the default one, which is a device's where the library was
 *                    built for devices and the host's otherwise. Calls on the host are done when they return; those on
 *                    a device are enqueued, and pantile_exec_fence waits.
 * \par Memory        Where the library was built for devices, calls on the host refuse pointers to a device's memory,
 *                    and calls on the device pointers that it does not reach: pageable memory of the host, and memory
 *                    of another device, whether or not its peers reach it.
 * \par Kokkos        is initialised by the first call, if the program has not done so, and never finalised. A program
 *                    that uses the same Kokkos library initialises it before its first call here.
 * \par Threads       Calls may come from many threads at once, from OpenMP regions (one level deep) and in a forked
 *                    child; each is then done by its own thread where others have all cores already.
 *
 * Numerics, aliasing, allocation and determinism are those of the C++ faces, pantile/<operation>.hpp.
 */
#include <pantile/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Number in the soname: raised when programs must be built anew. */
#define PANTILE_C_ABI 1

/** \brief  "pantile_matmul: ..." about this thread's last call that did not return PANTILE_OK, "" if there was none.
 *          Stands until the next such call; cut after 1023 characters. */
char const* pantile_last_error_message(void);

/** The version of the library, such as "0.1.99". */
char const* pantile_version(void);

/** \brief  Makes an instance, to be destroyed by the caller. On a device it wraps the caller's stream (cudaStream_t or
 *          hipStream_t), which must outlive it, or is the default one for NULL. Hosts have no streams. */
pantile_status pantile_exec_create(pantile_space space, void* stream, pantile_exec** exec);

/** Waits until all work on the instance is done. */
pantile_status pantile_exec_fence(pantile_exec const* exec);

/** Waits, and forgets the instance; nothing for NULL. */
void pantile_exec_destroy(pantile_exec* exec);

/** C = alpha op_a(A) op_b(B) + beta C; C overlaps neither A nor B. */
pantile_status pantile_matmul(pantile_exec const* exec, void const* alpha, pantile_matrix const* A,
                              pantile_matrix const* B, void const* beta, pantile_matrix const* C,
                              pantile_matmul_options const* options);

/** What the call without `explain` would do, in words; same checks, nothing is computed. So for all that follow. */
pantile_status pantile_explain_matmul(pantile_exec const* exec, void const* alpha, pantile_matrix const* A,
                                      pantile_matrix const* B, void const* beta, pantile_matrix const* C,
                                      pantile_matmul_options const* options, pantile_explanation* explanation);

/** \brief  The same for the matrices of batches, by one call: C_p = alpha op_a(A_p) op_b(B_p) + beta C_p.
 *
 * A and B have as many matrices as C; all three are a stride apart, or all have addresses. Algorithms: automatic,
 * naive, blocked. What else holds of batches is in pantile/matmul.hpp.
 */
pantile_status pantile_matmul_batched(pantile_exec const* exec, void const* alpha, pantile_batch const* A,
                                      pantile_batch const* B, void const* beta, pantile_batch const* C,
                                      pantile_matmul_options const* options);
pantile_status pantile_explain_matmul_batched(pantile_exec const* exec, void const* alpha, pantile_batch const* A,
                                              pantile_batch const* B, void const* beta, pantile_batch const* C,
                                              pantile_matmul_options const* options, pantile_explanation* explanation);

/** B = A^T, or A^H; B may be exactly A, or dense A's memory seen as columns by rows, and overlaps A in no other way. */
pantile_status pantile_transpose(pantile_exec const* exec, pantile_matrix const* A, pantile_matrix const* B,
                                 pantile_transpose_options const* options);
pantile_status pantile_explain_transpose(pantile_exec const* exec, pantile_matrix const* A, pantile_matrix const* B,
                                         pantile_transpose_options const* options, pantile_explanation* explanation);

/** \brief  B_p = A_p^T, or A_p^H, for the matrices of batches, which are the same or do not overlap.
 *
 * Both batches are a stride apart, or both have addresses: these take the algorithms automatic, naive and, on hosts,
 * blocked.
 */
pantile_status pantile_transpose_batched(pantile_exec const* exec, pantile_batch const* A, pantile_batch const* B,
                                         pantile_transpose_options const* options);
pantile_status pantile_explain_transpose_batched(pantile_exec const* exec, pantile_batch const* A,
                                                 pantile_batch const* B, pantile_transpose_options const* options,
                                                 pantile_explanation* explanation);

/** A = A^T, or A^H, for a square A. */
pantile_status pantile_transpose_in_place(pantile_exec const* exec, pantile_matrix const* A,
                                          pantile_transpose_options const* options);
pantile_status pantile_explain_transpose_in_place(pantile_exec const* exec, pantile_matrix const* A,
                                                  pantile_transpose_options const* options,
                                                  pantile_explanation* explanation);

/** C = alpha A + beta B, where NULL stands for 1 in both scalars; C is exactly A or B, or overlaps neither. */
pantile_status pantile_add(pantile_exec const* exec, void const* alpha, pantile_matrix const* A, void const* beta,
                           pantile_matrix const* B, pantile_matrix const* C, pantile_add_options const* options);
pantile_status pantile_explain_add(pantile_exec const* exec, void const* alpha, pantile_matrix const* A,
                                   void const* beta, pantile_matrix const* B, pantile_matrix const* C,
                                   pantile_add_options const* options, pantile_explanation* explanation);

/** \brief  counts(i) = how many samples have the index i, or the sum of their weights.
 *
 * indices   samples by 1, or samples by 2 for bins of two dimensions; int32 or int64
 * weights   one for each sample, of counts' type; NULL: each sample counts 1
 * counts    bins by 1, or a matrix of bins; float, double, or integers of 32 or 64 bits
 */
pantile_status pantile_histogram(pantile_exec const* exec, pantile_matrix const* indices, pantile_vector const* weights,
                                 pantile_matrix const* counts, pantile_histogram_options const* options);
pantile_status pantile_explain_histogram(pantile_exec const* exec, pantile_matrix const* indices,
                                         pantile_vector const* weights, pantile_matrix const* counts,
                                         pantile_histogram_options const* options, pantile_explanation* explanation);

/** The same for bins of three dimensions, counts(p, i, j): indices are samples by 3, and p counts the batch's matrices,
    which are a stride apart. */
pantile_status pantile_histogram_3d(pantile_exec const* exec, pantile_matrix const* indices,
                                    pantile_vector const* weights, pantile_batch const* counts,
                                    pantile_histogram_options const* options);
pantile_status pantile_explain_histogram_3d(pantile_exec const* exec, pantile_matrix const* indices,
                                            pantile_vector const* weights, pantile_batch const* counts,
                                            pantile_histogram_options const* options, pantile_explanation* explanation);

/** \brief  C(i, j) = *value, a number of C's element type in host memory; NULL: 0. No function of i and j, as C++ has
 *          it: devices do not call a pointer to one of the host. */
pantile_status pantile_fill(pantile_exec const* exec, pantile_matrix const* C, void const* value,
                            pantile_fill_options const* options);
pantile_status pantile_explain_fill(pantile_exec const* exec, pantile_matrix const* C, void const* value,
                                    pantile_fill_options const* options, pantile_explanation* explanation);

/** y(n - 1 - p) = x(p) for n elements; y does not overlap x. */
pantile_status pantile_reverse(pantile_exec const* exec, pantile_vector const* x, pantile_vector const* y,
                               pantile_reverse_options const* options);
pantile_status pantile_explain_reverse(pantile_exec const* exec, pantile_vector const* x, pantile_vector const* y,
                                       pantile_reverse_options const* options, pantile_explanation* explanation);

/** The same in place. */
pantile_status pantile_reverse_in_place(pantile_exec const* exec, pantile_vector const* x,
                                        pantile_reverse_options const* options);
pantile_status pantile_explain_reverse_in_place(pantile_exec const* exec, pantile_vector const* x,
                                                pantile_reverse_options const* options,
                                                pantile_explanation* explanation);

/** destination(i, j) = source(i, j), of any strides, each in memory of the host or of a device. */
pantile_status pantile_copy(pantile_exec const* exec, pantile_matrix const* destination, pantile_matrix const* source,
                            pantile_copy_options const* options);
pantile_status pantile_explain_copy(pantile_exec const* exec, pantile_matrix const* destination,
                                    pantile_matrix const* source, pantile_copy_options const* options,
                                    pantile_explanation* explanation);

#ifdef __cplusplus
}
#endif
