/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Batches of products and transpositions: a stride apart in every order, one matrix for all, addresses. */
#include "support.h"
#include "tests.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 5 };

/* How the matrices of a batch lie: one after the other with gaps, element by element side by side, one for all, at
   addresses in falling order. */
enum lying { APART, SIDE_BY_SIDE, COMMON, ADDRESSES };

/* A batch with all the memory around it. */
typedef struct {
  operand memory;
  pantile_batch b;
  void** addresses; /* where calls on the default instance reach them, or NULL */
} stack;

static char* place_of(stack const* s, int64_t p) {
  return (char*)s->memory.m.data + p * s->b.stride * (int64_t)element_size(s->b.matrix.element);
}

/* Its matrix p. */
static pantile_matrix matrix_of(stack const* s, int64_t p) {
  pantile_matrix m = s->b.matrix;
  m.data = s->addresses == NULL ? place_of(s, p) : s->addresses[p];
  return m;
}

static void point_to(stack* s) {
  int64_t const matrix = (int64_t)element_size(s->b.matrix.element) * s->b.matrix.rows * s->b.matrix.row_stride;
  s->b.addresses = s->addresses = take(COUNT * sizeof *s->addresses);
  for (int64_t p = 0; p < COUNT; ++p) s->addresses[p] = (char*)s->memory.m.data + (COUNT - 1 - p) * matrix;
}

static void make_stack(stack* s, pantile_element element, int64_t rows, int64_t cols, enum lying lying) {
  int64_t const matrices = lying == COMMON ? 1 : COUNT;
  memset(s, 0, sizeof *s);
  s->b.count = COUNT;
  if (lying == SIDE_BY_SIDE) {
    pantile_matrix const m = {NULL, element, rows, cols, cols * COUNT, COUNT};
    s->memory = make(element, rows * cols, COUNT, BY_ROWS);
    s->b.matrix = m;
    s->b.stride = 1;
  } else {
    s->memory = make(element, matrices * rows, cols, ROWS_WITH_GAPS);
    s->b.matrix = s->memory.m;
    s->b.matrix.rows = rows;
    s->b.stride = lying == APART ? rows * s->memory.m.row_stride : 0;
  }
  s->b.matrix.data = lying == ADDRESSES ? NULL : s->memory.m.data;
  if (lying == ADDRESSES) point_to(s);
}

/* The same numbers elsewhere. */
static void copy_stack(stack* copy, stack const* s) {
  *copy = *s;
  copy->memory = copy_of(&s->memory);
  if (s->addresses != NULL) point_to(copy);
}

static void drop_stack(stack* s) {
  drop(&s->memory);
  give_back(s->addresses);
}

static void test_products(pantile_element element, pantile_element result, pantile_element sum, int64_t const* shape,
                          enum lying const* lying) {
  stack A, B, C, wanted;
  pantile_matmul_options options = {sizeof options};
  number const alpha = next_number(sum), beta = next_number(sum);
  double alpha_memory[2], beta_memory[2];
  put(sum, alpha_memory, 0, alpha);
  put(sum, beta_memory, 0, beta);
  options.op_b = PANTILE_OP_CONJUGATE_TRANSPOSE;
  options.sum = sum;
  make_stack(&A, element, shape[0], shape[2], lying[0]);
  make_stack(&B, element, shape[1], shape[2], lying[1]);
  make_stack(&C, result, shape[0], shape[1], lying[2]);
  copy_stack(&wanted, &C);
  for (int64_t p = 0; p < COUNT; ++p) {
    pantile_matrix const one_a = matrix_of(&A, p), one_b = matrix_of(&B, p), one_c = matrix_of(&wanted, p);
    multiply(alpha, &one_a, PANTILE_OP_NONE, &one_b, options.op_b, beta, &one_c);
  }
  CHECK_DONE(pantile_matmul_batched(NULL, alpha_memory, &A.b, &B.b, beta_memory, &C.b, &options));
  CHECK_EQUAL(&C.memory, &wanted.memory);
  drop_stack(&A), drop_stack(&B), drop_stack(&C), drop_stack(&wanted);
}

static void test_transpositions(pantile_element element, int64_t const* shape, enum lying from, enum lying to) {
  stack A, B, wanted;
  pantile_transpose_options options = {sizeof options};
  options.conjugate = 1;
  make_stack(&A, element, shape[0], shape[1], from);
  make_stack(&B, element, shape[1], shape[0], to);
  copy_stack(&wanted, &B);
  for (int64_t p = 0; p < COUNT; ++p) {
    pantile_matrix const a = matrix_of(&A, p), b = matrix_of(&wanted, p);
    for (int64_t i = 0; i < a.rows; ++i) {
      for (int64_t j = 0; j < a.cols; ++j) set(&b, j, i, conjugate_of(at(&a, i, j)));
    }
  }
  CHECK_DONE(pantile_transpose_batched(NULL, &A.b, &B.b, &options));
  CHECK_EQUAL(&B.memory, &wanted.memory);
  drop_stack(&A), drop_stack(&B), drop_stack(&wanted);
}

