/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const pantile_element held_elements[] = {PANTILE_FLOAT,          PANTILE_DOUBLE, PANTILE_COMPLEX_FLOAT,
                                         PANTILE_COMPLEX_DOUBLE, PANTILE_INT32,  PANTILE_UINT32,
                                         PANTILE_INT64,          PANTILE_UINT64, 0};
const pantile_element moved_elements[] = {PANTILE_INT8, PANTILE_UINT8, PANTILE_HALF, PANTILE_BFLOAT16, 0};
int failures = 0;

/* A number of 16 bits with so many bits for the fraction, which is 0 or neither subnormal nor too large. */
static uint16_t encoded(double value, int fraction) {
  int exponent = 0, bias = (1 << (14 - fraction)) - 1;
  double const magnitude = frexp(fabs(value), &exponent); /* in [0.5, 1) */
  double const rounded = rint(ldexp(magnitude, fraction + 1));
  if (value == 0) return 0;
  /* A fraction that is rounded up to a power of two carries into the exponent. */
  uint32_t const bits = ((uint32_t)(exponent - 1 + bias) << fraction) + (uint32_t)rounded - (1u << fraction);
  return (uint16_t)(bits | (value < 0 ? 0x8000u : 0u));
}
static double decoded(uint16_t bits, int fraction) {
  int const bias = (1 << (14 - fraction)) - 1, exponent = (bits & 0x7fff) >> fraction;
  double const magnitude =
      exponent == 0 ? 0 : ldexp((bits & ((1 << fraction) - 1)) + (1 << fraction), exponent - bias - fraction);
  return bits & 0x8000 ? -magnitude : magnitude;
}
static int fraction_of(pantile_element element) { return element == PANTILE_HALF ? 10 : 7; }

#ifdef PANTILE_TEST_WITH_DEVICE
/* CUDA's, whose headers are not needed for it. */
int cudaMallocManaged(void** memory, size_t bytes, unsigned flags);
int cudaFree(void* memory);

void* take(size_t bytes) {
  enum { ATTACHED_TO_ALL = 1 };
  void* memory = NULL;
  return cudaMallocManaged(&memory, bytes, ATTACHED_TO_ALL) == 0 ? memory : NULL;
}
void give_back(void* memory) { cudaFree(memory); }
#else
void* take(size_t bytes) { return malloc(bytes); }
void give_back(void* memory) { free(memory); }
#endif

size_t element_size(pantile_element element) {
  switch (element) {
    case PANTILE_INT8:
    case PANTILE_UINT8: return 1;
    case PANTILE_HALF:
    case PANTILE_BFLOAT16: return 2;
    case PANTILE_FLOAT:
    case PANTILE_INT32:
    case PANTILE_UINT32: return 4;
    case PANTILE_COMPLEX_DOUBLE: return 16;
    default: return 8;
  }
}

int is_held(pantile_element operands, pantile_element result, pantile_element sum) {
#ifdef PANTILE_TEST_ONE_TYPE
  return operands == result && operands == sum;
#else
  (void)operands, (void)result, (void)sum;
  return 1;
#endif
}

int is_complex(pantile_element element) {
  return element == PANTILE_COMPLEX_FLOAT || element == PANTILE_COMPLEX_DOUBLE;
}

void put(pantile_element element, void* data, int64_t index, number value) {
  switch (element) {
    case PANTILE_FLOAT: ((float*)data)[index] = (float)value.re; break;
    case PANTILE_DOUBLE: ((double*)data)[index] = value.re; break;
    case PANTILE_COMPLEX_FLOAT:
      ((float*)data)[2 * index] = (float)value.re;
      ((float*)data)[2 * index + 1] = (float)value.im;
      break;
    case PANTILE_COMPLEX_DOUBLE:
      ((double*)data)[2 * index] = value.re;
      ((double*)data)[2 * index + 1] = value.im;
      break;
    case PANTILE_INT8:
    case PANTILE_UINT8: ((int8_t*)data)[index] = (int8_t)(int64_t)value.re; break;
    case PANTILE_HALF:
    case PANTILE_BFLOAT16: ((uint16_t*)data)[index] = encoded(value.re, fraction_of(element)); break;
    case PANTILE_INT32:
    case PANTILE_UINT32: ((int32_t*)data)[index] = (int32_t)value.re; break;
    default: ((int64_t*)data)[index] = (int64_t)value.re;
  }
}

number get(pantile_element element, void const* data, int64_t index) {
  number value = {0, 0};
  switch (element) {
    case PANTILE_FLOAT: value.re = ((float const*)data)[index]; break;
    case PANTILE_DOUBLE: value.re = ((double const*)data)[index]; break;
    case PANTILE_COMPLEX_FLOAT:
      value.re = ((float const*)data)[2 * index];
      value.im = ((float const*)data)[2 * index + 1];
      break;
    case PANTILE_COMPLEX_DOUBLE:
      value.re = ((double const*)data)[2 * index];
      value.im = ((double const*)data)[2 * index + 1];
      break;
    case PANTILE_INT8:
    case PANTILE_UINT8: value.re = ((int8_t const*)data)[index]; break;
    case PANTILE_HALF:
    case PANTILE_BFLOAT16: value.re = decoded(((uint16_t const*)data)[index], fraction_of(element)); break;
    case PANTILE_INT32:
    case PANTILE_UINT32: value.re = ((int32_t const*)data)[index]; break;
    default: value.re = (double)((int64_t const*)data)[index];
  }
  return value;
}

