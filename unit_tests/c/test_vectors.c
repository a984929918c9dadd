/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Histograms and reversal. */
#include "support.h"
#include "tests.h"

#include <stdlib.h>

static pantile_vector vector_of(operand const* o) {
  pantile_vector const v = {o->m.data, o->m.element, o->m.rows, o->m.row_stride};
  return v;
}

void test_reverse(void) {
  static const int64_t sizes[] = {1, 2, 9, 1000, 5001, 0};
  for (pantile_element const* element = held_elements; *element != 0; ++element) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
      for (int l = 0; l < LAYOUTS; ++l) {
        operand X = make(*element, sizes[s], 1, (enum layout)l), Y = make(*element, sizes[s], 1, (enum layout)(3 - l));
        operand wanted = copy_of(&Y), in_place = copy_of(&X);
        pantile_vector const x = vector_of(&X), y = vector_of(&Y);
        for (int64_t i = 0; i < sizes[s]; ++i) set(&wanted.m, sizes[s] - 1 - i, 0, at(&X.m, i, 0));
        CHECK_DONE(pantile_reverse(NULL, &x, &y, NULL));
        CHECK_EQUAL(&Y, &wanted);
        for (int64_t i = 0; i < sizes[s]; ++i) set(&in_place.m, sizes[s] - 1 - i, 0, at(&X.m, i, 0));
        CHECK_DONE(pantile_reverse_in_place(NULL, &x, NULL));
        CHECK_EQUAL(&X, &in_place);
        drop(&X), drop(&Y), drop(&wanted), drop(&in_place);
      }
    }
  }
  operand X = make(PANTILE_DOUBLE, 8, 1, BY_ROWS), Y = make(PANTILE_DOUBLE, 9, 1, BY_ROWS), untouched = copy_of(&Y);
  operand F = make(PANTILE_FLOAT, 8, 1, BY_ROWS), bytes = make(PANTILE_INT8, 8, 1, BY_ROWS);
  pantile_vector x = vector_of(&X), y = vector_of(&Y), f = vector_of(&F), b = vector_of(&bytes), bad;
  pantile_reverse_options options = {sizeof options};
  pantile_explanation explanation = {sizeof explanation};
  options.tile = -1;
  CHECK_REFUSED(pantile_reverse(NULL, &x, &y, NULL), PANTILE_INVALID, "pantile_reverse",
                "length of x (8) must equal length of y (9); x 8 strides (1), y 9 strides (1)");
  CHECK_REFUSED(pantile_reverse(NULL, &f, &y, NULL), PANTILE_NOT_SUPPORTED, "pantile_reverse",
                "x is float, y is double");
  CHECK_REFUSED(pantile_reverse(NULL, NULL, &y, NULL), PANTILE_INVALID, "pantile_reverse", "x must not be NULL");
  CHECK_REFUSED(pantile_reverse(NULL, &x, NULL, NULL), PANTILE_INVALID, "pantile_reverse", "y must not be NULL");
  bad = y, bad.size = -1;
  CHECK_REFUSED(pantile_reverse(NULL, &bad, &y, NULL), PANTILE_INVALID, "pantile_reverse",
                "x.size is -1, which must not be negative");
  bad = y, bad.stride = -1;
  CHECK_REFUSED(pantile_reverse(NULL, &y, &bad, NULL), PANTILE_INVALID, "pantile_reverse",
                "y.stride is -1, which must not be negative");
  bad = y, bad.size = INT64_MAX, bad.stride = 0;
  CHECK_REFUSED(pantile_reverse(NULL, &bad, &y, NULL), PANTILE_INVALID, "pantile_reverse",
                "length of x (9223372036854775807) must equal length of y (9)");
  bad = y, bad.element = 99;
  CHECK_REFUSED(pantile_reverse(NULL, &y, &bad, NULL), PANTILE_INVALID, "pantile_reverse", "y.element is 99");
  bad = y, bad.stride = INT64_MAX / 8;
  CHECK_REFUSED(pantile_reverse(NULL, &bad, &y, NULL), PANTILE_INVALID, "pantile_reverse", "x must not reach further");
  CHECK_REFUSED(pantile_reverse_in_place(NULL, &y, &options), PANTILE_INVALID, "pantile_reverse_in_place",
                "tile must not be negative");
  CHECK_REFUSED(pantile_reverse_in_place(NULL, NULL, NULL), PANTILE_INVALID, "pantile_reverse_in_place",
                "x must not be NULL");
  CHECK_REFUSED(pantile_reverse_in_place(NULL, &b, NULL), PANTILE_NOT_SUPPORTED, "pantile_reverse_in_place",
                "x, which is int8");
  CHECK_REFUSED(pantile_explain_reverse(NULL, &x, &y, NULL, NULL), PANTILE_INVALID, "pantile_explain_reverse",
                "explanation must not be NULL");
  CHECK_REFUSED(pantile_explain_reverse_in_place(NULL, &y, NULL, NULL), PANTILE_INVALID,
                "pantile_explain_reverse_in_place", "explanation must not be NULL");
  CHECK_DONE(pantile_explain_reverse_in_place(NULL, &y, NULL, &explanation));
  CHECK(explanation.bytes == 2 * 9 * 8.0 && explanation.length > 0);
  y.size = 8;
  CHECK_DONE(pantile_explain_reverse(NULL, &x, &y, NULL, &explanation));
  CHECK(explanation.bytes == 2 * 8 * 8.0);
  CHECK_EQUAL(&Y, &untouched);
  drop(&X), drop(&Y), drop(&F), drop(&bytes), drop(&untouched);
}

