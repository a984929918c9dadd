// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  B = -A, one element at a time.

#include <pantile/element.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::negate {

template <class T>
struct Problem {
  Matrix<T const> a;
  Matrix<T> b;
};

template <class T>
struct Kernel {
  Problem<T> problem;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    using Compute = compute_t<T>;
    problem.b(i, j) = convert<T>(multiply_add(Compute(-1), convert<Compute>(problem.a(i, j)), Compute(0)));
  }
};

}  // namespace pantile::impl::negate
