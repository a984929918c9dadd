/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fortran's arrays, as the descriptors of ISO/IEC 1539-1:2018, 18.5 give them, to the operands of
   pantile/c/pantile.h. */
#include <pantile/c/pantile.h>

#include <ISO_Fortran_binding.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef CFI_cdesc_t const* array;

static _Thread_local char message[1024];

char const* pantile_fortran_message(size_t* length) {
  *length = strlen(message);
  return message;
}

void pantile_fortran_stop(void);

/* An argument that no call of the C face sees. */
static pantile_status refuse(char const* call, char const* name, char const* rule) {
  snprintf(message, sizeof message, "%s: %s %s", call, name, rule);
  return PANTILE_INVALID;
}

/* The element type, 0 where the C face knows none. */
static pantile_element element_of(array a) {
  static const struct {
    CFI_type_t type;
    pantile_element element;
  } table[] = {{CFI_type_float, PANTILE_FLOAT},
               {CFI_type_double, PANTILE_DOUBLE},
               {CFI_type_float_Complex, PANTILE_COMPLEX_FLOAT},
               {CFI_type_double_Complex, PANTILE_COMPLEX_DOUBLE},
               {CFI_type_int8_t, PANTILE_INT8},
               {CFI_type_int32_t, PANTILE_INT32},
               {CFI_type_int64_t, PANTILE_INT64}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (table[i].type == a->type) return table[i].element;
  }
  return 0;
}

/* One call: its name, and whether all its arguments could be seen as operands so far. */
typedef struct {
  char const* name;
  pantile_status status;
  pantile_exec* host;
} call;

/* Arrays of Fortran are the host's, whatever the library's default is. */
static call begin(char const* name) {
  call c = {name, PANTILE_OK, NULL};
  c.status = pantile_exec_create(PANTILE_SPACE_HOST, NULL, &c.host);
  if (c.status != PANTILE_OK) refuse(name, "cannot run:", pantile_last_error_message());
  return c;
}

/* What every call does last: the status, of the C face's function unless something was wrong before, goes to the caller
   or ends the program. */
static void end(call* c, pantile_status status, int32_t* stat) {
  if (c->status == PANTILE_OK && status != PANTILE_OK)
    snprintf(message, sizeof message, "%s%s", c->name, strstr(pantile_last_error_message(), ": "));
  pantile_exec_destroy(c->host);
  if (stat != NULL) {
    *stat = status;
  } else if (status != PANTILE_OK) {
    pantile_fortran_stop();
  }
}

/* Elements from one index of a dimension to the next; where there is one index only, the distance says nothing. */
static int64_t stride_of(call* c, char const* name, array a, int dimension) {
  CFI_dim_t const* const dim = &a->dim[dimension];
  if (dim->extent == 0 || dim->extent == 1) return 1;
  if (dim->sm % (CFI_index_t)a->elem_len != 0) {
    c->status = refuse(c->name, name, "must have elements that are a multiple of their size apart");
  }
  return dim->sm / (CFI_index_t)a->elem_len;
}

static char const no_element[] =
    "must be real or complex of kind real32 or real64, or integer of kind int8, int32 or int64";
static char const negative_step[] = "must not be a section with a negative step";

/* Whether there is such an array, of one of these ranks; nothing is looked at after a refusal. */
static bool is_array(call* c, char const* name, array a, int least_rank, int most_rank, char const* rule) {
  if (c->status != PANTILE_OK) return false;
  if (element_of(a) == 0) {
    c->status = refuse(c->name, name, no_element);
  } else if (a->rank < least_rank || a->rank > most_rank) {
    c->status = refuse(c->name, name, rule);
  } else if (a->base_addr == NULL) {
    c->status = refuse(c->name, name, "must be allocated, or a pointer that is associated");
  } else if (a->dim[a->rank - 1].extent < 0) {
    c->status = refuse(c->name, name, "must not be an array of assumed size");
  }
  return c->status == PANTILE_OK;
}

