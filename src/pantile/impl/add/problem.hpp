// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised addition: three matrices of one shape, walked along C's fast direction.

#include <pantile/impl/view/matrix.hpp>

namespace pantile::impl::add {

/// \brief  C = alpha * A + beta * B, all rows x cols, C walked fastest along its rows.
template <class TA, class TB, class TC, class Accumulator>
struct Problem {
  Matrix<TA const> a;
  Matrix<TB const> b;
  Matrix<TC> c;
  Accumulator alpha;
  Accumulator beta;
  bool exchanged = false;  ///< rows and columns are the caller's columns and rows

  [[nodiscard]] bool reads_a() const { return !(alpha == Accumulator(0)); }
  [[nodiscard]] bool reads_b() const { return !(beta == Accumulator(0)); }

  /// What is read and written runs on from row to row: all of it can be walked as one row.
  [[nodiscard]] bool is_one_row() const {
    return c.is_one_row() && (!reads_a() || a.is_one_row()) && (!reads_b() || b.is_one_row());
  }
  [[nodiscard]] Problem as_one_row() const {
    return {a.as_one_row(), b.as_one_row(), c.as_one_row(), alpha, beta, exchanged};
  }

  /// Read and written.
  [[nodiscard]] Index bytes() const {
    return c.count() * static_cast<Index>((reads_a() ? sizeof(TA) : 0) + (reads_b() ? sizeof(TB) : 0) + sizeof(TC));
  }

  /// Something that is read runs across C.
  [[nodiscard]] bool is_crossing() const {
    bool const along = c.fast_along_row();
    return (reads_a() && a.fast_along_row() != along) || (reads_b() && b.fast_along_row() != along);
  }

  /// What is read and written has neighbours in a row next to each other in memory.
  [[nodiscard]] bool is_contiguous() const {
    return c.col_stride == 1 && (!reads_a() || a.col_stride == 1) && (!reads_b() || b.col_stride == 1);
  }

  /// Exchange rows and columns where C runs along its columns.
  [[nodiscard]] Problem along_c() const {
    if (c.fast_along_row()) return *this;
    return {a.transposed(), b.transposed(), c.transposed(), alpha, beta, !exchanged};
  }
};

}  // namespace pantile::impl::add