/* One member of one of three batches gets a value that it cannot have. */
static void test_refused_batches(void) {
  static const struct {
    int operand;
    int64_t count, stride, rows;
    pantile_status status;
    char const* words;
  } table[] = {
      {0, -1, 20, 4, PANTILE_INVALID, "A.count is -1, which must not be negative"},
      {1, 5, -30, 6, PANTILE_INVALID, "B.stride is -30, which must not be negative"},
      {2, 5, 20, -4, PANTILE_INVALID, "C.rows is -4, which must not be negative"},
      {0, 4, 24, 4, PANTILE_INVALID, "A must be a matrix or a batch of 5 as C is, not of 4; A 4x4x6 strides (24,"},
      {1, 5, 30, 5, PANTILE_INVALID, "columns of op(A) (6) must equal rows of op(B) (5)"},
      {2, 5, 0, 4, PANTILE_INVALID, "C must not overlap itself"},
      {2, 5, 19, 4, PANTILE_INVALID, "C must not overlap itself"},
      {0, 5, INT64_MAX / 16, 4, PANTILE_INVALID, "A must not reach further than 2^63 bytes"},
      {1, INT64_MAX, 1, 6, PANTILE_INVALID, "B must not reach further than 2^63 bytes"},
      {1, INT64_MAX, 0, 6, PANTILE_INVALID, "B must not reach further than 2^63 bytes"},
  };
  operand A = make(PANTILE_DOUBLE, 4 * COUNT, 6, BY_ROWS), B = make(PANTILE_DOUBLE, 6 * COUNT, 5, BY_ROWS);
  operand C = make(PANTILE_DOUBLE, 4 * COUNT, 5, BY_ROWS), untouched = copy_of(&C);
  pantile_batch const sound[] = {{A.m, COUNT, 24, NULL}, {B.m, COUNT, 30, NULL}, {C.m, COUNT, 20, NULL}};
  for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
    pantile_batch b[3];
    memcpy(b, sound, sizeof b);
    b[0].matrix.rows = b[2].matrix.rows = 4;
    b[1].matrix.rows = 6;
    pantile_batch* const changed = &b[table[t].operand];
    changed->count = table[t].count, changed->stride = table[t].stride, changed->matrix.rows = table[t].rows;
    CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, &b[0], &b[1], NULL, &b[2], NULL), table[t].status,
                  "pantile_matmul_batched", table[t].words);
    CHECK_EQUAL(&C, &untouched);
  }
  drop(&A), drop(&B), drop(&C), drop(&untouched);
}

static void test_refused_addresses(void) {
  char const* const call = "pantile_matmul_batched";
  stack A, B, C, untouched;
  pantile_matmul_options options = {sizeof options};
  pantile_explanation explanation = {sizeof explanation};
  make_stack(&A, PANTILE_DOUBLE, 3, 3, ADDRESSES), make_stack(&B, PANTILE_DOUBLE, 3, 3, ADDRESSES);
  make_stack(&C, PANTILE_DOUBLE, 3, 3, ADDRESSES);
  pantile_batch const *const a = &A.b, *const b = &B.b, *const c = &C.b;
  copy_stack(&untouched, &C);
  CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, NULL, b, NULL, c, NULL), PANTILE_INVALID, call,
                "A must not be NULL");
  CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, a, NULL, NULL, c, NULL), PANTILE_INVALID, call,
                "B must not be NULL");
  CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, a, b, NULL, NULL, NULL), PANTILE_INVALID, call,
                "C must not be NULL");
  pantile_batch changed = *b;
  changed.matrix.data = B.memory.m.data;
  CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, a, &changed, NULL, c, NULL), PANTILE_INVALID, call,
                "B.matrix.data must be NULL and its stride 0 where it has addresses");
  changed.matrix.data = NULL, changed.stride = 9;
  CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, a, &changed, NULL, c, NULL), PANTILE_INVALID, call,
                "B.matrix.data must be NULL and its stride 0 where it has addresses");
  changed.matrix.data = B.memory.m.data, changed.addresses = NULL;
  CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, a, &changed, NULL, c, NULL), PANTILE_INVALID, call,
                "A, B and C must all have addresses, or none of them");
  CHECK_REFUSED(pantile_transpose_batched(NULL, a, &changed, NULL), PANTILE_INVALID, "pantile_transpose_batched",
                "A and B must both have addresses, or none of them");
#ifndef PANTILE_TEST_WITH_DEVICE /* whose addresses the host does not look at */
  for (int p = 0; p < COUNT; ++p) {
    char words[] = "A.addresses[?] must be a multiple of 8 for double";
    words[strlen("A.addresses[")] = (char)('0' + p);
    A.addresses[p] = (char*)A.addresses[p] + 4;
    CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, a, b, NULL, c, NULL), PANTILE_INVALID, call, words);
    A.addresses[p] = (char*)A.addresses[p] - 4;
  }
  A.addresses[3] = NULL;
  CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, a, b, NULL, c, NULL), PANTILE_INVALID, call,
                "A must have no null pointer: its matrix 3 has no memory");
  A.addresses[3] = A.addresses[2];