/* Samples by 1, 2 or 3 with indices from -1, which is out of range, to 4. */
static operand make_indices(pantile_element element, int64_t samples, int64_t columns, enum layout layout) {
  operand o = make(element, samples, columns, layout);
  for (int64_t i = 0; i < o.count; ++i) {
    number index = get(element, o.m.data, i);
    if (index.re < -1) index.re = -index.re;
    put(element, o.m.data, i, index);
  }
  return o;
}

static const pantile_element bin_elements[] = {PANTILE_FLOAT,  PANTILE_DOUBLE, PANTILE_INT32,
                                               PANTILE_UINT32, PANTILE_INT64,  PANTILE_UINT64};
enum { BIN_ELEMENTS = sizeof bin_elements / sizeof *bin_elements };

static void count_once(pantile_element index, pantile_element element, int64_t columns, int weighted, int accumulate) {
  int64_t const samples = 700, bins = 5;
  uint64_t *const ignored = take(sizeof *ignored), expected_ignored = accumulate ? 3 : 0;
  operand I = make_indices(index, samples, columns, (enum layout)((columns + weighted) % LAYOUTS)),
          W = make(element, samples, 1, BY_ROWS);
  /* Bins of three dimensions are matrices one below the other. */
  operand C = make(element, columns == 3 ? bins * bins : bins, columns > 1 ? bins : 1,
                   columns > 1 ? COLUMNS_WITH_GAPS : BY_ROWS),
          wanted = copy_of(&C);
  pantile_batch layers = {C.m, bins, bins * C.m.row_stride, NULL};
  pantile_histogram_options options = {sizeof options};
  pantile_vector const weights = vector_of(&W);
  number const one = {1, 0}, zero = {0, 0};
  options.out_of_range = 2;
  *ignored = 3;
  options.ignored = ignored;
  options.accumulate = accumulate;
  layers.matrix.rows = bins;
  for (int64_t i = 0; i < wanted.m.rows && !accumulate; ++i) {
    for (int64_t j = 0; j < wanted.m.cols; ++j) set(&wanted.m, i, j, zero);
  }
  for (int64_t s = 0; s < samples; ++s) {
    int64_t const p = columns == 3 ? (int64_t)at(&I.m, s, 0).re : 0, i = (int64_t)at(&I.m, s, columns == 3).re;
    int64_t const j = columns > 1 ? (int64_t)at(&I.m, s, columns - 1).re : 0, row = p * bins + i;
    if (p < 0 || i < 0 || j < 0) {
      ++expected_ignored;
    } else {
      set(&wanted.m, row, j, sum_of(at(&wanted.m, row, j), weighted ? at(&W.m, s, 0) : one));
    }
  }
  CHECK_DONE(columns == 3 ? pantile_histogram_3d(NULL, &I.m, weighted ? &weights : NULL, &layers, &options)
                          : pantile_histogram(NULL, &I.m, weighted ? &weights : NULL, &C.m, &options));
  CHECK_EQUAL(&C, &wanted);
  CHECK(*ignored == expected_ignored);
  give_back(ignored);
  drop(&I), drop(&W), drop(&C), drop(&wanted);
}

