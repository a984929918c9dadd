/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What no call accepts, by the example of matmul: each time a status, the words, and an untouched result. */
#include "support.h"
#include "tests.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  operand A, B, C, untouched;
} product;

static product make_product(pantile_element element) {
  product p;
  p.A = make(element, 4, 6, BY_ROWS);
  p.B = make(element, 6, 5, BY_ROWS);
  p.C = make(element, 4, 5, BY_ROWS);
  p.untouched = copy_of(&p.C);
  return p;
}

static void drop_product(product* p) { drop(&p->A), drop(&p->B), drop(&p->C), drop(&p->untouched); }

/* One member of one operand gets a value that it cannot have. */
enum member { DATA, ELEMENT, ROWS, COLS, ROW_STRIDE, COL_STRIDE };

static void change(pantile_matrix* m, enum member member, int64_t value) {
  switch (member) {
    case DATA: m->data = value == 0 ? NULL : (char*)m->data + value; break;
    case ELEMENT: m->element = (pantile_element)value; break;
    case ROWS: m->rows = value; break;
    case COLS: m->cols = value; break;
    case ROW_STRIDE: m->row_stride = value; break;
    case COL_STRIDE: m->col_stride = value; break;
  }
}

/* How far operands of doubles may reach: 2^63 - 1 bytes, and no extent counts where there are no elements. Matrices and
   the batches of two or more that have them as their first one; only explained, where they are accepted. */
static void test_reach(void) {
  enum { M = 7, N = 2 }; /* strides of a small matrix of 2 x 3, which reaches over 12 elements */
  int64_t const most = INT64_MAX / 8, far = INT64_MAX, wraps_to_0 = (int64_t)1 << 62;
  struct {
    int64_t rows, cols, row_stride, col_stride;
    int too_far;
  } const matrices[] = {
      {2, 1, most - 1, 0, 0}, {2, 1, most, 0, 1},        {1, 2, 0, most - 1, 0},    {1, 2, 0, most, 1},
      {0, 5, far, far, 0},    {5, 0, far, far, 0},       {5, 1, wraps_to_0, 1, 1},  {1, 5, 1, wraps_to_0, 1},
      {2, 2, far, far, 1},    {far / 2 + 1, 2, 0, 0, 1}, {2, far / 2 + 1, 0, 0, 1},
  };
  struct {
    int64_t rows, cols, count, stride;
    int too_far;
  } const batches[] = {
      {2, 3, 2, most - 12, 0}, {2, 3, 2, most - 11, 1},   {2, 3, 5, wraps_to_0, 1}, {2, 3, 0, far, 0},
      {0, 3, 2, far, 0},       {2, 0, 2, far, 0},         {1, 3, 2, far, 1},        {2, 1, 2, far, 1},
      {2, 3, far / 6, 0, 0},   {2, 3, far / 6 + 1, 0, 1},
  };
  double* const memory = take(12 * sizeof *memory);
  pantile_explanation explanation = {sizeof explanation};
  for (size_t t = 0; t < sizeof matrices / sizeof *matrices; ++t) {
    pantile_matrix const C = {memory,           PANTILE_DOUBLE,         matrices[t].rows,
                              matrices[t].cols, matrices[t].row_stride, matrices[t].col_stride};
    pantile_status const status = pantile_explain_fill(NULL, &C, NULL, NULL, &explanation);
    if (matrices[t].too_far) {
      CHECK_REFUSED(status, PANTILE_INVALID, "pantile_explain_fill", "C must not reach further than 2^63 bytes");
    } else {
      CHECK_DONE(status);
    }
  }
  for (size_t t = 0; t < sizeof batches / sizeof *batches; ++t) {
    pantile_batch const A = {
        {memory, PANTILE_DOUBLE, batches[t].rows, batches[t].cols, M, N}, batches[t].count, batches[t].stride, NULL};
    /* As many matrices as no other operand has: sound operands are refused for that, and for nothing else. */
    pantile_batch const B = {{memory, PANTILE_DOUBLE, 3, 2, 2, 1}, 3, 6, NULL};
    CHECK_REFUSED(pantile_explain_transpose_batched(NULL, &A, &B, NULL, &explanation), PANTILE_INVALID,
                  "pantile_explain_transpose_batched",
                  batches[t].too_far ? "A must not reach further than 2^63 bytes" : "B must be a batch of");
  }
  give_back(memory);
}

