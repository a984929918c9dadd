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

/// \brief  Do two lines of elements share a byte? a's begin at 0, step, 2 step ..., b's the same from offset on; exact.
///
/// The p-th of a and the q-th of b touch iff offset - (bytes of a's) < (p - q) step < offset + (bytes of b's).
inline bool lines_meet(Footprint const& a, Footprint const& b, std::int64_t step, std::int64_t offset) {
  std::int64_t const low = offset - a.element, high = offset + b.element;
  if (step == 0) return low < 0 && 0 < high;
  auto const floor_div = [step](std::int64_t value) { return (value - (((value % step) + step) % step)) / step; };
  std::int64_t const first = floor_div(low) + 1, last = floor_div(high - 1);
  return std::max(first, 1 - b.fast_count) <= std::min(last, a.fast_count - 1);
}

/// A footprint of one direction only takes that direction for the fast one where its stride says so.
inline Footprint with_directions(Footprint print, std::int64_t fast) {
  if (print.fast_stride == 0 && print.slow_stride == fast) {
    std::swap(print.slow_stride, print.fast_stride);
    std::swap(print.slow_count, print.fast_count);
  }
  return print;
}

/// True where address ranges already tell that two matrices share nothing: the usual case, in a few instructions.
template <class T, class U>
bool ranges_apart(Matrix<T> const& a, Matrix<U> const& b) {
  auto const end = [](auto const& x) { return x.data + (x.rows - 1) * x.row_stride + (x.cols - 1) * x.col_stride + 1; };
  auto const address = [](auto const* p) { return reinterpret_cast<std::uintptr_t>(p); };
  if (a.rows == 0 || a.cols == 0 || b.rows == 0 || b.cols == 0) return true;
  return address(end(a)) <= address(b.data) || address(end(b)) <= address(a.data);
}

/// \brief  True if the two may share a byte.
///
/// Disjoint address ranges never do. With equal strides and rows that do not run into each other (subviews of one
/// parent, the usual case) the answer is exact: of all pairs of rows only two distances can meet. With other strides
/// the two are taken to share memory unless their distance is no multiple of what the strides can reach.
inline bool may_overlap(Footprint const& first, Footprint const& second) {
  if (first.empty() || second.empty()) return false;
  if (first.end() <= second.begin || second.end() <= first.begin) return false;
  std::int64_t const distance = second.begin - first.begin;
  std::int64_t const step =
      std::gcd(std::gcd(first.slow_stride, first.fast_stride), std::gcd(second.slow_stride, second.fast_stride));
  if (step > 0) {
    // Where second's elements lie between those that first's strides can reach.
    std::int64_t const rest = ((distance % step) + step) % step;
    if (rest >= first.element && step - rest >= second.element) return false;
  }
  std::int64_t const slow = std::max(first.slow_stride, second.slow_stride);
  std::int64_t fast = std::max(first.fast_stride, second.fast_stride);
  if (fast == 0 && first.slow_stride != second.slow_stride) fast = std::min(first.slow_stride, second.slow_stride);
  Footprint const a = with_directions(first, fast), b = with_directions(second, fast);
  auto const has_strides = [&](Footprint const& print) {
    bool const same = (print.slow_stride == slow || print.slow_stride == 0) &&
                      (print.fast_stride == fast || print.fast_stride == 0);
    return same && (print.fast_count - 1) * print.fast_stride + print.element <= slow;
  };
  if (!has_strides(a) || !has_strides(b)) return true;
  // b's rows lie offset bytes behind a's, and so reach into a's rows row_shift and row_shift + 1 further on.
  std::int64_t const offset = ((distance % slow) + slow) % slow;
  std::int64_t const row_shift = (distance - offset) / slow;
  auto const rows_meet = [&](std::int64_t shift) { return shift < a.slow_count && shift + b.slow_count > 0; };
  return (rows_meet(row_shift) && lines_meet(a, b, fast, offset)) ||
         (rows_meet(row_shift + 1) && lines_meet(a, b, fast, offset - slow));
}

/// True if the two are known to share nothing: address ranges first, which cost less.
template <class T, class U>
bool are_apart(Matrix<T> const& a, Matrix<U> const& b) {
  return ranges_apart(a, b) || !may_overlap(footprint(a), footprint(b));
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
  // The usual case without divisions: rows, or columns, that end before the next one begins.
  if (x.col_stride == 1 && x.row_stride >= x.cols) return true;
  if (x.row_stride == 1 && x.col_stride >= x.rows) return true;
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
