/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support.h"
#include "tests.h"

#include <stdlib.h>
#include <string.h>

/* What the library multiplies: elements of A and B, of C, and the sums that are asked for and formed. */
typedef struct {
  pantile_element operands, result, asked, sum;
} held;

static const held products[] = {
    {PANTILE_FLOAT, PANTILE_FLOAT, 0, PANTILE_FLOAT},
    {PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_FLOAT},
    {PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_DOUBLE, PANTILE_DOUBLE},
    {PANTILE_FLOAT, PANTILE_DOUBLE, 0, PANTILE_DOUBLE},
    {PANTILE_DOUBLE, PANTILE_DOUBLE, 0, PANTILE_DOUBLE},
    {PANTILE_COMPLEX_FLOAT, PANTILE_COMPLEX_FLOAT, 0, PANTILE_COMPLEX_FLOAT},
    {PANTILE_COMPLEX_FLOAT, PANTILE_COMPLEX_FLOAT, PANTILE_COMPLEX_DOUBLE, PANTILE_COMPLEX_DOUBLE},
    {PANTILE_COMPLEX_FLOAT, PANTILE_COMPLEX_DOUBLE, PANTILE_COMPLEX_DOUBLE, PANTILE_COMPLEX_DOUBLE},
    {PANTILE_COMPLEX_DOUBLE, PANTILE_COMPLEX_DOUBLE, PANTILE_COMPLEX_DOUBLE, PANTILE_COMPLEX_DOUBLE},
    {PANTILE_INT32, PANTILE_INT32, 0, PANTILE_INT32},
    {PANTILE_UINT32, PANTILE_UINT32, 0, PANTILE_UINT32},
    {PANTILE_INT64, PANTILE_INT64, 0, PANTILE_INT64},
    {PANTILE_UINT64, PANTILE_UINT64, PANTILE_UINT64, PANTILE_UINT64},
    {PANTILE_INT8, PANTILE_INT8, 0, PANTILE_INT32},
    {PANTILE_INT8, PANTILE_INT8, PANTILE_UINT32, PANTILE_UINT32},
    {PANTILE_INT8, PANTILE_INT32, PANTILE_INT32, PANTILE_INT32},
    {PANTILE_INT8, PANTILE_INT32, PANTILE_UINT32, PANTILE_UINT32},
    {PANTILE_INT8, PANTILE_UINT32, PANTILE_INT32, PANTILE_INT32},
    {PANTILE_INT8, PANTILE_UINT32, PANTILE_UINT32, PANTILE_UINT32},
    {PANTILE_UINT8, PANTILE_UINT8, PANTILE_INT32, PANTILE_INT32},
    {PANTILE_UINT8, PANTILE_UINT8, PANTILE_UINT32, PANTILE_UINT32},
    {PANTILE_UINT8, PANTILE_INT32, 0, PANTILE_INT32},
    {PANTILE_UINT8, PANTILE_INT32, PANTILE_UINT32, PANTILE_UINT32},
    {PANTILE_UINT8, PANTILE_UINT32, 0, PANTILE_INT32},
    {PANTILE_UINT8, PANTILE_UINT32, PANTILE_UINT32, PANTILE_UINT32},
    {PANTILE_HALF, PANTILE_HALF, 0, PANTILE_FLOAT},
    {PANTILE_HALF, PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_FLOAT},
    {PANTILE_BFLOAT16, PANTILE_BFLOAT16, PANTILE_FLOAT, PANTILE_FLOAT},
    {PANTILE_BFLOAT16, PANTILE_FLOAT, 0, PANTILE_FLOAT},
};
enum { PRODUCTS = sizeof products / sizeof *products };

static operand make_for(pantile_element element, pantile_op op, int64_t rows, int64_t cols, enum layout layout) {
  int const transposes = op == PANTILE_OP_TRANSPOSE || op == PANTILE_OP_CONJUGATE_TRANSPOSE;
  return transposes ? make(element, cols, rows, layout) : make(element, rows, cols, layout);
}

static void test_product(held const* p, int64_t m, int64_t n, int64_t k, int variant) {
  pantile_matmul_options options = {sizeof options};
  options.op_a = variant % 4;
  options.op_b = (variant + 1) % 4;
  options.sum = p->asked;
  operand A = make_for(p->operands, options.op_a, m, k, (enum layout)(variant % LAYOUTS));
  operand B = make_for(p->operands, options.op_b, k, n, (enum layout)((variant + 1) % LAYOUTS));
  operand C = make(p->result, m, n, (enum layout)((variant / 2) % LAYOUTS));
  operand wanted = copy_of(&C);
  number const alpha = next_number(p->sum), beta = next_number(p->sum);
  double alpha_memory[2], beta_memory[2];
  put(p->sum, alpha_memory, 0, alpha);
  put(p->sum, beta_memory, 0, beta);
  multiply(alpha, &A.m, options.op_a, &B.m, options.op_b, beta, &wanted.m);
  CHECK_DONE(pantile_matmul(NULL, alpha_memory, &A.m, &B.m, beta_memory, &C.m, &options));
  CHECK_EQUAL(&C, &wanted);
  drop(&A), drop(&B), drop(&C), drop(&wanted);
}

/* NULL for alpha, beta and options. */
static void test_defaults(pantile_element element) {
  number const one = {1, 0}, zero = {0, 0};
  operand A = make(element, 6, 4, BY_ROWS), B = make(element, 4, 5, BY_COLUMNS), C = make(element, 6, 5, BY_ROWS);
  operand wanted = copy_of(&C);
  multiply(one, &A.m, PANTILE_OP_NONE, &B.m, PANTILE_OP_NONE, zero, &wanted.m);
  CHECK_DONE(pantile_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL));
  CHECK_EQUAL(&C, &wanted);
  drop(&A), drop(&B), drop(&C), drop(&wanted);
}

