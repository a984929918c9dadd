/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Transposition, addition, fill, copy: every element type, every layout. */
#include "support.h"
#include "tests.h"

#include <string.h>

static const int64_t shapes[][2] = {{1, 1}, {5, 7}, {64, 64}, {70, 33}, {1, 90}, {0, 4}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void transposed_into(operand const* A, int conjugate, operand* B) {
  for (int64_t i = 0; i < A->m.rows; ++i) {
    for (int64_t j = 0; j < A->m.cols; ++j)
      set(&B->m, j, i, conjugate ? conjugate_of(at(&A->m, i, j)) : at(&A->m, i, j));
  }
}

static void transpose_once(pantile_element element, int64_t const* shape, int variant) {
  pantile_transpose_options options = {sizeof options};
  options.conjugate = variant & 1;
  operand A = make(element, shape[0], shape[1], (enum layout)(variant % LAYOUTS));
  operand B = make(element, shape[1], shape[0], (enum layout)(variant / LAYOUTS)), wanted = copy_of(&B);
  transposed_into(&A, options.conjugate, &wanted);
  CHECK_DONE(pantile_transpose(NULL, &A.m, &B.m, &options));
  CHECK_EQUAL(&B, &wanted);
  drop(&A), drop(&B), drop(&wanted);
  if (shape[0] != shape[1]) return;
  operand C = make(element, shape[0], shape[0], (enum layout)(variant % LAYOUTS)), before = copy_of(&C);
  operand turned = copy_of(&C);
  transposed_into(&before, options.conjugate, &turned);
  CHECK_DONE(pantile_transpose_in_place(NULL, &C.m, &options));
  CHECK_EQUAL(&C, &turned);
  drop(&C), drop(&before), drop(&turned);
}

static void transpose_each(pantile_element const* element) {
  for (; *element != 0; ++element) {
    for (int s = 0; s < SHAPES; ++s) {
      for (int variant = 0; variant < LAYOUTS * LAYOUTS; ++variant) transpose_once(*element, shapes[s], variant);
    }
  }
}

void test_transpose(void) {
  transpose_each(held_elements);
  transpose_each(moved_elements);
  operand A = make(PANTILE_DOUBLE, 3, 4, BY_ROWS), B = make(PANTILE_DOUBLE, 3, 4, BY_ROWS), untouched = copy_of(&B);
  operand F = make(PANTILE_FLOAT, 4, 3, BY_ROWS);
  pantile_transpose_options options = {sizeof options};
  pantile_explanation explanation = {sizeof explanation};
  char const* const call = "pantile_transpose";
  CHECK_REFUSED(pantile_transpose(NULL, &A.m, &B.m, NULL), PANTILE_INVALID, call,
                "B must be 4x3 (columns of A by rows of A); A 3x4 strides (4,1), B 3x4 strides (4,1)");
  CHECK_REFUSED(pantile_transpose(NULL, &A.m, &F.m, NULL), PANTILE_NOT_SUPPORTED, call, "A is double, B is float");
  CHECK_REFUSED(pantile_transpose(NULL, NULL, &B.m, NULL), PANTILE_INVALID, call, "A must not be NULL");
  CHECK_REFUSED(pantile_transpose(NULL, &A.m, NULL, NULL), PANTILE_INVALID, call, "B must not be NULL");
  options.tile = -1;
  CHECK_REFUSED(pantile_transpose(NULL, &A.m, &B.m, &options), PANTILE_INVALID, call, "tile");
  CHECK_REFUSED(pantile_transpose_in_place(NULL, &B.m, NULL), PANTILE_INVALID, "pantile_transpose_in_place",
                "A must be square");
  CHECK_REFUSED(pantile_transpose_in_place(NULL, NULL, NULL), PANTILE_INVALID, "pantile_transpose_in_place",
                "A must not be NULL");
  CHECK_REFUSED(pantile_explain_transpose(NULL, &A.m, &B.m, NULL, NULL), PANTILE_INVALID, "pantile_explain_transpose",
                "explanation must not be NULL");
  CHECK_REFUSED(pantile_explain_transpose_in_place(NULL, &B.m, NULL, &explanation), PANTILE_INVALID,
                "pantile_explain_transpose_in_place", "A must be square");
  CHECK_EQUAL(&B, &untouched);
  B.m.rows = 4, B.m.cols = 3, B.m.row_stride = 3;
  CHECK_DONE(pantile_explain_transpose(NULL, &A.m, &B.m, NULL, &explanation));
  CHECK(explanation.bytes == 2 * 12 * 8.0 && explanation.length > 0);
  CHECK_EQUAL(&B, &untouched);
  drop(&A), drop(&B), drop(&F), drop(&untouched);
}

static void add_once(pantile_element element, int64_t const* shape, int variant, int scaled) {
  operand A = make(element, shape[0], shape[1], (enum layout)(variant % LAYOUTS));
  operand B = make(element, shape[0], shape[1], (enum layout)((variant + 1) % LAYOUTS));
  operand C = make(element, shape[0], shape[1], (enum layout)(variant / LAYOUTS)), wanted = copy_of(&C);
  number const one = {1, 0}, alpha = scaled ? next_number(element) : one, beta = scaled ? next_number(element) : one;
  double alpha_memory[2], beta_memory[2];
  put(element, alpha_memory, 0, alpha);
  put(element, beta_memory, 0, beta);
  for (int64_t i = 0; i < shape[0]; ++i) {
    for (int64_t j = 0; j < shape[1]; ++j) {
      set(&wanted.m, i, j, sum_of(product_of(alpha, at(&A.m, i, j)), product_of(beta, at(&B.m, i, j))));
    }
  }
  CHECK_DONE(pantile_add(NULL, scaled ? alpha_memory : NULL, &A.m, scaled ? beta_memory : NULL, &B.m, &C.m, NULL));
  CHECK_EQUAL(&C, &wanted);
  drop(&A), drop(&B), drop(&C), drop(&wanted);
}

void test_add(void) {
  for (pantile_element const* element = held_elements; *element != 0; ++element) {
    for (int s = 0; s < SHAPES; ++s) {
      for (int variant = 0; variant < LAYOUTS * LAYOUTS; ++variant) add_once(*element, shapes[s], variant, variant % 3);
    }
  }
  operand A = make(PANTILE_INT32, 3, 4, BY_ROWS), B = make(PANTILE_INT32, 3, 5, BY_ROWS), untouched = copy_of(&B);
  operand F = make(PANTILE_FLOAT, 3, 4, BY_ROWS);
  pantile_add_options options = {sizeof options};
  pantile_explanation explanation = {sizeof explanation};
  CHECK_REFUSED(pantile_add(NULL, NULL, &A.m, NULL, &A.m, &B.m, NULL), PANTILE_INVALID, "pantile_add", "3x4");
  CHECK_REFUSED(pantile_add(NULL, NULL, &A.m, NULL, &F.m, &A.m, NULL), PANTILE_NOT_SUPPORTED, "pantile_add",
                "A is int32, B is float, C is int32");
  CHECK_REFUSED(pantile_add(NULL, NULL, NULL, NULL, &B.m, &B.m, NULL), PANTILE_INVALID, "pantile_add",
                "A must not be NULL");
  CHECK_REFUSED(pantile_add(NULL, NULL, &B.m, NULL, NULL, &B.m, NULL), PANTILE_INVALID, "pantile_add",
                "B must not be NULL");
  CHECK_REFUSED(pantile_add(NULL, NULL, &B.m, NULL, &B.m, NULL, NULL), PANTILE_INVALID, "pantile_add",
                "C must not be NULL");
  options.algorithm = 5;
  CHECK_REFUSED(pantile_add(NULL, NULL, &B.m, NULL, &B.m, &B.m, &options), PANTILE_INVALID, "pantile_add", "algorithm");
  CHECK_REFUSED(pantile_explain_add(NULL, NULL, &B.m, NULL, &B.m, &B.m, NULL, NULL), PANTILE_INVALID,
                "pantile_explain_add", "explanation must not be NULL");
  CHECK_DONE(pantile_explain_add(NULL, NULL, &B.m, NULL, &B.m, &B.m, NULL, &explanation));
  CHECK(explanation.length > 0);
  CHECK_EQUAL(&B, &untouched);
  drop(&A), drop(&B), drop(&F), drop(&untouched);
}

static void fill_all(operand* o, number value) {
  for (int64_t i = 0; i < o->m.rows; ++i) {
    for (int64_t j = 0; j < o->m.cols; ++j) set(&o->m, i, j, value);
  }
}

void test_fill(void) {
  number const zero = {0, 0};
  for (pantile_element const* element = held_elements; *element != 0; ++element) {
    for (int s = 0; s < SHAPES; ++s) {
      operand C = make(*element, shapes[s][0], shapes[s][1], (enum layout)(s % LAYOUTS)), wanted = copy_of(&C);
      number const value = next_number(*element);
      double memory[2];
      put(*element, memory, 0, value);
      fill_all(&wanted, value);
      CHECK_DONE(pantile_fill(NULL, &C.m, memory, NULL));
      CHECK_EQUAL(&C, &wanted);
      fill_all(&wanted, zero);
      CHECK_DONE(pantile_fill(NULL, &C.m, NULL, NULL));
      CHECK_EQUAL(&C, &wanted);
      drop(&C), drop(&wanted);
    }
  }
  operand C = make(PANTILE_DOUBLE, 3, 4, BY_ROWS), untouched = copy_of(&C), bytes = make(PANTILE_UINT8, 2, 2, BY_ROWS);
  pantile_fill_options options = {sizeof options};
  pantile_explanation explanation = {sizeof explanation};
  pantile_matrix repeated = C.m;
  repeated.row_stride = 0;
  options.algorithm = 3;
  CHECK_REFUSED(pantile_fill(NULL, NULL, NULL, NULL), PANTILE_INVALID, "pantile_fill", "C must not be NULL");
  CHECK_REFUSED(pantile_fill(NULL, &repeated, NULL, NULL), PANTILE_INVALID, "pantile_fill",
                "C must not overlap itself");
  CHECK_REFUSED(pantile_fill(NULL, &C.m, NULL, &options), PANTILE_INVALID, "pantile_fill", "algorithm must be");
  CHECK_REFUSED(pantile_fill(NULL, &bytes.m, NULL, NULL), PANTILE_NOT_SUPPORTED, "pantile_fill", "C, which is uint8");
  CHECK_REFUSED(pantile_explain_fill(NULL, &C.m, NULL, NULL, NULL), PANTILE_INVALID, "pantile_explain_fill",
                "explanation must not be NULL");
  CHECK_DONE(pantile_explain_fill(NULL, &C.m, NULL, NULL, &explanation));
  CHECK(explanation.bytes == 12 * 8.0);
  CHECK_EQUAL(&C, &untouched);
  drop(&C), drop(&untouched), drop(&bytes);
}

static void copy_once(pantile_element element, int64_t const* shape, int variant) {
  operand from = make(element, shape[0], shape[1], (enum layout)(variant % LAYOUTS));
  operand to = make(element, shape[0], shape[1], (enum layout)(variant / LAYOUTS)), wanted = copy_of(&to);
  for (int64_t i = 0; i < shape[0]; ++i) {
    for (int64_t j = 0; j < shape[1]; ++j) set(&wanted.m, i, j, at(&from.m, i, j));
  }
  CHECK_DONE(pantile_copy(NULL, &to.m, &from.m, NULL));
  CHECK_EQUAL(&to, &wanted);
  drop(&from), drop(&to), drop(&wanted);
}

void test_copy(void) {
  for (pantile_element element = PANTILE_FLOAT; element <= PANTILE_BFLOAT16; ++element) {
    for (int s = 0; s < SHAPES; ++s) {
      for (int variant = 0; variant < LAYOUTS * LAYOUTS; ++variant) copy_once(element, shapes[s], variant);
    }
  }
  operand A = make(PANTILE_DOUBLE, 3, 4, BY_ROWS), B = make(PANTILE_DOUBLE, 4, 3, BY_ROWS), untouched = copy_of(&A);
  operand F = make(PANTILE_FLOAT, 3, 4, BY_ROWS);
  pantile_copy_options options = {sizeof options};
  pantile_explanation explanation = {sizeof explanation};
  CHECK_REFUSED(pantile_copy(NULL, &A.m, &B.m, NULL), PANTILE_INVALID, "pantile_copy",
                "destination must have the extents of source (4x3)");
  CHECK_REFUSED(pantile_copy(NULL, &A.m, &F.m, NULL), PANTILE_NOT_SUPPORTED, "pantile_copy",
                "destination is double, source is float");
  CHECK_REFUSED(pantile_copy(NULL, NULL, &F.m, NULL), PANTILE_INVALID, "pantile_copy", "destination must not be NULL");
  CHECK_REFUSED(pantile_copy(NULL, &A.m, NULL, NULL), PANTILE_INVALID, "pantile_copy", "source must not be NULL");
  options.in_flight = -1;
  CHECK_REFUSED(pantile_copy(NULL, &A.m, &A.m, &options), PANTILE_INVALID, "pantile_copy",
                "in_flight must be at least 1");
  options.in_flight = 0;
  options.chunk_bytes = -2;
  CHECK_REFUSED(pantile_copy(NULL, &A.m, &A.m, &options), PANTILE_INVALID, "pantile_copy",
                "chunk_bytes must not be less than -1, it is -2");
  options.chunk_bytes = -1;
  options.keep_bytes = -3;
  CHECK_REFUSED(pantile_copy(NULL, &A.m, &A.m, &options), PANTILE_INVALID, "pantile_copy",
                "keep_bytes must not be less than -1, it is -3");
  options.keep_bytes = 4096;
  CHECK_DONE(pantile_copy(NULL, &A.m, &A.m, &options));
  CHECK_REFUSED(pantile_explain_copy(NULL, &A.m, &A.m, NULL, NULL), PANTILE_INVALID, "pantile_explain_copy",
                "explanation must not be NULL");
  A.m.row_stride = 1, A.m.col_stride = 3;
  operand D = copy_of(&untouched);
  CHECK_DONE(pantile_explain_copy(NULL, &A.m, &D.m, NULL, &explanation));
  CHECK(explanation.bytes == 12 * 8.0 && explanation.length > 0);
  CHECK(explanation.workspace_bytes == 0 && explanation.flops == 0);
  CHECK_EQUAL(&A, &untouched);
  drop(&A), drop(&B), drop(&D), drop(&F), drop(&untouched);
}
