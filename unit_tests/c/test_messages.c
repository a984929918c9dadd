/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every thread has a message of its own, and calls that succeed leave it alone. */
#include "support.h"
#include "tests.h"

#include <pthread.h>
#include <string.h>

enum { ROUNDS = 200, THREADS = 4 };

/* Threads refuse different spaces at once; each finds its own words. What they find goes to `wrong`. */
typedef struct {
  pantile_space space;
  int wrong;
} worker;

static void* refuse(void* argument) {
  worker* const w = argument;
  char words[] = "space is 9?, which is no space";
  words[10] = (char)('0' + w->space - 90);
  pantile_exec* exec = NULL;
  w->wrong += pantile_last_error_message()[0] != '\0';
  for (int round = 0; round < ROUNDS; ++round) {
    w->wrong += pantile_exec_create(w->space, NULL, &exec) != PANTILE_INVALID;
    w->wrong += pantile_exec_fence(NULL) != PANTILE_OK;
    w->wrong += strstr(pantile_last_error_message(), words) == NULL;
  }
  return NULL;
}

/* The whole of it: rule and operands, and nothing of the C++ face below. */
static void test_whole_message(void) {
  double* const memory = take(17 * sizeof *memory);
  pantile_vector const x = {memory, PANTILE_DOUBLE, 8, 1}, y = {memory + 8, PANTILE_DOUBLE, 9, 1};
  CHECK(pantile_reverse(NULL, &x, &y, NULL) == PANTILE_INVALID);
  CHECK(strcmp(pantile_last_error_message(),
               "pantile_reverse: length of x (8) must equal length of y (9); x 8 strides (1), y 9 strides (1)") == 0);
  give_back(memory);
}

void test_messages(void) {
  pthread_t threads[THREADS];
  worker workers[THREADS];
  CHECK(pantile_last_error_message()[0] == '\0');
  CHECK_DONE(pantile_exec_fence(NULL));
  for (int t = 0; t < THREADS; ++t) {
    workers[t].space = 90 + t;
    workers[t].wrong = 0;
    CHECK(pthread_create(&threads[t], NULL, refuse, &workers[t]) == 0);
  }
  for (int t = 0; t < THREADS; ++t) {
    CHECK(pthread_join(threads[t], NULL) == 0);
    CHECK(workers[t].wrong == 0);
  }
  CHECK(pantile_last_error_message()[0] == '\0');
  test_whole_message();
  CHECK(strcmp(pantile_version(), PANTILE_TEST_VERSION) == 0);
}
