// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The end of a call that can neither be done nor be refused.

#include <cstdio>
#include <cstdlib>

namespace pantile::blas {

/// Ends the program: BLAS has no way to report this, and to return would leave a wrong result.
[[noreturn]] inline void fail(char const* routine, char const* reason) {
  std::fprintf(stderr, "libpantile_blas: %s: %s\n", routine, reason);
  std::abort();
}

}  // namespace pantile::blas