#endif
  options.algorithm = 3;
  CHECK_REFUSED(pantile_matmul_batched(NULL, NULL, a, b, NULL, c, &options), PANTILE_INVALID, call,
                "algorithm tiled takes no batches");
  CHECK_REFUSED(pantile_explain_matmul_batched(NULL, NULL, a, b, NULL, c, NULL, NULL), PANTILE_INVALID,
                "pantile_explain_matmul_batched", "explanation must not be NULL");
  CHECK_DONE(pantile_explain_matmul_batched(NULL, NULL, a, b, NULL, c, NULL, &explanation));
  CHECK(explanation.flops == 2.0 * 27 * COUNT && explanation.length > 0);
  CHECK_EQUAL(&C.memory, &untouched.memory);
  drop_stack(&A), drop_stack(&B), drop_stack(&C), drop_stack(&untouched);
}

static void test_refused_transpositions(void) {
  char const* const call = "pantile_transpose_batched";
  stack A, B, untouched;
  pantile_explanation explanation = {sizeof explanation};
  make_stack(&A, PANTILE_DOUBLE, 3, 4, APART), make_stack(&B, PANTILE_DOUBLE, 4, 3, APART);
  copy_stack(&untouched, &B);
  pantile_batch bad = A.b;
  CHECK_REFUSED(pantile_transpose_batched(NULL, NULL, &B.b, NULL), PANTILE_INVALID, call, "A must not be NULL");
  CHECK_REFUSED(pantile_transpose_batched(NULL, &A.b, NULL, NULL), PANTILE_INVALID, call, "B must not be NULL");
  bad.count = 4;
  CHECK_REFUSED(pantile_transpose_batched(NULL, &bad, &B.b, NULL), PANTILE_INVALID, call,
                "B must be a batch of 4 as A is, not of 5");
  bad = A.b, bad.matrix.element = PANTILE_INT64;
  CHECK_REFUSED(pantile_transpose_batched(NULL, &bad, &B.b, NULL), PANTILE_NOT_SUPPORTED, call,
                "A is int64, B is double");
  CHECK_REFUSED(pantile_explain_transpose_batched(NULL, &A.b, &B.b, NULL, NULL), PANTILE_INVALID,
                "pantile_explain_transpose_batched", "explanation must not be NULL");
  CHECK_DONE(pantile_explain_transpose_batched(NULL, &A.b, &B.b, NULL, &explanation));
  CHECK(explanation.bytes == 2.0 * 12 * 8 * COUNT);
  CHECK_EQUAL(&B.memory, &untouched.memory);
  drop_stack(&A), drop_stack(&B), drop_stack(&untouched);
}

void test_batches(void) {
  static const enum lying lying[][3] = {{APART, APART, APART},          {COMMON, APART, APART},
                                        {APART, COMMON, SIDE_BY_SIDE},  {SIDE_BY_SIDE, SIDE_BY_SIDE, SIDE_BY_SIDE},
                                        {COMMON, COMMON, SIDE_BY_SIDE}, {ADDRESSES, ADDRESSES, ADDRESSES}};
  static const int64_t shapes[][3] = {{1, 1, 1}, {3, 4, 5}, {8, 8, 8}, {40, 33, 65}, {2, 3, 0}, {0, 2, 3}};
  static const pantile_element products[][3] = {{PANTILE_FLOAT, PANTILE_FLOAT, PANTILE_DOUBLE},
                                                {PANTILE_HALF, PANTILE_FLOAT, PANTILE_FLOAT},
                                                {PANTILE_BFLOAT16, PANTILE_BFLOAT16, PANTILE_FLOAT},
                                                {PANTILE_UINT8, PANTILE_INT32, PANTILE_INT32}};
  for (size_t l = 0; l < sizeof lying / sizeof *lying; ++l) {
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
      for (pantile_element const* element = held_elements; *element != 0; ++element) {
        test_products(*element, *element, *element, shapes[s], lying[l]);
      }
      for (size_t p = 0; p < sizeof products / sizeof *products; ++p) {
        pantile_element const* const of = products[p];
        if (is_held(of[0], of[1], of[2])) test_products(of[0], of[1], of[2], shapes[s], lying[l]);
      }
    }
  }
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
    for (pantile_element element = PANTILE_FLOAT; element <= PANTILE_BFLOAT16; ++element) {
      test_transpositions(element, shapes[s], APART, SIDE_BY_SIDE);
      test_transpositions(element, shapes[s], SIDE_BY_SIDE, APART);
      test_transpositions(element, shapes[s], COMMON, APART);
      test_transpositions(element, shapes[s], ADDRESSES, ADDRESSES);
    }
  }
  test_refused_batches();
  test_refused_addresses();
  test_refused_transpositions();
}
