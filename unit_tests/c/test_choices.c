/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every option arrives, and as none but itself: explanations name what was asked for, and what no call takes is refused
   by its name. */
#include "support.h"
#include "tests.h"

#include <string.h>

static const pantile_launch launch = {{3, 5}, {2, 1}}; /* told as "2x1 threads" and "15 x 2 threads" */
static char text[2000];

static pantile_explanation* answer(void) {
  static pantile_explanation explanation = {sizeof explanation, text, sizeof text, 0, 0, 0, 0};
  return &explanation;
}

/* The call has explained itself with these words. */
static void check_told(pantile_status status, char const* words, char const* file, int line) {
  check_done(status, file, line);
  check(status == PANTILE_OK && strstr(text, words) != NULL, file, line, words);
}
#define CHECK_TOLD(status, words) check_told((status), (words), __FILE__, __LINE__)

static void test_matmul_choices(pantile_matrix const* A, pantile_matrix const* B, pantile_matrix const* C) {
  char const* const call = "pantile_matmul";
  pantile_matmul_options options = {sizeof options};
  options.algorithm = 3, options.tile_m = 16, options.tile_n = 32, options.tile_k = 8;
  CHECK_TOLD(pantile_explain_matmul(NULL, NULL, A, B, NULL, C, &options, answer()), "matmul[tiled,");
  CHECK(strstr(text, " 16x32x8 ") != NULL);
  options.algorithm = 2, options.tile_m = 0, options.tile_n = 0, options.tile_k = 0, options.launch = launch;
  CHECK_TOLD(pantile_explain_matmul(NULL, NULL, A, B, NULL, C, &options, answer()), "matmul[grid_stride,");
  CHECK(strstr(text, " 2x1 threads") != NULL && strstr(text, " 15 x 2 threads") != NULL);
  options.precision = 3;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, B, NULL, C, &options), PANTILE_INVALID, call, "precision must be full");
}

static void test_transpose_choices(pantile_matrix const* A, pantile_matrix const* B) {
  char const* const call = "pantile_transpose";
  pantile_transpose_options options = {sizeof options};
  options.algorithm = 3, options.tile = 16;
  CHECK_TOLD(pantile_explain_transpose(NULL, A, B, &options, answer()), "transpose[padded,");
  CHECK(strstr(text, " 16x16, ") != NULL);
  options.algorithm = 2;
  CHECK_TOLD(pantile_explain_transpose(NULL, A, B, &options, answer()), "transpose[tiled,");
#ifndef PANTILE_TEST_WITH_DEVICE /* which needs none */
  double memory[1];
  options.workspace.data = memory, options.workspace.bytes = sizeof memory;
  CHECK_REFUSED(pantile_transpose(NULL, A, B, &options), PANTILE_INVALID, call, "workspace");
#endif
  options.rows_per_thread = -1;
  CHECK_REFUSED(pantile_transpose(NULL, A, B, &options), PANTILE_INVALID, call, "rows_per_thread");
}

static void test_elementwise_choices(pantile_matrix const* A, pantile_matrix const* C) {
  pantile_add_options add = {sizeof add};
  pantile_fill_options fill = {sizeof fill};
  add.algorithm = 1, add.tile.x = 8, add.tile.y = 2;
  CHECK_TOLD(pantile_explain_add(NULL, NULL, A, NULL, A, C, &add, answer()), "add[naive,");
  CHECK(strstr(text, " 8x2\n") != NULL);
  add.algorithm = 2, add.tile.x = 0, add.tile.y = 0, add.launch = launch;
  CHECK_TOLD(pantile_explain_add(NULL, NULL, A, NULL, A, C, &add, answer()), "add[grid_stride,");
  CHECK(strstr(text, " 2x1 threads") != NULL && strstr(text, " 15 x 2 threads") != NULL);
  fill.algorithm = 2, fill.launch = launch;
  CHECK_TOLD(pantile_explain_fill(NULL, C, NULL, &fill, answer()), "fill[grid_stride,");
  CHECK(strstr(text, " 2x1 threads") != NULL && strstr(text, " 15 x 2 threads") != NULL);
}

static void test_vector_choices(operand const* O) {
  pantile_vector const x = {O->m.data, O->m.element, 900, 1};
  pantile_vector const y = {(double*)O->m.data + 900, O->m.element, 900, 1};
  pantile_reverse_options options = {sizeof options};
  options.tile = 64;
  CHECK_TOLD(pantile_explain_reverse(NULL, &x, &y, &options, answer()), " 64\n");
}

static void test_histogram_choices(pantile_matrix const* C) {
  operand I = make(PANTILE_INT32, 1000, 1, BY_ROWS);
  pantile_matrix const counts = {C->data, C->element, 7, 1, 1, 1};
  pantile_histogram_options options = {sizeof options};
  options.algorithm = 2, options.teams = 3;
  CHECK_TOLD(pantile_explain_histogram(NULL, &I.m, NULL, &counts, &options, answer()), "histogram[scratch,");
  CHECK(strstr(text, " 3 x ") != NULL);
  options.algorithm = 1, options.teams = 0;
  CHECK_TOLD(pantile_explain_histogram(NULL, &I.m, NULL, &counts, &options, answer()), "histogram[global_atomic,");
  options.workspace.bytes = 64;
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, NULL, &counts, &options), PANTILE_INVALID, "pantile_histogram",
                "workspace");
  drop(&I);
}

void test_choices(void) {
  operand A = make(PANTILE_DOUBLE, 60, 60, BY_ROWS), B = make(PANTILE_DOUBLE, 60, 60, BY_ROWS);
  operand C = make(PANTILE_DOUBLE, 60, 60, BY_ROWS), untouched = copy_of(&C);
  test_matmul_choices(&A.m, &B.m, &C.m);
  test_transpose_choices(&A.m, &C.m);
  test_elementwise_choices(&A.m, &C.m);
  test_vector_choices(&C);
  test_histogram_choices(&C.m);
  CHECK_EQUAL(&C, &untouched);
  drop(&A), drop(&B), drop(&C), drop(&untouched);
}