/* The operand; one of rank 1 is a column, or a row. */
static pantile_matrix matrix_of(call* c, char const* name, array a, bool vectors_are_rows) {
  pantile_matrix m = {a->base_addr, element_of(a), 1, 1, 1, 1};
  if (!is_array(c, name, a, 1, 2, "must be an array of rank 1 or 2")) return m;
  if (a->rank == 1 && vectors_are_rows) {
    m.cols = a->dim[0].extent;
    m.col_stride = stride_of(c, name, a, 0);
  } else {
    m.rows = a->dim[0].extent;
    m.row_stride = stride_of(c, name, a, 0);
    m.cols = a->rank == 2 ? a->dim[1].extent : 1;
    m.col_stride = a->rank == 2 ? stride_of(c, name, a, 1) : 1;
  }
  if (m.row_stride < 0 || m.col_stride < 0) c->status = refuse(c->name, name, negative_step);
  return m;
}

/* The matrices of a batch, whose last dimension counts them, or one of rank 2 that all have in common. */
static pantile_batch batch_of(call* c, char const* name, array a, int64_t common_count) {
  pantile_batch b = {{a->base_addr, element_of(a), 1, 1, 1, 1}, common_count, 0, NULL};
  if (!is_array(c, name, a, 2, 3, "must be an array of rank 2 or 3 where the result has rank 3")) return b;
  b.matrix.rows = a->dim[0].extent;
  b.matrix.row_stride = stride_of(c, name, a, 0);
  b.matrix.cols = a->dim[1].extent;
  b.matrix.col_stride = stride_of(c, name, a, 1);
  if (a->rank == 3) {
    b.count = a->dim[2].extent;
    b.stride = stride_of(c, name, a, 2);
  }
  if (b.matrix.row_stride < 0 || b.matrix.col_stride < 0 || b.stride < 0)
    c->status = refuse(c->name, name, negative_step);
  return b;
}

static pantile_vector vector_of(call* c, char const* name, array a) {
  pantile_matrix const m = matrix_of(c, name, a, false);
  pantile_vector const v = {m.data, m.element, m.rows, m.row_stride};
  if (c->status == PANTILE_OK && a->rank != 1) c->status = refuse(c->name, name, "must be an array of rank 1");
  return v;
}

/* A number as the module gives it: 0 for an absent one, -1 for one without an element type. */
typedef struct {
  void const* address;
  pantile_element element;
} scalar;

/* Its address, NULL where it is absent. */
static void const* number_of(call* c, char const* name, scalar const* number, pantile_matrix const* like) {
  if (number->element != 0 && number->element != like->element && c->status == PANTILE_OK) {
    c->status = refuse(c->name, name, "must have the type and kind of the arrays");
  }
  return number->address;
}

/* Of a product, whose sums have the type that is asked for, or that of the result, or 32 bits for integers of 8. */
static void const* factor_of(call* c, char const* name, scalar const* number, pantile_matrix const* result,
                             pantile_element asked) {
  pantile_element const own = result->element == PANTILE_INT8 ? PANTILE_INT32 : result->element;
  pantile_element const sum = asked == 0 ? own : asked;
  if (number->element != 0 && number->element != sum && c->status == PANTILE_OK)
    c->status = refuse(c->name, name, "must have the type and kind of the sums");
  return number->address;
}

/* Each function below does what its name says, or explains that where it is given an explanation; algorithm is that of
   its options. An explanation without text gets its length only. */
typedef pantile_explanation explanation;

static call begin_or_explain(char const* name, char const* explained, explanation* answer) {
  if (answer != NULL) answer->size = sizeof *answer;
  return begin(answer != NULL ? explained : name);
}

static pantile_status matmul_batched(call* this, array a, array b, array c, scalar const* alpha, scalar const* beta,
                                     pantile_matmul_options const* options, explanation* answer) {
  pantile_batch const C = batch_of(this, "c", c, 0);
  pantile_batch const A = batch_of(this, "a", a, C.count), B = batch_of(this, "b", b, C.count);
  void const* const factor = factor_of(this, "alpha", alpha, &C.matrix, options->sum);
  void const* const old = factor_of(this, "beta", beta, &C.matrix, options->sum);
  if (this->status != PANTILE_OK) return this->status;
  return answer != NULL ? pantile_explain_matmul_batched(this->host, factor, &A, &B, old, &C, options, answer)
                        : pantile_matmul_batched(this->host, factor, &A, &B, old, &C, options);
}