/* 2^24 + 1 is no float, and is not lost in a double. */
static void test_wider_sums(void) {
  float const numbers[] = {16777216, 1, -16777216, 1, 1, 1, -1};
  float *const a = take(sizeof numbers), *const b = a + 3, *const c = b + 3;
  pantile_matrix const A = {a, PANTILE_FLOAT, 1, 3, 3, 1}, B = {b, PANTILE_FLOAT, 3, 1, 1, 1};
  pantile_matrix const C = {c, PANTILE_FLOAT, 1, 1, 1, 1};
  char text[2000];
  pantile_explanation explanation = {sizeof explanation, text, sizeof text, 0, 0, 0, 0};
  pantile_matmul_options options = {sizeof options};
  memcpy(a, numbers, sizeof numbers);
  options.sum = PANTILE_DOUBLE;
  CHECK_DONE(pantile_matmul(NULL, NULL, &A, &B, NULL, &C, &options));
  CHECK(c[0] == 1);
  CHECK_DONE(pantile_explain_matmul(NULL, NULL, &A, &B, NULL, &C, &options, &explanation));
  CHECK(strstr(text, "double") != NULL);
  give_back(a);
}

static void test_refused_products(void) {
  static const struct {
    pantile_element A, B, C, sum;
    pantile_status status;
    char const* words;
  } table[] = {
      {PANTILE_DOUBLE, PANTILE_DOUBLE, PANTILE_DOUBLE, PANTILE_FLOAT, PANTILE_NOT_SUPPORTED,
       "the library does not hold this product: A is double, B is double, C is double, sums are float"},
      {PANTILE_DOUBLE, PANTILE_DOUBLE, PANTILE_FLOAT, 0, PANTILE_NOT_SUPPORTED, "A is double, B is double, C is float"},
      {PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_DOUBLE, PANTILE_FLOAT, PANTILE_NOT_SUPPORTED,
       "C is double, sums are float"},
      {PANTILE_INT8, PANTILE_UINT8, PANTILE_INT32, 0, PANTILE_NOT_SUPPORTED, "A is int8, B is uint8, C is int32"},
      {PANTILE_HALF, PANTILE_HALF, PANTILE_BFLOAT16, 0, PANTILE_NOT_SUPPORTED, "A is half, B is half, C is bfloat16"},
      {PANTILE_INT8, PANTILE_INT8, PANTILE_INT32, PANTILE_INT8, PANTILE_NOT_SUPPORTED, "C is int32, sums are int8"},
      {PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_FLOAT, 13, PANTILE_INVALID, "options.sum is 13, which is no element type"},
      {PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_FLOAT, -1, PANTILE_INVALID, "options.sum is -1, which is no element type"},
  };
  for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
    pantile_matmul_options options = {sizeof options};
    options.sum = table[t].sum;
    operand A = make(table[t].A, 2, 3, BY_ROWS), B = make(table[t].B, 3, 2, BY_ROWS),
            C = make(table[t].C, 2, 2, BY_ROWS);
    operand untouched = copy_of(&C);
    CHECK_REFUSED(pantile_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, &options), table[t].status, "pantile_matmul",
                  table[t].words);
    CHECK_EQUAL(&C, &untouched);
    drop(&A), drop(&B), drop(&C), drop(&untouched);
  }
}

void test_matmul(void) {
  static const int64_t shapes[][3] = {{1, 1, 1},  {5, 7, 3}, {33, 17, 65}, {1, 40, 30},
                                      {64, 1, 9}, {3, 4, 0}, {0, 3, 2}};
  for (int p = 0; p < PRODUCTS; ++p) {
    if (!is_held(products[p].operands, products[p].result, products[p].sum)) continue;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
      for (int variant = 0; variant < 16; ++variant) {
        test_product(&products[p], shapes[s][0], shapes[s][1], shapes[s][2], variant);
      }
    }
    test_defaults(products[p].operands);
  }
  if (is_held(PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_DOUBLE)) test_wider_sums();
  test_refused_products();
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
#ifdef PANTILE_TEST_WITH_DEVICE /* whose teams have scratch of their own */
  CHECK(explanation.workspace_bytes == 0);
#else
  CHECK(explanation.workspace_bytes > 0);
#endif
  multiply(one, &A.m, PANTILE_OP_NONE, &B.m, PANTILE_OP_NONE, zero, &wanted.m);
  options.workspace.bytes = explanation.workspace_bytes;
  options.workspace.data = take(options.workspace.bytes);
  CHECK_DONE(pantile_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, &options));
  CHECK_EQUAL(&C, &wanted);

#ifndef PANTILE_TEST_WITH_DEVICE
  --options.workspace.bytes;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, &options), PANTILE_INVALID, "pantile_matmul",
                "workspace");
  CHECK_EQUAL(&C, &wanted);
#endif
  give_back(options.workspace.data);
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
  cut.capacity = 1;
  CHECK_DONE(pantile_explain_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL, &cut));
  CHECK(start[0] == '\0' && start[1] == text[1]);
  cut.capacity = 0, start[0] = 'x';
  CHECK_DONE(pantile_explain_matmul(NULL, NULL, &A.m, &B.m, NULL, &C.m, NULL, &cut));
  CHECK(start[0] == 'x' && cut.length == whole.length);

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