static void test_refused_histograms(void) {
  operand I = make_indices(PANTILE_INT32, 6, 1, BY_ROWS), wide = make_indices(PANTILE_INT32, 6, 3, BY_ROWS);
  operand C = make(PANTILE_DOUBLE, 5, 2, BY_ROWS), untouched = copy_of(&C), W = make(PANTILE_DOUBLE, 5, 1, BY_ROWS);
  operand F = make(PANTILE_FLOAT, 6, 1, BY_ROWS), Z = make(PANTILE_COMPLEX_DOUBLE, 5, 1, BY_ROWS);
  operand U = make(PANTILE_UINT32, 6, 1, BY_ROWS);
  pantile_vector const weights = vector_of(&W), floats = vector_of(&F);
  pantile_matrix column = C.m;
  pantile_histogram_options options = {sizeof options};
  pantile_explanation explanation = {sizeof explanation};
  char const* const call = "pantile_histogram";
  column.cols = 1;
  ((int32_t*)I.m.data)[3] = 5;
  for (int i = 0; i < 3; ++i) ((int32_t*)I.m.data)[i] = 1;
  CHECK_REFUSED(pantile_histogram(NULL, NULL, NULL, &column, NULL), PANTILE_INVALID, call, "indices must not be NULL");
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, NULL, NULL, NULL), PANTILE_INVALID, call, "counts must not be NULL");
  CHECK_REFUSED(pantile_histogram(NULL, &wide.m, NULL, &C.m, NULL), PANTILE_INVALID, call,
                "indices.cols is 3, which must be 1 or 2");
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, NULL, &C.m, NULL), PANTILE_INVALID, call,
                "counts.cols is 2, which must be 1 where indices have one column");
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, NULL, &column, NULL), PANTILE_INVALID, call,
                "sample 3 has index (5), which is outside the 5 bins");
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, &weights, &column, NULL), PANTILE_INVALID, call,
                "length of weights (5) must equal the number of samples (6)");
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, &floats, &column, NULL), PANTILE_NOT_SUPPORTED, call,
                "weights is float, counts is double");
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, NULL, &Z.m, NULL), PANTILE_NOT_SUPPORTED, call,
                "counts, which is complex<double>");
  CHECK_REFUSED(pantile_histogram(NULL, &U.m, NULL, &column, NULL), PANTILE_NOT_SUPPORTED, call,
                "indices, which is uint32");
  options.out_of_range = 3;
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, NULL, &column, &options), PANTILE_INVALID, call, "out_of_range must be");
  options.out_of_range = 2;
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, NULL, &column, &options), PANTILE_INVALID, call,
                "ignored must not be null with out_of_range count");
  options.ignored = (uint64_t*)((char*)W.m.data + 4);
  CHECK_REFUSED(pantile_histogram(NULL, &I.m, NULL, &column, &options), PANTILE_INVALID, call,
                "options.ignored must be a multiple of 8");
  CHECK_REFUSED(pantile_explain_histogram(NULL, &I.m, NULL, &column, NULL, NULL), PANTILE_INVALID,
                "pantile_explain_histogram", "explanation must not be NULL");
  CHECK_DONE(pantile_explain_histogram(NULL, &I.m, NULL, &column, NULL, &explanation));
  CHECK(explanation.length > 0);
  CHECK_EQUAL(&C, &untouched);
  drop(&I), drop(&wide), drop(&C), drop(&untouched), drop(&W), drop(&F), drop(&Z), drop(&U);
}

