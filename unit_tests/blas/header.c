/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A C program: the header alone, and one call of each kind. */
#include <pantile/c/blas.h>

int main(void) {
  double const a[4] = {1, 2, 3, 4};
  double const one = 1, zero = 0;
  int const two = 2;
  double b[4] = {0}, c[4];
  cblas_domatcopy(CblasRowMajor, CblasTrans, 2, 2, 1, a, 2, b, 2);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2);
  if (c[0] != 7 || c[1] != 10 || c[2] != 15 || c[3] != 22) return 1;
  dgemm_("N", "N", &two, &two, &two, &one, a, &two, b, &two, &zero, c, &two);
  return c[0] != 10 || c[1] != 14 || c[2] != 14 || c[3] != 20 ? 2 : 0;
}
