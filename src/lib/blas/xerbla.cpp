// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What is called for a bad argument where the program has nothing of its own: weak, in a file apart from the
///        callers, so that no compiler binds a call to these. They return, as most BLAS do; the reference BLAS stops.

#include <blas/faces.hpp>

#include <cstdarg>
#include <cstdio>
#include <string_view>

int RowMajorStrg = 0;

namespace {

/// From the positions of the column-major product that a row-major one is turned into to the caller's.
int position_of_caller(int position, std::string_view routine) {
  if (RowMajorStrg == 0 || routine.find("gemm") == std::string_view::npos) return position;
  switch (position) {
    case 4: return 5;
    case 5: return 4;
    case 9: return 11;
    case 11: return 9;
    default: return position;
  }
}

}  // namespace

extern "C" {

[[gnu::weak]] void xerbla_(char const* routine, int const* position, unsigned long routine_length) {
  std::string_view name(routine, routine_length);
  name = name.substr(0, name.find_last_not_of(' ') + 1);
  std::fprintf(stderr, "libpantile_blas: argument %d of %.*s is not valid\n", *position, static_cast<int>(name.size()),
               name.data());
}

[[gnu::weak]] void cblas_xerbla(int position, char const* routine, char const* form, ...) {
  std::fprintf(stderr, "libpantile_blas: argument %d of %s is not valid", position_of_caller(position, routine),
               routine);
  if (*form != '\0') {
    std::fputs(": ", stderr);
    std::va_list arguments;
    va_start(arguments, form);
    std::vfprintf(stderr, form, arguments);
    va_end(arguments);
  }
  std::fputs("\n", stderr);
}

}  // extern "C"
