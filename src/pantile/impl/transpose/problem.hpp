// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised transposition: a copy between two matrices of one shape that lie in memory differently.

#include <pantile/impl/view/matrix.hpp>

namespace pantile::impl::transpose {

/// \brief  target(i, j) = source(i, j), conjugated on demand. target is B with rows and columns exchanged, so that
///         transposing is no more than a difference of strides. In place, source is target transposed.
template <class T>
struct Problem {
  Matrix<T const> source;
  Matrix<T> target;
  bool conjugates;
  bool in_place;

  /// Source and target run through memory the same way: a plain copy.
  [[nodiscard]] bool is_copy() const { return !in_place && source.fast_along_row() == target.fast_along_row(); }
  [[nodiscard]] bool is_one_row() const { return source.is_one_row() && target.is_one_row(); }
  [[nodiscard]] Problem as_one_row() const { return {source.as_one_row(), target.as_one_row(), conjugates, in_place}; }
  [[nodiscard]] Problem transposed() const { return {source.transposed(), target.transposed(), conjugates, in_place}; }
  [[nodiscard]] Problem within_memory() const { return {source, target, conjugates, true}; }
  /// Exchange rows and columns where source runs along its columns.
  [[nodiscard]] Problem along_source() const { return source.fast_along_row() ? *this : transposed(); }
};

}  // namespace pantile::impl::transpose
