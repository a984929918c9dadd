/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fortran's arrays, as the descriptors of ISO/IEC 1539-1:2018, 18.5 give them, to the operands of
   pantile/c/pantile.h. */
#include <pantile/c/pantile.h>

#include <ISO_Fortran_binding.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef CFI_cdesc_t const* array;

static _Thread_local char message[1024];

/* Memory for Fortran's text of so many characters; where there is none it stays as it is. */
static void assign(CFI_cdesc_t* text, char const* words, size_t length) {
  if (CFI_allocate(text, NULL, NULL, length) == CFI_SUCCESS && length > 0) memcpy(text->base_addr, words, length);
}

void pantile_fortran_message(CFI_cdesc_t* text) { assign(text, message, strlen(message)); }

void pantile_fortran_stop(void);

/* One call: its name, its instance, whether all its arguments could be seen as operands so far, and what goes back to
   the caller, as far as he asks for it. */
typedef struct {
  char const* name;
  pantile_exec *exec, *own;
  pantile_status status;
  CFI_cdesc_t* text;
  char* words;
  int32_t* stat;
} call;

/* The message, which begins with the call's name; an argument that no call of the C face sees is refused so. */
static void refuse(call* c, char const* name, char const* rule) {
  c->status = PANTILE_INVALID;
  snprintf(message, sizeof message, "pantile_%s%s: %s %s", c->text == NULL ? "" : "explain_", c->name, name, rule);
}

/* What the C face has answered, with its words about an error. */
static void answered(call* c, pantile_status status) {
  char const* const words = strstr(pantile_last_error_message(), ": ");
  c->status = status;
  if (status != PANTILE_OK)
    snprintf(message, sizeof message, "pantile_%s%s%s", c->text == NULL ? "" : "explain_", c->name, words);
}

/* Without an instance the host's, whatever the library's default is: arrays of Fortran lie there. */
static call begin(char const* name, pantile_exec* const* exec, CFI_cdesc_t* text, int32_t* stat) {
  call c = {name, exec == NULL ? NULL : *exec, NULL, PANTILE_OK, text, NULL, stat};
  if (exec == NULL) {
    answered(&c, pantile_exec_create(PANTILE_SPACE_HOST, NULL, &c.own));
    c.exec = c.own;
  }
  return c;
}

/* The status goes to the caller or ends the program; a text is empty where there is no explanation. */
static void end(call* c) {
  pantile_exec_destroy(c->own);
  if (c->text != NULL) assign(c->text, c->words, c->words == NULL ? 0 : strlen(c->words));
  free(c->words);
  if (c->stat != NULL) {
    *c->stat = c->status;
  } else if (c->status != PANTILE_OK) {
    pantile_fortran_stop();
  }
}

/* Room for an explanation of this length. */
static bool give_room(call* c, pantile_explanation* answer) {
  if (c->status != PANTILE_OK) return false;
  answer->capacity = answer->length + 1;
  answer->text = c->words = malloc(answer->capacity);
  if (c->words == NULL) refuse(c, "its explanation", "finds no memory"), c->status = PANTILE_NO_MEMORY;
  return c->words != NULL;
}

/* Ends a call by the C face's, where nothing was wrong before; or by its explanation, which is asked for its length
   first. */