static pantile_status matmul(call* this, array a, array b, array c, scalar const* alpha, scalar const* beta,
                             pantile_matmul_options const* options, explanation* answer) {
  pantile_matrix const A = matrix_of(this, "a", a, true), B = matrix_of(this, "b", b, false);
  pantile_matrix const C = matrix_of(this, "c", c, a->rank == 1);
  void const* const factor = factor_of(this, "alpha", alpha, &C, options->sum);
  void const* const old = factor_of(this, "beta", beta, &C, options->sum);
  if (this->status != PANTILE_OK) return this->status;
  return answer != NULL ? pantile_explain_matmul(this->host, factor, &A, &B, old, &C, options, answer)
                        : pantile_matmul(this->host, factor, &A, &B, old, &C, options);
}

void pantile_fortran_matmul(array a, array b, array c, scalar const* alpha, scalar const* beta, int32_t op_a,
                            int32_t op_b, int32_t algorithm, int32_t sum, explanation* answer, int32_t* stat) {
  call this = begin_or_explain("pantile_matmul", "pantile_explain_matmul", answer);
  pantile_matmul_options options = {sizeof options};
  options.op_a = op_a;
  options.op_b = op_b;
  options.sum = sum;
  options.algorithm = algorithm;
  end(&this, (c->rank == 3 ? matmul_batched : matmul)(&this, a, b, c, alpha, beta, &options, answer), stat);
}

static pantile_status transpose_batched(call* this, array a, array b, char const* name_of_b,
                                        pantile_transpose_options const* options, explanation* answer) {
  pantile_batch const B = batch_of(this, name_of_b, b, 0), A = batch_of(this, "a", a, B.count);
  if (this->status == PANTILE_OK && a == b && A.matrix.rows != A.matrix.cols)
    this->status = refuse(this->name, "a", "must hold square matrices to be transposed in place");
  if (this->status != PANTILE_OK) return this->status;
  return answer != NULL ? pantile_explain_transpose_batched(this->host, &A, &B, options, answer)
                        : pantile_transpose_batched(this->host, &A, &B, options);
}

static pantile_status transpose(call* this, array a, array b, pantile_transpose_options const* options,
                                explanation* answer) {
  pantile_matrix const A = matrix_of(this, "a", a, false), B = matrix_of(this, "b", b, true);
  if (this->status != PANTILE_OK) return this->status;
  return answer != NULL ? pantile_explain_transpose(this->host, &A, &B, options, answer)
                        : pantile_transpose(this->host, &A, &B, options);
}

void pantile_fortran_transpose(array a, array b, bool conjugate, int32_t algorithm, explanation* answer,
                               int32_t* stat) {
  call this = begin_or_explain("pantile_transpose", "pantile_explain_transpose", answer);
  pantile_transpose_options options = {sizeof options};
  options.conjugate = conjugate;
  options.algorithm = algorithm;
  end(&this,
      b->rank == 3 ? transpose_batched(&this, a, b, "b", &options, answer) : transpose(&this, a, b, &options, answer),
      stat);
}

static pantile_status transpose_in_place(call* this, array a, pantile_transpose_options const* options,
                                         explanation* answer) {
  pantile_matrix const A = matrix_of(this, "a", a, false);
  if (this->status != PANTILE_OK) return this->status;
  return answer != NULL ? pantile_explain_transpose_in_place(this->host, &A, options, answer)
                        : pantile_transpose_in_place(this->host, &A, options);
}

void pantile_fortran_transpose_in_place(array a, bool conjugate, int32_t algorithm, explanation* answer,
                                        int32_t* stat) {
  call this = begin_or_explain("pantile_transpose_in_place", "pantile_explain_transpose_in_place", answer);
  pantile_transpose_options options = {sizeof options};
  options.conjugate = conjugate;
  options.algorithm = algorithm;
  end(&this,
      a->rank == 3 ? transpose_batched(&this, a, a, "a", &options, answer)
                   : transpose_in_place(&this, a, &options, answer),
      stat);
}

