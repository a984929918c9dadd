/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A product from C: operands are pointers, extents and strides. A wrong shape gives a status and a sentence. */
#include <pantile/c/pantile.h>

#include <stdio.h>

int main(void) {
  double a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 0, 1, 1, 1}, c[4];
  pantile_matrix A = {a, PANTILE_DOUBLE, 2, 3, 3, 1}; /* rows, columns, and the steps from one to the next of each */
  pantile_matrix B = {b, PANTILE_DOUBLE, 3, 2, 2, 1};
  pantile_matrix C = {c, PANTILE_DOUBLE, 2, 2, 2, 1};
  pantile_status status = pantile_matmul(NULL, NULL, &A, &B, NULL, &C, NULL); /* C = 1 A B + 0 C */
  if (status != PANTILE_OK) {
    puts(pantile_last_error_message());
    return 1;
  }
  printf("[%g %g]\n[%g %g]\n", c[0], c[1], c[2], c[3]);

  status = pantile_matmul(NULL, NULL, &A, &A, NULL, &C, NULL);
  printf("status %d: %s\n", (int)status, pantile_last_error_message());
  return c[0] == 4 && c[1] == 5 && c[2] == 10 && c[3] == 11 && status == PANTILE_INVALID ? 0 : 1;
}