#define END_BY(c, OPERATION, ...)                                                                \
  do {                                                                                           \
    pantile_explanation answer = {sizeof answer};                                                \
    if ((c)->status == PANTILE_OK && (c)->text == NULL) {                                        \
      answered(c, pantile_##OPERATION(__VA_ARGS__));                                             \
    } else if ((c)->status == PANTILE_OK) {                                                      \
      answered(c, pantile_explain_##OPERATION(__VA_ARGS__, &answer));                            \
      if (give_room(c, &answer)) answered(c, pantile_explain_##OPERATION(__VA_ARGS__, &answer)); \
    }                                                                                            \
    end(c);                                                                                      \
  } while (0)

/* The element type of one of the types that the module's procedures have. */
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
  size_t i = 0;
  while (i + 1 < sizeof table / sizeof *table && table[i].type != a->type) ++i;
  return table[i].element;
}

/* Options that are absent are the default ones. */
static int32_t value_of(int const* option) { return option == NULL ? 0 : *option; }

/* The extent of a dimension, and the elements from one index to the next; where there is one index only, the distance
   says nothing. */
static void measure(call* c, char const* name, array a, int dimension, int64_t* extent, int64_t* stride) {
  CFI_dim_t const* const dim = &a->dim[dimension];
  *extent = dim->extent;
  *stride = 1;
  if (dim->extent == 0 || dim->extent == 1) return;
  *stride = dim->sm / (CFI_index_t)a->elem_len;
  if (dim->sm % (CFI_index_t)a->elem_len != 0) {
    refuse(c, name, "must have elements that are a multiple of their size apart");
  } else if (*stride < 0) {
    refuse(c, name, "must not be a section with a negative step");
  }
}

/* Whether there is such an array, of one of these ranks; nothing is looked at after a refusal. */
static bool is_array(call* c, char const* name, array a, int least_rank, int most_rank, char const* rule) {
  if (c->status != PANTILE_OK) return false;
  if (a->rank < least_rank || a->rank > most_rank) {
    refuse(c, name, rule);
  } else if (a->base_addr == NULL) {
    refuse(c, name, "must be allocated, or a pointer that is associated");
  } else if (a->dim[a->rank - 1].extent < 0) {
    refuse(c, name, "must not be an array of assumed size");
  }
  return c->status == PANTILE_OK;
}

/* The operand; one of rank 1 is a column, or a row. */
static pantile_matrix matrix_of(call* c, char const* name, array a, bool vectors_are_rows) {
  pantile_matrix m = {a->base_addr, element_of(a), 1, 1, 1, 1};
  if (!is_array(c, name, a, 1, 2, "must be an array of rank 1 or 2")) return m;
  bool const is_row = a->rank == 1 && vectors_are_rows;
  if (!is_row) measure(c, name, a, 0, &m.rows, &m.row_stride);
  if (is_row || a->rank == 2) measure(c, name, a, a->rank - 1, &m.cols, &m.col_stride);
  return m;
}

/* The matrices of a batch, whose last dimension counts them, or one of rank 2 that all have in common. */
static pantile_batch batch_of(call* c, char const* name, array a, int64_t common_count) {
  pantile_batch b = {{a->base_addr, element_of(a), 1, 1, 1, 1}, common_count, 0, NULL};
  if (!is_array(c, name, a, 2, 3, "must be an array of rank 2 or 3 where the result has rank 3")) return b;
  measure(c, name, a, 0, &b.matrix.rows, &b.matrix.row_stride);
  measure(c, name, a, 1, &b.matrix.cols, &b.matrix.col_stride);
  if (a->rank == 3) measure(c, name, a, 2, &b.count, &b.stride);
  return b;
}

static pantile_vector vector_of(call* c, char const* name, array a) {
  pantile_matrix const m = matrix_of(c, name, a, false);
  pantile_vector const v = {m.data, m.element, m.rows, m.row_stride};
  if (c->status == PANTILE_OK && a->rank != 1) refuse(c, name, "must be an array of rank 1");
  return v;
}

/* Products of batches where the result is one. */
void pantile_fortran_matmul(array a, array b, array c, void const* alpha, void const* beta, int const* op_a,
                            int const* op_b, int const* algorithm, array sum, pantile_exec* const* exec,
                            CFI_cdesc_t* text, int32_t* stat) {
  call this = begin("matmul", exec, text, stat);
  pantile_matmul_options options = {sizeof options};
  options.op_a = value_of(op_a);
  options.op_b = value_of(op_b);
  options.algorithm = value_of(algorithm);
  options.sum = sum == NULL ? 0 : element_of(sum);
  if (c->rank == 3) {
    pantile_batch const C = batch_of(&this, "c", c, 0);
    pantile_batch const A = batch_of(&this, "a", a, C.count), B = batch_of(&this, "b", b, C.count);
    END_BY(&this, matmul_batched, this.exec, alpha, &A, &B, beta, &C, &options);
  } else {
    pantile_matrix const A = matrix_of(&this, "a", a, true), B = matrix_of(&this, "b", b, false);
    pantile_matrix const C = matrix_of(&this, "c", c, a->rank == 1);
    END_BY(&this, matmul, this.exec, alpha, &A, &B, beta, &C, &options);
  }
}

static pantile_transpose_options transpose_options(bool conjugate, int const* algorithm) {
  pantile_transpose_options options = {sizeof options};
  options.conjugate = conjugate;
  options.algorithm = value_of(algorithm);
  return options;
}

void pantile_fortran_transpose(array a, array b, bool conjugate, int const* algorithm, pantile_exec* const* exec,
                               CFI_cdesc_t* text, int32_t* stat) {
  call this = begin("transpose", exec, text, stat);
  pantile_transpose_options const options = transpose_options(conjugate, algorithm);
  if (b->rank == 3) {
    pantile_batch const B = batch_of(&this, "b", b, 0), A = batch_of(&this, "a", a, B.count);
    END_BY(&this, transpose_batched, this.exec, &A, &B, &options);
  } else {
    pantile_matrix const A = matrix_of(&this, "a", a, false), B = matrix_of(&this, "b", b, true);
    END_BY(&this, transpose, this.exec, &A, &B, &options);
  }
}

void pantile_fortran_transpose_in_place(array a, bool conjugate, int const* algorithm, pantile_exec* const* exec,
                                        CFI_cdesc_t* text, int32_t* stat) {
  call this = begin("transpose_in_place", exec, text, stat);
  pantile_transpose_options const options = transpose_options(conjugate, algorithm);
  if (a->rank == 3) {
    pantile_batch const A = batch_of(&this, "a", a, 0);
    if (this.status == PANTILE_OK && A.matrix.rows != A.matrix.cols)
      refuse(&this, "a", "must hold square matrices to be transposed in place");
    END_BY(&this, transpose_batched, this.exec, &A, &A, &options);
  } else {
    pantile_matrix const A = matrix_of(&this, "a", a, false);
    END_BY(&this, transpose_in_place, this.exec, &A, &options);
  }
}

void pantile_fortran_add(array a, array b, array c, void const* alpha, void const* beta, int const* algorithm,
                         pantile_exec* const* exec, CFI_cdesc_t* text, int32_t* stat) {
  call this = begin("add", exec, text, stat);
  pantile_add_options options = {sizeof options};
  options.algorithm = value_of(algorithm);
  pantile_matrix const A = matrix_of(&this, "a", a, false), B = matrix_of(&this, "b", b, false);
  pantile_matrix const C = matrix_of(&this, "c", c, false);
  END_BY(&this, add, this.exec, alpha, &A, beta, &B, &C, &options);
}

void pantile_fortran_histogram(array indices, array counts, array weights, bool accumulate, int64_t* ignored,
                               int const* algorithm, pantile_exec* const* exec, CFI_cdesc_t* text, int32_t* stat) {
  call this = begin("histogram", exec, text, stat);
  pantile_matrix const samples = matrix_of(&this, "indices", indices, false);
  if (this.status == PANTILE_OK && counts->rank > 0 && samples.cols != counts->rank) {
    refuse(&this, "indices", "must have as many columns as counts has dimensions");
  }
  pantile_vector const added = weights == NULL ? (pantile_vector){0} : vector_of(&this, "weights", weights);
  pantile_vector const* const factors = weights == NULL ? NULL : &added;
  pantile_histogram_options options = {sizeof options};
  options.algorithm = value_of(algorithm);
  options.accumulate = accumulate;
  options.out_of_range = ignored == NULL ? 0 : 2;
  options.ignored = (uint64_t*)ignored;
  if (counts->rank == 3) { /* where the first dimension counts the matrices, not the last one */
    pantile_batch const b = batch_of(&this, "counts", counts, 0);
    pantile_batch const bins = {
        {b.matrix.data, b.matrix.element, b.matrix.cols, b.count, b.matrix.col_stride, b.stride},
        b.matrix.rows,
        b.matrix.row_stride,
        NULL};
    END_BY(&this, histogram_3d, this.exec, &samples, factors, &bins, &options);
  } else {
    pantile_matrix const bins = matrix_of(&this, "counts", counts, false);
    END_BY(&this, histogram, this.exec, &samples, factors, &bins, &options);
  }
}

void pantile_fortran_fill(array c, void const* value, int const* algorithm, pantile_exec* const* exec,
                          CFI_cdesc_t* text, int32_t* stat) {
  call this = begin("fill", exec, text, stat);
  pantile_fill_options options = {sizeof options};
  options.algorithm = value_of(algorithm);
  pantile_matrix const C = matrix_of(&this, "c", c, false);
  END_BY(&this, fill, this.exec, &C, value, &options);
}

void pantile_fortran_reverse(array x, array y, pantile_exec* const* exec, CFI_cdesc_t* text, int32_t* stat) {
  call this = begin("reverse", exec, text, stat);
  pantile_vector const from = vector_of(&this, "x", x), to = vector_of(&this, "y", y);
  END_BY(&this, reverse, this.exec, &from, &to, NULL);
}

void pantile_fortran_reverse_in_place(array x, pantile_exec* const* exec, CFI_cdesc_t* text, int32_t* stat) {
  call this = begin("reverse_in_place", exec, text, stat);
  pantile_vector const both = vector_of(&this, "x", x);
  END_BY(&this, reverse_in_place, this.exec, &both, NULL);
}

void pantile_fortran_copy(array destination, array source, pantile_exec* const* exec, CFI_cdesc_t* text,
                          int32_t* stat) {
  call this = begin("copy", exec, text, stat);
  pantile_matrix const to = matrix_of(&this, "destination", destination, false);
  pantile_matrix const from = matrix_of(&this, "source", source, false);
  END_BY(&this, copy, this.exec, &to, &from, NULL);
}

/* Instances, which no call has beside its own ones. */
void pantile_fortran_exec_create(pantile_exec** exec, int const* space, void* const* stream, int32_t* stat) {
  call this = {"exec_create", NULL, NULL, PANTILE_OK, NULL, NULL, stat};
  answered(&this, pantile_exec_create(value_of(space), stream == NULL ? NULL : *stream, exec));
  end(&this);
}

void pantile_fortran_exec_fence(pantile_exec* const* exec, int32_t* stat) {
  call this = {"exec_fence", NULL, NULL, PANTILE_OK, NULL, NULL, stat};
  answered(&this, pantile_exec_fence(*exec));
  end(&this);
}

void pantile_fortran_exec_destroy(pantile_exec** exec) {
  pantile_exec_destroy(*exec);
  *exec = NULL;
}