void pantile_fortran_add(array a, array b, array c, scalar const* alpha, scalar const* beta, int32_t algorithm,
                         explanation* answer, int32_t* stat) {
  call this = begin_or_explain("pantile_add", "pantile_explain_add", answer);
  pantile_add_options options = {sizeof options};
  options.algorithm = algorithm;
  pantile_matrix const A = matrix_of(&this, "a", a, false), B = matrix_of(&this, "b", b, false);
  pantile_matrix const C = matrix_of(&this, "c", c, false);
  void const *first = number_of(&this, "alpha", alpha, &C), *second = number_of(&this, "beta", beta, &C);
  pantile_status status = this.status;
  if (status == PANTILE_OK) {
    status = answer != NULL ? pantile_explain_add(this.host, first, &A, second, &B, &C, &options, answer)
                            : pantile_add(this.host, first, &A, second, &B, &C, &options);
  }
  end(&this, status, stat);
}

void pantile_fortran_histogram(array indices, array counts, array weights, bool accumulate, int64_t* ignored,
                               int32_t algorithm, explanation* answer, int32_t* stat) {
  call this = begin_or_explain("pantile_histogram", "pantile_explain_histogram", answer);
  pantile_matrix const samples = matrix_of(&this, "indices", indices, false);
  pantile_matrix const bins = matrix_of(&this, "counts", counts, false);
  pantile_vector const added = weights == NULL ? (pantile_vector){0} : vector_of(&this, "weights", weights);
  pantile_vector const* const factors = weights == NULL ? NULL : &added;
  pantile_histogram_options options = {sizeof options};
  options.algorithm = algorithm;
  options.accumulate = accumulate;
  options.out_of_range = ignored == NULL ? 0 : 2;
  options.ignored = (uint64_t*)ignored;
  pantile_status status = this.status;
  if (status == PANTILE_OK) {
    status = answer != NULL ? pantile_explain_histogram(this.host, &samples, factors, &bins, &options, answer)
                            : pantile_histogram(this.host, &samples, factors, &bins, &options);
  }
  end(&this, status, stat);
}

void pantile_fortran_fill(array c, scalar const* value, int32_t algorithm, explanation* answer, int32_t* stat) {
  call this = begin_or_explain("pantile_fill", "pantile_explain_fill", answer);
  pantile_fill_options options = {sizeof options};
  options.algorithm = algorithm;
  pantile_matrix const C = matrix_of(&this, "c", c, false);
  void const* const number = number_of(&this, "value", value, &C);
  pantile_status status = this.status;
  if (status == PANTILE_OK) {
    status = answer != NULL ? pantile_explain_fill(this.host, &C, number, &options, answer)
                            : pantile_fill(this.host, &C, number, &options);
  }
  end(&this, status, stat);
}

void pantile_fortran_reverse(array x, array y, explanation* answer, int32_t* stat) {
  call this = begin_or_explain("pantile_reverse", "pantile_explain_reverse", answer);
  pantile_vector const from = vector_of(&this, "x", x), to = vector_of(&this, "y", y);
  pantile_status status = this.status;
  if (status == PANTILE_OK) {
    status = answer != NULL ? pantile_explain_reverse(this.host, &from, &to, NULL, answer)
                            : pantile_reverse(this.host, &from, &to, NULL);
  }
  end(&this, status, stat);
}

void pantile_fortran_reverse_in_place(array x, explanation* answer, int32_t* stat) {
  call this = begin_or_explain("pantile_reverse_in_place", "pantile_explain_reverse_in_place", answer);
  pantile_vector const both = vector_of(&this, "x", x);
  pantile_status status = this.status;
  if (status == PANTILE_OK) {
    status = answer != NULL ? pantile_explain_reverse_in_place(this.host, &both, NULL, answer)
                            : pantile_reverse_in_place(this.host, &both, NULL);
  }
  end(&this, status, stat);
}