/* Size, alignment and name of every element type: complex numbers need no more than their parts do. */
static void test_elements(void) {
  static const struct {
    pantile_element element;
    int alignment;
    char const* words;
  } table[] = {
      {PANTILE_FLOAT, 4, "source.data must be a multiple of 4 for float"},
      {PANTILE_DOUBLE, 8, "source.data must be a multiple of 8 for double"},
      {PANTILE_COMPLEX_FLOAT, 4, "source.data must be a multiple of 4 for complex<float>"},
      {PANTILE_COMPLEX_DOUBLE, 8, "source.data must be a multiple of 8 for complex<double>"},
      {PANTILE_INT8, 1, NULL},
      {PANTILE_UINT8, 1, NULL},
      {PANTILE_INT32, 4, "source.data must be a multiple of 4 for int32"},
      {PANTILE_UINT32, 4, "source.data must be a multiple of 4 for uint32"},
      {PANTILE_INT64, 8, "source.data must be a multiple of 8 for int64"},
      {PANTILE_UINT64, 8, "source.data must be a multiple of 8 for uint64"},
      {PANTILE_HALF, 2, "source.data must be a multiple of 2 for half"},
      {PANTILE_BFLOAT16, 2, "source.data must be a multiple of 2 for bfloat16"},
  };
  pantile_explanation explanation = {sizeof explanation};
  char const* const call = "pantile_explain_copy";
  for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
    double from[8] = {0}, to[8] = {0};
    int64_t const most = INT64_MAX / (int64_t)element_size(table[t].element);
    pantile_matrix B = {to, table[t].element, 2, 1, 1, 1}, A = B;
    A.data = (char*)from + table[t].alignment;
    CHECK_DONE(pantile_copy(NULL, &B, &A, NULL));
    A.row_stride = most - 1;
    CHECK_DONE(pantile_explain_copy(NULL, &B, &A, NULL, &explanation));
    A.row_stride = most;
    CHECK_REFUSED(pantile_explain_copy(NULL, &B, &A, NULL, &explanation), PANTILE_INVALID, call,
                  "source must not reach further than 2^63 bytes");
    if (table[t].words == NULL) continue;
    A.row_stride = 1, A.data = (char*)from + table[t].alignment / 2;
    CHECK_REFUSED(pantile_explain_copy(NULL, &B, &A, NULL, &explanation), PANTILE_INVALID, call, table[t].words);
  }
}

void test_operands(void) {
  static const struct {
    int operand;
    enum member member;
    int64_t value;
    pantile_status status;
    char const* words;
  } table[] = {
      {0, DATA, 0, PANTILE_INVALID, "A must not be null: its View has extents but no memory; A 4x6 strides (6,1)"},
      {1, DATA, 0, PANTILE_INVALID, "B must not be null"},
      {2, DATA, 0, PANTILE_INVALID, "C must not be null"},
      {0, DATA, 2, PANTILE_INVALID, "A.data must be a multiple of 8 for double"},
      {0, ELEMENT, 0, PANTILE_INVALID, "A.element is 0, which is no element type"},
      {1, ELEMENT, 13, PANTILE_INVALID, "B.element is 13, which is no element type"},
      {2, ELEMENT, -1, PANTILE_INVALID, "C.element is -1, which is no element type"},
      {1, ELEMENT, PANTILE_FLOAT, PANTILE_NOT_SUPPORTED,
       "the library does not hold this product: A is double, B is float, C is double"},
      {0, ROWS, -4, PANTILE_INVALID, "A.rows is -4, which must not be negative"},
      {1, COLS, -1, PANTILE_INVALID, "B.cols is -1, which must not be negative"},
      {2, ROW_STRIDE, -5, PANTILE_INVALID, "C.row_stride is -5, which must not be negative"},
      {0, COL_STRIDE, -1, PANTILE_INVALID, "A.col_stride is -1, which must not be negative"},
      {0, ROWS, INT64_MAX, PANTILE_INVALID, "A must not reach further than 2^63 bytes"},
      {0, ROW_STRIDE, INT64_MAX / 4, PANTILE_INVALID, "A must not reach further than 2^63 bytes"},
      {1, COL_STRIDE, INT64_MAX, PANTILE_INVALID, "B must not reach further than 2^63 bytes"},
      {1, ROWS, 5, PANTILE_INVALID, "columns of op(A) (6) must equal rows of op(B) (5)"},
      {2, ROWS, 3, PANTILE_INVALID, "C must be 4x5 (rows of op(A) by columns of op(B))"},
      {2, ROW_STRIDE, 0, PANTILE_INVALID, "C must not overlap itself"},
      {2, ROW_STRIDE, 4, PANTILE_INVALID, "C must not overlap itself"},
  };
  for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
    product p = make_product(PANTILE_DOUBLE);
    pantile_matrix m[3] = {p.A.m, p.B.m, p.C.m};
    change(&m[table[t].operand], table[t].member, table[t].value);
    CHECK_REFUSED(pantile_matmul(NULL, NULL, &m[0], &m[1], NULL, &m[2], NULL), table[t].status, "pantile_matmul",
                  table[t].words);
    CHECK_EQUAL(&p.C, &p.untouched);
    drop_product(&p);
  }

  product p = make_product(PANTILE_DOUBLE);
  pantile_matrix const *A = &p.A.m, *B = &p.B.m, *C = &p.C.m;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, NULL, B, NULL, C, NULL), PANTILE_INVALID, "pantile_matmul",
                "A must not be NULL");
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, NULL, NULL, C, NULL), PANTILE_INVALID, "pantile_matmul",
                "B must not be NULL");
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, B, NULL, NULL, NULL), PANTILE_INVALID, "pantile_matmul",
                "C must not be NULL");
  pantile_matrix overlapping = p.B.m;
  overlapping.data = (double*)p.C.m.data + 19; /* its first element is C's last one */
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, &overlapping, NULL, C, NULL), PANTILE_INVALID, "pantile_matmul",
                "C must not overlap B: they share memory");
  CHECK_EQUAL(&p.C, &p.untouched);
  drop_product(&p);
  test_elements();
  test_reach();
}

