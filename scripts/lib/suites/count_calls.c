/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Preloaded before the library that is looked at: counts the general products that a program and its children ask for,
   and how many of them went on to the library named in COUNT_LIBRARY. The counters are in the file named in COUNT_FILE,
   which holds two numbers of 64 bits. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long* counters; /* all calls, calls to the library */

__attribute__((constructor)) static void begin(void) {
  char const* const name = getenv("COUNT_FILE");
  int const file = name ? open(name, O_RDWR) : -1;
  if (file < 0) return;
  void* const memory = mmap(NULL, 2 * sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) counters = memory;
  close(file);
}

/* The next definition of a name, and whether it is the library's. */
static void* next(char const* name, int* ours) {
  void* const function = dlsym(RTLD_NEXT, name);
  char const* const library = getenv("COUNT_LIBRARY");
  Dl_info where;
  if (function == NULL) abort();
  *ours = library && dladdr(function, &where) && strcmp(where.dli_fname, library) == 0;
  return function;
}

static void count(int ours) {
  if (!counters) return;
  __atomic_fetch_add(&counters[0], 1, __ATOMIC_RELAXED);
  if (ours) __atomic_fetch_add(&counters[1], 1, __ATOMIC_RELAXED);
}

#define COUNT(NAME, PARAMETERS, ARGUMENTS)                            \
  void NAME PARAMETERS {                                              \
    static void(*function) PARAMETERS;                                \
    static int ours;                                                  \
    if (!function) function = (void(*) PARAMETERS)next(#NAME, &ours); \
    count(ours);                                                      \
    function ARGUMENTS;                                               \
  }

/* The last two: lengths of letters, which Fortran passes. */
#define COUNT_FORTRAN(NAME)                                                                                          \
  COUNT(NAME,                                                                                                        \
        (char const* ta, char const* tb, int const* m, int const* n, int const* k, void const* alpha, void const* a, \
         int const* lda, void const* b, int const* ldb, void const* beta, void* c, int const* ldc, unsigned long la, \
         unsigned long lb),                                                                                          \
        (ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, la, lb))
#define COUNT_C(NAME, T)                                                                                          \
  COUNT(NAME,                                                                                                     \
        (int order, int ta, int tb, int m, int n, int k, T alpha, void const* a, int lda, void const* b, int ldb, \
         T beta, void* c, int ldc),                                                                               \
        (order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))

COUNT_FORTRAN(sgemm_)
COUNT_FORTRAN(dgemm_)
COUNT_FORTRAN(cgemm_)
COUNT_FORTRAN(zgemm_)
COUNT_C(cblas_sgemm, float)
COUNT_C(cblas_dgemm, double)
COUNT_C(cblas_cgemm, void const*)
COUNT_C(cblas_zgemm, void const*)
