// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A loop that the compiler may vectorise without proving that its pointers do not overlap.

#include <Kokkos_Core.hpp>

#include <cstdint>

// Without the promise, compilers test at run time whether the arrays overlap, and an operation in place then takes the
// scalar loop. A pragma can only come from a macro or stand before the loop; nvcc's front end knows neither form.
#if defined(__clang__)
#define PANTILE_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define PANTILE_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define PANTILE_INDEPENDENT_ITERATIONS
#endif

namespace pantile::impl::compiler_ext {

/// f(0) ... f(count - 1), where no call reads what another one writes.
template <class Count, class F>
KOKKOS_INLINE_FUNCTION void independent_loop(Count count, F const& f) {
  PANTILE_INDEPENDENT_ITERATIONS
  for (Count i = 0; i < count; ++i) f(i);
}

}  // namespace pantile::impl::compiler_ext

#undef PANTILE_INDEPENDENT_ITERATIONS