/* Structures of programs that were built with an older or a newer header. */
void test_options(void) {
  product p = make_product(PANTILE_DOUBLE);
  pantile_matrix const *A = &p.A.m, *B = &p.B.m, *C = &p.C.m;
  struct {
    pantile_matmul_options known;
    char unknown[24];
  } newer;
  memset(&newer, 0, sizeof newer);

  newer.known.size = 0;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known), PANTILE_INVALID, "pantile_matmul",
                "options.size is 0: it must be the size of the structure");
  newer.known.size = sizeof newer.known.size - 1;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known), PANTILE_INVALID, "pantile_matmul",
                "options.size is 7: it must be the size of the structure");
  newer.known.size = sizeof newer.known + 1;
  newer.unknown[0] = 1;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known), PANTILE_INVALID, "pantile_matmul",
                "options asks for what only a newer library knows");
  newer.unknown[0] = 0;
  newer.known.size = sizeof newer;
  newer.unknown[23] = 1;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known), PANTILE_INVALID, "pantile_matmul",
                "options asks for what only a newer library knows");
  newer.known.size = sizeof newer.known;
  newer.known.op_a = 4;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known), PANTILE_INVALID, "pantile_matmul",
                "op_a must be none, transpose, conjugate or conjugate_transpose, not 4");
  newer.known.op_a = 0;
  newer.known.algorithm = -1;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known), PANTILE_INVALID, "pantile_matmul",
                "algorithm must be automatic, naive");
  newer.known.algorithm = 4;
  newer.known.tile_m = 8;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known), PANTILE_INVALID, "pantile_matmul",
                "tile is for algorithm tiled, not blocked");
  CHECK_EQUAL(&p.C, &p.untouched);

  /* What lies beyond the size that the caller gives is not looked at. */
  newer.known.size = offsetof(pantile_matmul_options, tile_m);
  CHECK_DONE(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known));
  newer.known.op_a = 4;
  newer.known.size = sizeof newer.known.size;
  CHECK_DONE(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known));
  newer.known.op_a = 0;
  newer.known.tile_m = 0;
  newer.known.size = sizeof newer;
  newer.unknown[23] = 0;
  CHECK_DONE(pantile_matmul(NULL, NULL, A, B, NULL, C, &newer.known));
  drop_product(&p);
}

void test_instances(void) {
  pantile_exec* exec = NULL;
  char elsewhere = 0;
  CHECK_DONE(pantile_exec_create(PANTILE_SPACE_DEFAULT, NULL, &exec));
  CHECK(exec != NULL);
  pantile_exec_destroy(exec);
  CHECK_DONE(pantile_exec_create(PANTILE_SPACE_HOST, NULL, &exec));
  CHECK(exec != NULL);
  product p = make_product(PANTILE_DOUBLE), again = make_product(PANTILE_DOUBLE);
  CHECK_DONE(pantile_matmul(exec, NULL, &p.A.m, &p.B.m, NULL, &p.C.m, NULL));
  CHECK_DONE(pantile_matmul(NULL, NULL, &p.A.m, &p.B.m, NULL, &again.C.m, NULL));
  CHECK_EQUAL(&p.C, &again.C);
  CHECK_DONE(pantile_exec_fence(exec));
  CHECK_DONE(pantile_exec_fence(NULL));
  pantile_exec_destroy(exec);
  pantile_exec_destroy(NULL);
  drop_product(&p), drop_product(&again);

  CHECK_REFUSED(pantile_exec_create(PANTILE_SPACE_HOST, NULL, NULL), PANTILE_INVALID, "pantile_exec_create",
                "exec must not be NULL");
  CHECK_REFUSED(pantile_exec_create(3, NULL, &exec), PANTILE_INVALID, "pantile_exec_create",
                "space is 3, which is no space");
  CHECK_REFUSED(pantile_exec_create(-1, NULL, &exec), PANTILE_INVALID, "pantile_exec_create",
                "space is -1, which is no space");
  CHECK(exec == NULL);
  CHECK_REFUSED(pantile_exec_create(PANTILE_SPACE_HOST, &elsewhere, &exec), PANTILE_INVALID, "pantile_exec_create",
                "stream must be NULL: hosts have none");
#ifndef PANTILE_TEST_WITH_DEVICE
  CHECK_REFUSED(pantile_exec_create(PANTILE_SPACE_DEVICE, NULL, &exec), PANTILE_NOT_SUPPORTED, "pantile_exec_create",
                "this library was built without devices");
#endif
}
