// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised reverse.

#include <pantile/impl/view/matrix.hpp>

namespace pantile::impl::reverse {

/// y(n - 1 - p) = x(p); in place, x and y are the same elements.
template <class T>
struct Problem {
  Vector<T const> x;
  Vector<T> y;
  bool in_place;
};

}  // namespace pantile::impl::reverse
