// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Do two strided matrices share memory? Exact; in a few steps wherever rows or columns are contiguous.

#include <pantile/impl/view/matrix.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
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
  /// Bytes from the first to the last.
  [[nodiscard]] std::int64_t span() const {
    return (slow_count - 1) * slow_stride + (fast_count - 1) * fast_stride + element;
  }
  /// One past the last byte.
  [[nodiscard]] std::intptr_t end() const { return begin + span(); }
  /// No memory is like this.
  [[nodiscard]] bool ends_beyond_addresses() const {
    return span() > std::numeric_limits<std::intptr_t>::max() - begin;
  }
  friend bool operator==(Footprint const&, Footprint const&) = default;
};

template <class T>
Footprint footprint(Matrix<T> const& matrix) {
  auto const size = static_cast<std::int64_t>(sizeof(T));
  Footprint print{reinterpret_cast<std::intptr_t>(matrix.data),
                  matrix.rows,
                  matrix.cols,
                  matrix.row_stride * size,
                  matrix.col_stride * size,
                  size};
  // The stride of a direction with one step or none says nothing, and elements that repeat are as one.
  auto const simplify = [](std::int64_t& count, std::int64_t& stride) {
    if (count <= 1) stride = 0;
    if (stride == 0 && count > 1) count = 1;
  };
  simplify(print.slow_count, print.slow_stride);
  simplify(print.fast_count, print.fast_stride);
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

/// Pieces of `length` bytes each, `step` bytes apart.
struct Pieces {
  std::intptr_t begin = 0;
  std::int64_t count = 0, step = 0, length = 0;

  /// One past the last byte.
  [[nodiscard]] std::intptr_t end() const { return begin + (count - 1) * step + length; }
};

/// \brief  The smallest x >= 0 with first <= factor x mod modulus <= last, -1 if there is none. 0 <= first <= last <
///         modulus. Euclid's algorithm: of the wraps that factor x makes, only those count that leave a remainder in
///         the window, which is the same question for modulus mod factor.
inline std::int64_t first_in_window(std::int64_t factor, std::int64_t modulus, std::int64_t first, std::int64_t last) {
  __extension__ using Wide = __int128;
  if (first == 0) return 0;
  factor %= modulus;
  if (factor == 0) return -1;
  std::int64_t const direct = (first - 1) / factor + 1;
  if (Wide(direct) * factor <= last) return direct;
  auto const negated = [factor](std::int64_t value) { return (factor - value % factor) % factor; };
  std::int64_t const wraps = first_in_window(modulus % factor, factor, negated(last), negated(first));
  if (wraps < 0) return -1;
  Wide const x = (Wide(modulus) * wraps + first - 1) / factor + 1;
  return x > std::numeric_limits<std::int64_t>::max() ? -1 : static_cast<std::int64_t>(x);
}

/// \brief  Do any two pieces share a byte? Exact, in a logarithm of the steps. b's piece p meets a's piece i iff p
///         b.step lies in the window of b.length + a.length - 1 bytes that ends at reach(i) = a.begin + i a.step +
///         a.length - 1 - b.begin.
inline bool meet(Pieces const& a, Pieces const& b) {
  if (a.count == 0 || b.count == 0 || a.end() <= b.begin || b.end() <= a.begin) return false;
  std::int64_t const window = a.length + b.length - 1, start = a.begin + a.length - 1 - b.begin;
  if (b.count == 1 || b.step == 0) {
    if (a.count == 1 || a.step == 0) return true;  // ranges that meet
    std::int64_t const i = start >= 0 ? 0 : (-start - 1) / a.step + 1;
    return i < a.count && start + i * a.step < window;
  }
  if (a.count == 1 || a.step == 0) return meet(b, a);
  // Pieces of a that reach b's first, and those of them that do not reach past its last one's step.
  std::int64_t const from = start >= 0 ? 0 : (-start - 1) / a.step + 1;
  std::int64_t const all = b.count * b.step;
  std::int64_t const past = start >= all ? 0 : (all - start - 1) / a.step + 1;
  if (past < a.count && start + std::max(from, past) * a.step < all - b.step + window && from < a.count) return true;
  std::int64_t const end = std::min(past, a.count);
  if (from >= end) return false;
  if (window >= b.step) return true;
  std::int64_t const offset = (start + from * a.step) % b.step;
  if (offset < window) return true;
  // offset + x a.step, from one window on: less than `window` beyond a multiple of b.step.
  std::int64_t const x = first_in_window(a.step, b.step, b.step - offset, b.step - offset + window - 1);
  return x >= 0 && x < end - from;
}

/// True where address ranges already tell that two matrices share nothing: the usual case, in a few instructions.
template <class T, class U>
[[gnu::always_inline]] inline bool ranges_apart(Matrix<T> const& a, Matrix<U> const& b) {
  auto const end = [](auto const& x) { return x.data + (x.rows - 1) * x.row_stride + (x.cols - 1) * x.col_stride + 1; };
  auto const address = [](auto const* p) { return reinterpret_cast<std::uintptr_t>(p); };
  if (a.rows == 0 || a.cols == 0 || b.rows == 0 || b.cols == 0) return true;
  return address(end(a)) <= address(b.data) || address(end(b)) <= address(a.data);
}

/// Memory of one kind, Pieces or Footprint, a number of times, a step apart.
template <class Part>
struct Repeated {
  Part first;
  std::int64_t count = 1, step = 0;

  [[nodiscard]] std::intptr_t end() const { return first.end() + (count - 1) * step; }
  [[nodiscard]] Part at(std::int64_t index) const {
    Part part = first;
    part.begin += index * step;
    return part;
  }
};

/// Do two of them share a byte, by meets(part of a, part of b)? As many steps as there are pairs whose ranges meet.
template <class Part, class Meets>
bool any_meet(Repeated<Part> const& a, Repeated<Part> const& b, Meets const& meets) {
  for (std::int64_t i = 0; i < a.count; ++i) {
    Part const one = a.at(i);
    // b's parts whose range meets this one's.
    std::int64_t p = 0, end = b.count;
    if (b.step > 0) {
      std::int64_t const before = one.begin - b.first.end(), behind = one.end() - 1 - b.first.begin;
      p = before < 0 ? 0 : before / b.step + 1;
      end = behind < 0 ? 0 : std::min(b.count, behind / b.step + 1);
    }
    for (; p < end; ++p) {
      if (meets(one, b.at(p))) return true;
    }
  }
  return false;
}

/// A footprint as lines: the pieces of one line, and how many of them lie a step apart.
using Lines = Repeated<Pieces>;

/// \brief  The footprint as few lines of many pieces; contiguous elements are one piece, lines of one piece one line.
inline Lines lines_of(Footprint const& print) {
  bool const solid = print.fast_count == 1 || print.fast_stride <= print.element;
  if (solid) {
    std::int64_t const length = (print.fast_count - 1) * print.fast_stride + print.element;
    return {{print.begin, print.slow_count, print.slow_stride, length}, 1, 0};
  }
  Pieces const along_fast{print.begin, print.fast_count, print.fast_stride, print.element};
  Pieces const along_slow{print.begin, print.slow_count, print.slow_stride, print.element};
  if (print.slow_stride == 0) return {along_fast, 1, 0};
  return print.slow_count <= print.fast_count ? Lines{along_fast, print.slow_count, print.slow_stride}
                                              : Lines{along_slow, print.fast_count, print.fast_stride};
}

/// \brief  True if the two share a byte; exact, and false of what ends beyond the last address. Disjoint address
///         ranges, what no multiple of the strides reaches, contiguous rows or columns: in a few steps. Matrices with
///         gaps in both directions whose ranges meet: as many steps as there are pairs of lines that meet.
[[gnu::noinline]] inline bool share_memory(Footprint const& first, Footprint const& second) {
  if (first.empty() || second.empty()) return false;
  if (first.ends_beyond_addresses() || second.ends_beyond_addresses()) return false;
  if (first.end() <= second.begin || second.end() <= first.begin) return false;
  std::int64_t const distance = second.begin - first.begin;
  std::int64_t const step =
      std::gcd(std::gcd(first.slow_stride, first.fast_stride), std::gcd(second.slow_stride, second.fast_stride));
  if (step > 0) {
    // Where second's elements lie between those that first's strides can reach.
    std::int64_t const rest = ((distance % step) + step) % step;
    if (rest >= first.element && step - rest >= second.element) return false;
  }
  return any_meet(lines_of(first), lines_of(second), meet);
}

/// True if the two share nothing: address ranges first, which cost less.
template <class T, class U>
bool are_apart(Matrix<T> const& a, Matrix<U> const& b) {
  return ranges_apart(a, b) || !share_memory(footprint(a), footprint(b));
}

/// \brief  True if no two elements of the matrix share memory; exact. Elements (i, j) and (i + di, j - dj) meet iff di
///         row_stride = dj col_stride; the smallest such step is (col_stride, row_stride) / gcd, and it lies within the
///         matrix or no step does.
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
         static_cast<void const*>(a.data) == static_cast<void const*>(b.data) && a.rows == b.rows && a.cols == b.cols &&
         (a.rows <= 1 || a.row_stride == b.row_stride) && (a.cols <= 1 || a.col_stride == b.col_stride);
}

}  // namespace pantile::impl
