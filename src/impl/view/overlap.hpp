// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Do two strided matrices share an element? O(1): exact where both have the same strides, safe otherwise.

#include <pantile/impl/view/matrix.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>

namespace pantile::impl {

/// A matrix as bytes: a first address, and extent and stride (in bytes) of the slow and of the fast direction.
struct Footprint {
  std::intptr_t begin = 0;
  std::int64_t slow_count = 0, fast_count = 0;
  std::int64_t slow_stride = 0, fast_stride = 0;
  std::int64_t element = 1;

  [[nodiscard]] bool empty() const { return slow_count == 0 || fast_count == 0; }
  /// One past the last byte.
  [[nodiscard]] std::intptr_t end() const {
    return begin + (slow_count - 1) * slow_stride + (fast_count - 1) * fast_stride + element;
  }
  friend bool operator==(Footprint const&, Footprint const&) = default;
};

template <class T>
Footprint footprint(Matrix<T> const& matrix) {
  auto const size = static_cast<std::int64_t>(sizeof(T));
  Footprint print{reinterpret_cast<std::intptr_t>(matrix.data), matrix.rows, matrix.cols, matrix.row_stride * size,
                  matrix.col_stride * size, size};
  // The stride of a direction with one step or none says nothing: give it one that keeps comparisons simple.
  if (print.slow_count <= 1) print.slow_stride = 0;
  if (print.fast_count <= 1) print.fast_stride = 0;
  if (print.slow_stride < print.fast_stride) {
    std::swap(print.slow_stride, print.fast_stride);
    std::swap(print.slow_count, print.fast_count);
  }
  return print;
}

template <class T>
Footprint footprint(Vector<T> const& vector) {
  return footprint(Matrix<T>{vector.data, 1, vector.size, 0, vector.stride});
}

/// \brief  True if the two may share a byte.
///
/// Disjoint address ranges never do. With equal strides (subviews of one parent, the usual case) the answer is exact:
/// elements meet iff the distance of the origins is a difference of two index pairs, and since a row is not longer
/// than the slow stride only the two nearest row differences can give it. With different strides the two are taken to
/// share memory unless the distance is no multiple of what the strides can reach.
inline bool may_overlap(Footprint a, Footprint b) {
  if (a.empty() || b.empty()) return false;
  // A single row or column is a run along the other's fast direction, if its stride is below the other's slow one.
  auto const turn_to = [](Footprint& run, Footprint const& other) {
    if (run.fast_stride != 0 || run.slow_stride >= other.slow_stride) return;
    std::swap(run.slow_stride, run.fast_stride);
    std::swap(run.slow_count, run.fast_count);
  };
  turn_to(a, b);
  turn_to(b, a);
  if (a.end() <= b.begin || b.end() <= a.begin) return false;
  std::int64_t const distance = b.begin - a.begin;
  std::int64_t const step = std::gcd(std::gcd(a.slow_stride, a.fast_stride), std::gcd(b.slow_stride, b.fast_stride));
  if (step > 0) {
    std::int64_t const rest = ((distance % step) + step) % step;  // position of b's elements within a's lattice cell
    if (rest >= a.element && step - rest >= b.element) return false;
  }
  std::int64_t const slow = std::max(a.slow_stride, b.slow_stride);
  std::int64_t const fast = std::max(a.fast_stride, b.fast_stride);
  auto const same_or_none = [](std::int64_t mine, std::int64_t common) { return mine == common || mine == 0; };
  bool const same_strides = same_or_none(a.slow_stride, slow) && same_or_none(b.slow_stride, slow) &&
                            same_or_none(a.fast_stride, fast) && same_or_none(b.fast_stride, fast) && slow > 0;
  std::int64_t const a_row = (a.fast_count - 1) * a.fast_stride + a.element;
  std::int64_t const b_row = (b.fast_count - 1) * b.fast_stride + b.element;
  if (!same_strides || a_row > slow || b_row > slow) return true;
  // Rows of both are intervals of [0, slow): compare them within the slow period. Row index ranges overlap, or else
  // the address ranges would be disjoint, up to the two neighbouring rows tested here.
  std::int64_t const offset = ((distance % slow) + slow) % slow;
  std::int64_t const row_shift = (distance - offset) / slow;
  auto const rows_meet = [&](std::int64_t shift) { return shift < a.slow_count && shift + b.slow_count > 0; };
  bool const meets_here = offset < a_row && rows_meet(row_shift);
  bool const meets_next = offset + b_row > slow && rows_meet(row_shift + 1);
  return meets_here || meets_next;
}

/// \brief  True if no two elements of the matrix share memory; exact.
///
/// Elements (i, j) and (i + di, j - dj) meet iff di row_stride = dj col_stride; the smallest such step is
/// (col_stride, row_stride) / gcd, and it lies within the matrix or no step does.
template <class T>
bool has_distinct_elements(Matrix<T> const& x) {
  if (x.rows <= 1 || x.cols <= 1) {
    return (x.rows <= 1 || x.cols == 0 || x.row_stride != 0) && (x.cols <= 1 || x.rows == 0 || x.col_stride != 0);
  }
  Index const common = std::gcd(x.row_stride, x.col_stride);
  return common != 0 && (x.col_stride / common >= x.rows || x.row_stride / common >= x.cols);
}

/// True if the two are the very same elements in the same order.
template <class T, class U>
bool same_elements(Matrix<T> const& a, Matrix<U> const& b) {
  return std::is_same_v<std::remove_const_t<T>, std::remove_const_t<U>> &&
         static_cast<void const*>(a.data) == static_cast<void const*>(b.data) && a.rows == b.rows &&
         a.cols == b.cols && (a.rows <= 1 || a.row_stride == b.row_stride) &&
         (a.cols <= 1 || a.col_stride == b.col_stride);
}

}  // namespace pantile::impl
