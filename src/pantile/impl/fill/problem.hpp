// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised fill: where to write and what.

#include <pantile/impl/view/matrix.hpp>
#include <pantile/impl/view/scalar.hpp>

namespace pantile::impl::fill {

/// The same value everywhere.
template <class T>
struct Constant {
  T value;
  KOKKOS_INLINE_FUNCTION T operator()(Index, Index) const { return value; }
};

/// \brief  C(i, j) = f(i, j), or of the coordinates of the thread that writes (i, j): i modulo thread rows, j modulo
///         thread columns.
template <class T, class F>
struct Problem {
  Matrix<T> c;
  F f;
};

}  // namespace pantile::impl::fill