static double next_part(void) {
  static uint32_t state = 20210;
  state = state * 1664525u + 1013904223u;
  return (double)((state >> 16) % 9) - 4;
}

number next_number(pantile_element element) {
  number value;
  value.re = next_part();
  value.im = is_complex(element) ? next_part() : 0;
  return value;
}

operand make(pantile_element element, int64_t rows, int64_t cols, enum layout layout) {
  operand o;
  int64_t const gap = layout == ROWS_WITH_GAPS || layout == COLUMNS_WITH_GAPS;
  int64_t const fast = 1 + gap;
  o.m.element = element;
  o.m.rows = rows;
  o.m.cols = cols;
  if (layout == BY_ROWS || layout == ROWS_WITH_GAPS) {
    o.m.col_stride = fast;
    o.m.row_stride = cols * fast + 3 * gap;
    o.count = rows * o.m.row_stride;
  } else {
    o.m.row_stride = fast;
    o.m.col_stride = rows * fast + 3 * gap;
    o.count = cols * o.m.col_stride;
  }
  o.m.data = take((size_t)o.count * element_size(element) + 1);
  for (int64_t i = 0; i < o.count; ++i) put(element, o.m.data, i, next_number(element));
  return o;
}

operand copy_of(operand const* o) {
  operand copy = *o;
  size_t const bytes = (size_t)o->count * element_size(o->m.element);
  copy.m.data = take(bytes + 1);
  memcpy(copy.m.data, o->m.data, bytes);
  return copy;
}

void drop(operand* o) { give_back(o->m.data); }

static int64_t place(pantile_matrix const* m, int64_t i, int64_t j) { return i * m->row_stride + j * m->col_stride; }
number at(pantile_matrix const* m, int64_t i, int64_t j) { return get(m->element, m->data, place(m, i, j)); }
void set(pantile_matrix const* m, int64_t i, int64_t j, number value) {
  put(m->element, m->data, place(m, i, j), value);
}

number sum_of(number a, number b) {
  number const sum = {a.re + b.re, a.im + b.im};
  return sum;
}
number product_of(number a, number b) {
  number const product = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return product;
}
number conjugate_of(number a) {
  number const conjugate = {a.re, -a.im};
  return conjugate;
}

static int transposes(pantile_op op) { return op == PANTILE_OP_TRANSPOSE || op == PANTILE_OP_CONJUGATE_TRANSPOSE; }
static number operated(pantile_matrix const* m, pantile_op op, int64_t i, int64_t j) {
  number value = transposes(op) ? at(m, j, i) : at(m, i, j);
  if (m->element == PANTILE_UINT8 && value.re < 0) value.re += 256;
  return op >= PANTILE_OP_CONJUGATE ? conjugate_of(value) : value;
}

void multiply(number alpha, pantile_matrix const* A, pantile_op op_a, pantile_matrix const* B, pantile_op op_b,
              number beta, pantile_matrix const* C) {
  int64_t const depth = transposes(op_a) ? A->rows : A->cols;
  for (int64_t i = 0; i < C->rows; ++i) {
    for (int64_t j = 0; j < C->cols; ++j) {
      number sum = {0, 0};
      for (int64_t k = 0; k < depth; ++k) {
        sum = sum_of(sum, product_of(operated(A, op_a, i, k), operated(B, op_b, k, j)));
      }
      set(C, i, j, sum_of(product_of(alpha, sum), product_of(beta, at(C, i, j))));
    }
  }
}

void check(int holds, char const* file, int line, char const* words) {
  if (holds) return;
  ++failures;
  printf("%s:%d: does not hold: %s\n", file, line, words);
}

void check_equal(operand const* got, operand const* wanted, char const* file, int line) {
  for (int64_t i = 0; i < wanted->count; ++i) {
    number const g = get(got->m.element, got->m.data, i), w = get(wanted->m.element, wanted->m.data, i);
    if (g.re == w.re && g.im == w.im) continue;
    ++failures;
    printf("%s:%d: element %ld of memory is (%g, %g) instead of (%g, %g); element type %d, %ld x %ld\n", file, line,
           (long)i, g.re, g.im, w.re, w.im, (int)wanted->m.element, (long)wanted->m.rows, (long)wanted->m.cols);
    return;
  }
}

void check_refused(pantile_status got, pantile_status wanted, char const* call, char const* words, char const* file,
                   int line) {
  char const* const message = pantile_last_error_message();
  size_t const length = strlen(call);
  if (got == wanted && strncmp(message, call, length) == 0 && message[length] == ':' &&
      strstr(message, words) != NULL) {
    return;
  }
  ++failures;
  printf("%s:%d: status %d instead of %d, message '%s' instead of '%s: ...%s...'\n", file, line, (int)got, (int)wanted,
         message, call, words);
}

void check_done(pantile_status got, char const* file, int line) {
  if (got == PANTILE_OK) got = pantile_exec_fence(NULL);
  if (got == PANTILE_OK) return;
  ++failures;
  printf("%s:%d: status %d, '%s'\n", file, line, (int)got, pantile_last_error_message());
}
