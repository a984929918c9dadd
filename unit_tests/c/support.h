/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#pragma once
/* Operands of every element type with small integers in them, for which all arithmetic is exact, and checks that go on
   after a failure. */
#include <pantile/c/pantile.h>

#include <stdint.h>

/* A value of any element type; of unsigned types as the signed number with the same bits. */
typedef struct {
  double re, im;
} number;

/* Is the product in this library? Not where tests are built with PANTILE_TEST_ONE_TYPE, and it is of several. */
int is_held(pantile_element operands, pantile_element result, pantile_element sum);

/* The element types that all operations hold, and those that are moved only; both ended by 0. */
extern const pantile_element held_elements[], moved_elements[];

/* How a matrix lies: rows next to each other, columns, or either with gaps in both directions. */
enum layout { BY_ROWS, BY_COLUMNS, ROWS_WITH_GAPS, COLUMNS_WITH_GAPS, LAYOUTS };

/* A matrix with all the memory around it. */
typedef struct {
  pantile_matrix m;
  int64_t count; /* elements of the memory, gaps too */
} operand;

/* Memory that calls on the default instance and the program reach: where that is a device's, managed memory. NULL is
   given back too. */
void* take(size_t bytes);
void give_back(void* memory);

size_t element_size(pantile_element element);
int is_complex(pantile_element element);
/* Integers modulo 2^w; others rounded to nearest even. */
void put(pantile_element element, void* data, int64_t index, number value);
number get(pantile_element element, void const* data, int64_t index);

/* The next number of a fixed sequence, from -4 to 4, in both parts for complex types. */
number next_number(pantile_element element);

/* An operand of next numbers, and one with equal memory elsewhere. */
operand make(pantile_element element, int64_t rows, int64_t cols, enum layout layout);
operand copy_of(operand const* o);
void drop(operand* o);

number at(pantile_matrix const* m, int64_t i, int64_t j);
void set(pantile_matrix const* m, int64_t i, int64_t j, number value);
number sum_of(number a, number b);
number product_of(number a, number b);
number conjugate_of(number a);

/* C = alpha op_a(A) op_b(B) + beta C, one product after the other. Elements of uint8 count from 0. */
void multiply(number alpha, pantile_matrix const* A, pantile_op op_a, pantile_matrix const* B, pantile_op op_b,
              number beta, pantile_matrix const* C);

/* Failures so far. */
extern int failures;
void check(int holds, char const* file, int line, char const* words);
#define CHECK(condition) check((condition), __FILE__, __LINE__, #condition)

/* All memory of both is equal, gaps too. */
void check_equal(operand const* got, operand const* wanted, char const* file, int line);
#define CHECK_EQUAL(got, wanted) check_equal((got), (wanted), __FILE__, __LINE__)

/* The call has returned `wanted`, and this thread's message begins with the call's name and has the words. */
void check_refused(pantile_status got, pantile_status wanted, char const* call, char const* words, char const* file,
                   int line);
#define CHECK_REFUSED(got, wanted, call, words) check_refused((got), (wanted), (call), (words), __FILE__, __LINE__)

/* The call is done, and so is what it has enqueued. */
void check_done(pantile_status got, char const* file, int line);
#define CHECK_DONE(got) check_done((got), __FILE__, __LINE__)
