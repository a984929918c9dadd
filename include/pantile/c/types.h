/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#pragma once
/**
 * \file  The types of pantile/c/pantile.h.
 *
 * Enumerations are int32_t with named values: they have one size for every compiler, and a value without a name is
 * refused in words. Structures that calls take options from begin with their own size (pantile.h, Options).
 */
#include <stddef.h>
#include <stdint.h>

typedef int32_t pantile_status;
enum {
  PANTILE_OK = 0,
  PANTILE_INVALID = 1,       /**< an argument is wrong: the message names it and the rule */
  PANTILE_NOT_SUPPORTED = 2, /**< the library does not hold this operation for these element types */
  PANTILE_NO_MEMORY = 3,
  PANTILE_UNAVAILABLE = 4, /**< Kokkos is finalised or could not be started, or the process is ending */
  PANTILE_FAILED = 5       /**< anything else, such as an error of a device's driver */
};

typedef int32_t pantile_element;
enum {
  PANTILE_FLOAT = 1,
  PANTILE_DOUBLE = 2,
  PANTILE_COMPLEX_FLOAT = 3,
  PANTILE_COMPLEX_DOUBLE = 4,
  PANTILE_INT8 = 5,
  PANTILE_UINT8 = 6,
  PANTILE_INT32 = 7,
  PANTILE_UINT32 = 8,
  PANTILE_INT64 = 9,
  PANTILE_UINT64 = 10,
  PANTILE_HALF = 11,    /**< IEEE 754 binary16 */
  PANTILE_BFLOAT16 = 12 /**< the upper half of a float */
};

/** Element (i, j) lies at data + i row_stride + j col_stride; row-major: row_stride = cols, col_stride = 1. */
typedef struct {
  void* data;
  pantile_element element;
  int64_t rows, cols;
  int64_t row_stride, col_stride;
} pantile_matrix;

/** Element i lies at data + i stride. */
typedef struct {
  void* data;
  pantile_element element;
  int64_t size;
  int64_t stride;
} pantile_vector;

/** \brief  Matrices of one shape and of the same strides: number p begins at matrix.data + p stride, and a stride of 0
 *          stands for one matrix that all have in common; or at addresses[p], with NULL for matrix.data and 0 for
 *          stride. Addresses lie where the matrices do. */
typedef struct {
  pantile_matrix matrix; /**< the first one */
  int64_t count;
  int64_t stride;
  void* const* addresses; /**< NULL: a stride apart */
} pantile_batch;

/** An execution-space instance. */
typedef struct pantile_exec pantile_exec;

typedef int32_t pantile_space;
enum { PANTILE_SPACE_DEFAULT = 0, PANTILE_SPACE_HOST = 1, PANTILE_SPACE_DEVICE = 2 };

/** What is done to an operand before it is used. */
typedef int32_t pantile_op;
enum { PANTILE_OP_NONE = 0, PANTILE_OP_TRANSPOSE = 1, PANTILE_OP_CONJUGATE = 2, PANTILE_OP_CONJUGATE_TRANSPOSE = 3 };

/** Memory of the instance's space for a call to work in, as much as its explanation says; zeroes: none is given. */
typedef struct {
  void* data;
  size_t bytes;
} pantile_workspace;

/** Two edges, x along columns, y along rows; zeroes are chosen. */
typedef struct {
  int32_t x, y;
} pantile_extent2;

/** Blocks of threads, for the algorithms grid_stride. */
typedef struct {
  pantile_extent2 grid, block;
} pantile_launch;

/* Options are those of pantile/policy.hpp, where they are described; algorithms and other choices are given by the same
   numbers. */

typedef struct {
  size_t size;
  pantile_op op_a, op_b;
  int32_t algorithm; /**< 0 automatic, 1 naive, 2 grid_stride, 3 tiled, 4 blocked, 5 vendor */
  int32_t precision; /**< of products of floats: 0 full, 1 three_tf32, 2 tf32 */
  int32_t tile_m, tile_n, tile_k;
  pantile_launch launch;
  pantile_workspace workspace;
  pantile_element sum; /**< in which sums are formed, one of those in pantile.h (Products); 0: the first of them */
} pantile_matmul_options;

typedef struct {
  size_t size;
  int32_t conjugate;             /**< not 0: conjugate transpose */
  int32_t algorithm;             /**< 0 automatic, 1 naive, 2 tiled, 3 padded, 4 blocked */
  int32_t tile, rows_per_thread; /**< the latter on devices only */
  pantile_workspace workspace;
} pantile_transpose_options;

typedef struct {
  size_t size;
  int32_t algorithm; /**< 0 automatic, 1 naive, 2 grid_stride, 3 tiled, 4 blocked */
  pantile_extent2 tile;
  pantile_launch launch;
} pantile_add_options;

typedef struct {
  size_t size;
  int32_t algorithm;    /**< 0 automatic, 1 global_atomic, 2 scratch */
  int32_t out_of_range; /**< samples without a bin: 0 refuse the call, 1 ignore them, 2 count them in *ignored */
  uint64_t* ignored;    /**< in memory of the instance's space */
  int32_t accumulate;   /**< not 0: add to what counts and *ignored hold */
  int32_t teams;
  pantile_workspace workspace;
} pantile_histogram_options;

typedef struct {
  size_t size;
  int32_t algorithm; /**< 0 automatic, 1 naive, 2 grid_stride */
  pantile_launch launch;
} pantile_fill_options;

typedef struct {
  size_t size;
  int32_t tile;
} pantile_reverse_options;

/** Of copies between a device and pageable memory of the host; -1 stands for none. */
typedef struct {
  size_t size;
  int64_t chunk_bytes;
  int64_t keep_bytes;
  int32_t in_flight;
} pantile_copy_options;

/** \brief  What a call would do, and why. Set size, text and capacity before the call; text may be NULL. */
typedef struct {
  size_t size;            /**< of this structure */
  char* text;             /**< gets as many characters as fit, and a zero at the end */
  size_t capacity;        /**< of text, in characters */
  size_t length;          /**< out: characters of the whole text, without the zero */
  size_t workspace_bytes; /**< out: what options.workspace can give */
  double flops, bytes;    /**< out: arithmetic operations, and least bytes to move */
} pantile_explanation;
