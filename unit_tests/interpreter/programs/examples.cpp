// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The numbered examples as one program: examples NAME [ARGUMENT...] is the program NAME.
#include <cstdio>
#include <string_view>

#define EXAMPLE(name)                \
  namespace example_##name {         \
    int main(int argc, char** argv); \
  }
#include "examples.inc"
#undef EXAMPLE

int main(int argc, char** argv) {
  std::string_view const asked = argc > 1 ? argv[1] : "";
#define EXAMPLE(name) \
  if (asked == #name) return example_##name::main(argc - 1, argv + 1);
#include "examples.inc"
#undef EXAMPLE
  std::fprintf(stderr, "%s: no example is called '%s'\n", argv[0], argc > 1 ? argv[1] : "");
  return 2;
}
