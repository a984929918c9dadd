/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support.h"
#include "tests.h"

#include <stdlib.h>
#include <string.h>

static number operated(pantile_matrix const* m, pantile_op op, int64_t i, int64_t j) {
  int const transposes = op == PANTILE_OP_TRANSPOSE || op == PANTILE_OP_CONJUGATE_TRANSPOSE;
  number const value = transposes ? at(m, j, i) : at(m, i, j);
  return op >= PANTILE_OP_CONJUGATE ? conjugate_of(value) : value;
}

/* C = alpha op_a(A) op_b(B) + beta C, one product after the other. */
static void multiply(number alpha, operand const* A, pantile_op op_a, operand const* B, pantile_op op_b, int64_t depth,
                     number beta, operand* C) {
  for (int64_t i = 0; i < C->m.rows; ++i) {
    for (int64_t j = 0; j < C->m.cols; ++j) {
      number sum = {0, 0};
      for (int64_t k = 0; k < depth; ++k) {
        sum = sum_of(sum, product_of(operated(&A->m, op_a, i, k), operated(&B->m, op_b, k, j)));
      }
      set(&C->m, i, j, sum_of(product_of(alpha, sum), product_of(beta, at(&C->m, i, j))));
    }
  }
}

static operand make_for(pantile_element element, pantile_op op, int64_t rows, int64_t cols, enum layout layout) {
  int const transposes = op == PANTILE_OP_TRANSPOSE || op == PANTILE_OP_CONJUGATE_TRANSPOSE;
  return transposes ? make(element, cols, rows, layout) : make(element, rows, cols, layout);
}

static void test_product(pantile_element element, int64_t m, int64_t n, int64_t k, int variant) {
  pantile_matmul_options options = {sizeof options};
  options.op_a = variant % 4;
  options.op_b = (variant + 1) % 4;
  operand A = make_for(element, options.op_a, m, k, (enum layout)(variant % LAYOUTS));
  operand B = make_for(element, options.op_b, k, n, (enum layout)((variant + 1) % LAYOUTS));
  operand C = make(element, m, n, (enum layout)((variant / 2) % LAYOUTS));
  operand wanted = copy_of(&C);
  number const alpha = next_number(element), beta = next_number(element);
  double alpha_memory[2], beta_memory[2];
  put(element, alpha_memory, 0, alpha);
  put(element, beta_memory, 0, beta);
  multiply(alpha, &A, options.op_a, &B, options.op_b, k, beta, &wanted);
  CHECK_DONE(pantile_matmul(NULL, alpha_memory, &A.m, &B.m, beta_memory, &C.m, &options));
  CHECK_EQUAL(&C, &wanted);
  drop(&A), drop(&B), drop(&C), drop(&wanted);
}

/* NULL for alpha, beta and options. */
static void test_defaults(pantile_element element) {
  number const one = {1, 0}, zero = {0, 0};
  operand A = make(element, 6, 4, BY_ROWS), B = make(element, 4, 5, BY_COLUMNS), C = make(element, 6, 5, BY_ROWS);
  operand wanted = copy_of(&C);
  multiply(one, &A, PANTILE_OP_NONE, &B, PANTILE_OP_NONE, 4, zero, &wanted);
  CHECK_DONE(pantile_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL));
  CHECK_EQUAL(&C, &wanted);
  drop(&A), drop(&B), drop(&C), drop(&wanted);
}

void test_matmul(void) {
  static const int64_t shapes[][3] = {{1, 1, 1},  {5, 7, 3}, {33, 17, 65}, {1, 40, 30},
                                      {64, 1, 9}, {3, 4, 0}, {0, 3, 2}};
  for (pantile_element const* element = held_elements; *element != 0; ++element) {
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
      for (int variant = 0; variant < 16; ++variant) {
        test_product(*element, shapes[s][0], shapes[s][1], shapes[s][2], variant);
      }
    }
    test_defaults(*element);
  }
}

/* Large enough for all threads and memory to work in, which is the caller's. */
void test_workspace(void) {
  number const one = {1, 0}, zero = {0, 0};
  operand A = make(PANTILE_DOUBLE, 150, 170, BY_ROWS), B = make(PANTILE_DOUBLE, 170, 160, BY_ROWS);
  operand C = make(PANTILE_DOUBLE, 150, 160, BY_ROWS), wanted = copy_of(&C);
  pantile_matmul_options options = {sizeof options};
  pantile_explanation explanation = {sizeof explanation};
  options.algorithm = 3;
  CHECK_DONE(pantile_explain_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, &options, &explanation));
  CHECK(explanation.workspace_bytes > 0);
  multiply(one, &A, PANTILE_OP_NONE, &B, PANTILE_OP_NONE, 170, zero, &wanted);
  options.workspace.bytes = explanation.workspace_bytes;
  options.workspace.data = malloc(options.workspace.bytes);
  CHECK_DONE(pantile_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, &options));
  CHECK_EQUAL(&C, &wanted);

  --options.workspace.bytes;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, &options), PANTILE_INVALID, "pantile_matmul",
                "workspace");
  CHECK_EQUAL(&C, &wanted);
  free(options.workspace.data);
  drop(&A), drop(&B), drop(&C), drop(&wanted);
}

void test_explain(void) {
  operand A = make(PANTILE_FLOAT, 20, 30, BY_ROWS), B = make(PANTILE_FLOAT, 30, 40, BY_ROWS);
  operand C = make(PANTILE_FLOAT, 20, 40, BY_ROWS), untouched = copy_of(&C);
  char text[2000], start[10];
  pantile_explanation whole = {sizeof whole, text, sizeof text, 0, 0, 0, 0};
  pantile_explanation cut = {sizeof cut, start, sizeof start, 0, 0, 0, 0};
  pantile_explanation length_only = {sizeof length_only};
  CHECK_DONE(pantile_explain_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL, &whole));
  CHECK(strstr(text, "pantile::matmul[") == text && strstr(text, "float") != NULL);
  CHECK(whole.length == strlen(text) && whole.flops == 2.0 * 20 * 30 * 40);
  CHECK(whole.bytes == 4.0 * (20 * 30 + 30 * 40 + 20 * 40));
  CHECK_DONE(pantile_explain_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL, &cut));
  CHECK(cut.length == whole.length && strlen(start) == 9 && strncmp(start, text, 9) == 0);
  CHECK_DONE(pantile_explain_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL, &length_only));
  CHECK(length_only.length == whole.length);

  pantile_explanation bad = {sizeof bad, NULL, 5, 0, 0, 0, 0};
  char const* const call = "pantile_explain_matmul";
  CHECK_REFUSED(pantile_explain_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL, NULL), PANTILE_INVALID, call,
                "explanation must not be NULL");
  CHECK_REFUSED(pantile_explain_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL, &bad), PANTILE_INVALID, call,
                "explanation.text must not be NULL where it has a capacity");
  bad.size = 0;
  CHECK_REFUSED(pantile_explain_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL, &bad), PANTILE_INVALID, call,
                "explanation.size is 0");
  CHECK_REFUSED(pantile_explain_matmul(NULL, NULL, &A.m, &A.m, NULL, &C.m, NULL, &whole), PANTILE_INVALID, call,
                "columns of op(A) (30) must equal rows of op(B) (20)");
  CHECK_EQUAL(&C, &untouched);
  drop(&A), drop(&B), drop(&C), drop(&untouched);
}