static void test_refused_histograms_3d(void) {
  operand I = make_indices(PANTILE_INT32, 6, 3, BY_ROWS), pairs = make_indices(PANTILE_INT32, 6, 2, BY_ROWS);
  operand C = make(PANTILE_DOUBLE, 6, 4, BY_ROWS), untouched = copy_of(&C);
  pantile_batch const counts = {{C.m.data, PANTILE_DOUBLE, 2, 4, 4, 1}, 3, 8, NULL};
  pantile_batch bad = counts;
  pantile_explanation explanation = {sizeof explanation};
  char const* const call = "pantile_histogram_3d";
  void* addresses[3] = {C.m.data, (double*)C.m.data + 8, (double*)C.m.data + 16};
  for (int i = 0; i < 18; ++i) ((int32_t*)I.m.data)[i] = i == 7 ? 2 : 1;
  CHECK_REFUSED(pantile_histogram_3d(NULL, NULL, NULL, &counts, NULL), PANTILE_INVALID, call,
                "indices must not be NULL");
  CHECK_REFUSED(pantile_histogram_3d(NULL, &I.m, NULL, NULL, NULL), PANTILE_INVALID, call, "counts must not be NULL");
  CHECK_REFUSED(pantile_histogram_3d(NULL, &pairs.m, NULL, &counts, NULL), PANTILE_INVALID, call,
                "columns of indices (2) must equal the rank of counts (3)");
  CHECK_REFUSED(pantile_histogram_3d(NULL, &I.m, NULL, &counts, NULL), PANTILE_INVALID, call,
                "sample 2 has index (1,2,1), which is outside the 3x2x4 bins");
  bad.stride = 7;
  CHECK_REFUSED(pantile_histogram_3d(NULL, &I.m, NULL, &bad, NULL), PANTILE_INVALID, call,
                "counts must not overlap itself");
  bad.stride = 0;
  CHECK_REFUSED(pantile_histogram_3d(NULL, &I.m, NULL, &bad, NULL), PANTILE_INVALID, call,
                "counts must not overlap itself");
  bad.addresses = addresses;
  bad.matrix.data = NULL;
  CHECK_REFUSED(pantile_histogram_3d(NULL, &I.m, NULL, &bad, NULL), PANTILE_INVALID, call,
                "counts must not have addresses");
  CHECK_REFUSED(pantile_explain_histogram_3d(NULL, &I.m, NULL, &counts, NULL, NULL), PANTILE_INVALID,
                "pantile_explain_histogram_3d", "explanation must not be NULL");
  CHECK_DONE(pantile_explain_histogram_3d(NULL, &I.m, NULL, &counts, NULL, &explanation));
  CHECK(explanation.length > 0);
  CHECK_EQUAL(&C, &untouched);
  drop(&I), drop(&pairs), drop(&C), drop(&untouched);
}

void test_histogram(void) {
  for (int e = 0; e < BIN_ELEMENTS; ++e) {
    for (int variant = 0; variant < 24; ++variant) {
      count_once(variant & 1 ? PANTILE_INT32 : PANTILE_INT64, bin_elements[e], 1 + variant / 8, (variant & 2) != 0,
                 (variant & 4) != 0);
    }
  }
  test_refused_histograms();
  test_refused_histograms_3d();
}
