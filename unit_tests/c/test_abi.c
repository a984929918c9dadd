/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What programs that are built already rely on, and Fortran's module and Python's copy by hand: where members lie, and
   which numbers stand for what. Who changes a line here raises PANTILE_C_ABI, unless it is a member at the end of a
   structure that has its size, or a new value. For 64 bits, where all compilers lay them out alike. */
#include <pantile/c/pantile.h>

#define SIZE(type, size) _Static_assert(sizeof(type) == size, #type " has another size")
#define MEMBER(type, member, begins, size) \
  _Static_assert(offsetof(type, member) == begins && sizeof(((type*)0)->member) == size, #type "." #member " moved")
#define VALUE(name, number) _Static_assert(name == number, #name " has another value")

VALUE(PANTILE_C_ABI, 1);

SIZE(pantile_matrix, 48);
MEMBER(pantile_matrix, data, 0, 8);
MEMBER(pantile_matrix, element, 8, 4);
MEMBER(pantile_matrix, rows, 16, 8);
MEMBER(pantile_matrix, cols, 24, 8);
MEMBER(pantile_matrix, row_stride, 32, 8);
MEMBER(pantile_matrix, col_stride, 40, 8);

SIZE(pantile_vector, 32);
MEMBER(pantile_vector, data, 0, 8);
MEMBER(pantile_vector, element, 8, 4);
MEMBER(pantile_vector, size, 16, 8);
MEMBER(pantile_vector, stride, 24, 8);

SIZE(pantile_batch, 72);
MEMBER(pantile_batch, matrix, 0, 48);
MEMBER(pantile_batch, count, 48, 8);
MEMBER(pantile_batch, stride, 56, 8);
MEMBER(pantile_batch, addresses, 64, 8);

SIZE(pantile_workspace, 16);
MEMBER(pantile_workspace, data, 0, 8);
MEMBER(pantile_workspace, bytes, 8, 8);

SIZE(pantile_extent2, 8);
MEMBER(pantile_extent2, x, 0, 4);
MEMBER(pantile_extent2, y, 4, 4);

SIZE(pantile_launch, 16);
MEMBER(pantile_launch, grid, 0, 8);
MEMBER(pantile_launch, block, 8, 8);

SIZE(pantile_matmul_options, 80);
MEMBER(pantile_matmul_options, size, 0, 8);
MEMBER(pantile_matmul_options, op_a, 8, 4);
MEMBER(pantile_matmul_options, op_b, 12, 4);
MEMBER(pantile_matmul_options, algorithm, 16, 4);
MEMBER(pantile_matmul_options, precision, 20, 4);
MEMBER(pantile_matmul_options, tile_m, 24, 4);
MEMBER(pantile_matmul_options, tile_n, 28, 4);
MEMBER(pantile_matmul_options, tile_k, 32, 4);
MEMBER(pantile_matmul_options, launch, 36, 16);
MEMBER(pantile_matmul_options, workspace, 56, 16);
MEMBER(pantile_matmul_options, sum, 72, 4);

SIZE(pantile_transpose_options, 40);
MEMBER(pantile_transpose_options, size, 0, 8);
MEMBER(pantile_transpose_options, conjugate, 8, 4);
MEMBER(pantile_transpose_options, algorithm, 12, 4);
MEMBER(pantile_transpose_options, tile, 16, 4);
MEMBER(pantile_transpose_options, rows_per_thread, 20, 4);
MEMBER(pantile_transpose_options, workspace, 24, 16);

SIZE(pantile_add_options, 40);
MEMBER(pantile_add_options, size, 0, 8);
MEMBER(pantile_add_options, algorithm, 8, 4);
MEMBER(pantile_add_options, tile, 12, 8);
MEMBER(pantile_add_options, launch, 20, 16);

SIZE(pantile_histogram_options, 48);
MEMBER(pantile_histogram_options, size, 0, 8);
MEMBER(pantile_histogram_options, algorithm, 8, 4);
MEMBER(pantile_histogram_options, out_of_range, 12, 4);
MEMBER(pantile_histogram_options, ignored, 16, 8);
MEMBER(pantile_histogram_options, accumulate, 24, 4);
MEMBER(pantile_histogram_options, teams, 28, 4);
MEMBER(pantile_histogram_options, workspace, 32, 16);

SIZE(pantile_fill_options, 32);
MEMBER(pantile_fill_options, size, 0, 8);
MEMBER(pantile_fill_options, algorithm, 8, 4);
MEMBER(pantile_fill_options, launch, 12, 16);

SIZE(pantile_reverse_options, 16);
MEMBER(pantile_reverse_options, size, 0, 8);
MEMBER(pantile_reverse_options, tile, 8, 4);

SIZE(pantile_copy_options, 32);
MEMBER(pantile_copy_options, size, 0, 8);
MEMBER(pantile_copy_options, chunk_bytes, 8, 8);
MEMBER(pantile_copy_options, keep_bytes, 16, 8);
MEMBER(pantile_copy_options, in_flight, 24, 4);

SIZE(pantile_explanation, 56);
MEMBER(pantile_explanation, size, 0, 8);
MEMBER(pantile_explanation, text, 8, 8);
MEMBER(pantile_explanation, capacity, 16, 8);
MEMBER(pantile_explanation, length, 24, 8);
MEMBER(pantile_explanation, workspace_bytes, 32, 8);
MEMBER(pantile_explanation, flops, 40, 8);
MEMBER(pantile_explanation, bytes, 48, 8);

SIZE(pantile_status, 4);
VALUE(PANTILE_OK, 0);
VALUE(PANTILE_INVALID, 1);
VALUE(PANTILE_NOT_SUPPORTED, 2);
VALUE(PANTILE_NO_MEMORY, 3);
VALUE(PANTILE_UNAVAILABLE, 4);
VALUE(PANTILE_FAILED, 5);

SIZE(pantile_element, 4);
VALUE(PANTILE_FLOAT, 1);
VALUE(PANTILE_DOUBLE, 2);
VALUE(PANTILE_COMPLEX_FLOAT, 3);
VALUE(PANTILE_COMPLEX_DOUBLE, 4);
VALUE(PANTILE_INT8, 5);
VALUE(PANTILE_UINT8, 6);
VALUE(PANTILE_INT32, 7);
VALUE(PANTILE_UINT32, 8);
VALUE(PANTILE_INT64, 9);
VALUE(PANTILE_UINT64, 10);
VALUE(PANTILE_HALF, 11);
VALUE(PANTILE_BFLOAT16, 12);

SIZE(pantile_space, 4);
VALUE(PANTILE_SPACE_DEFAULT, 0);
VALUE(PANTILE_SPACE_HOST, 1);
VALUE(PANTILE_SPACE_DEVICE, 2);

SIZE(pantile_op, 4);
VALUE(PANTILE_OP_NONE, 0);
VALUE(PANTILE_OP_TRANSPOSE, 1);
VALUE(PANTILE_OP_CONJUGATE, 2);
VALUE(PANTILE_OP_CONJUGATE_TRANSPOSE, 3);
