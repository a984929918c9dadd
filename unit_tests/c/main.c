/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_c NAME: one test of the C face; its exit status is not zero if anything is wrong. */
#include "support.h"
#include "tests.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  static const struct {
    char const* name;
    void (*run)(void);
  } tests[] = {
      {"matmul", test_matmul},       {"batches", test_batches},
      {"transpose", test_transpose}, {"add", test_add},
      {"fill", test_fill},           {"copy", test_copy},
      {"histogram", test_histogram}, {"reverse", test_reverse},
      {"workspace", test_workspace}, {"explain", test_explain},
      {"operands", test_operands},   {"options", test_options},
      {"choices", test_choices},     {"instances", test_instances},
      {"messages", test_messages},
#ifdef PANTILE_TEST_WITH_DEVICE
      {"device", test_device},
#endif
  };
  for (size_t t = 0; argc == 2 && t < sizeof tests / sizeof *tests; ++t) {
    if (strcmp(argv[1], tests[t].name) != 0) continue;
    tests[t].run();
    printf("%s: %d failures\n", argv[1], failures);
    return failures != 0;
  }
  printf("usage: test_c NAME, with the name of a test\n");
  return 2;
}
