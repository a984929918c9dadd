// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <blas/copy.hpp>
#include <blas/failure.hpp>
#include <blas/lanes.hpp>

#include <pantile/add.hpp>
#include <pantile/error.hpp>
#include <pantile/transpose.hpp>

#include <cstddef>
#include <exception>
#include <memory>

namespace pantile::blas {
namespace {

/// Elements that are not worth a team: an estimate, not a measured crossover.
constexpr Index small_count = 64 * 1024;

template <class T>
bool is_small(Columns<T> const& m) {
  return m.rows <= small_count && m.cols <= small_count && m.rows * m.cols <= small_count;
}

template <class T>
T scaled(Operator op, T alpha, T value) {
  if (alpha == T(0)) return T(0);
  if (op.conjugates) value = conjugated(value);
  return alpha == T(1) ? value : product(alpha, value);
}

/// Element by element, where Kokkos is not to be had or cannot take the operands.
template <class T>
void plain_copy(Operator op, T alpha, Columns<T const> const& a, Columns<T> const& b) {
  for (Index j = 0; j < b.cols; ++j) {
    for (Index i = 0; i < b.rows; ++i) b(i, j) = scaled(op, alpha, op.transposes ? a(j, i) : a(i, j));
  }
}

template <class T>
void plain_square_in_place(Operator op, T alpha, Columns<T> const& a) {
  for (Index j = 0; j < a.cols; ++j) {
    for (Index i = 0; i < (op.transposes ? j + 1 : a.rows); ++i) {
      T const here = scaled(op, alpha, a(i, j));
      if (op.transposes && i != j) {
        a(i, j) = scaled(op, alpha, a(j, i));
        a(j, i) = here;
      } else {
        a(i, j) = here;
      }
    }
  }
}

/// A = alpha A
template <class Exec, class T>
void scale(Exec const& exec, T alpha, Columns<T> const& a) {
  using K = kokkos_t<T>;
  if (alpha == T(1)) return;
  auto const A = view(a);
  pantile::add(exec, K(alpha), A, K(0), A, A);
}

/// The signs of the imaginary parts, which are a matrix of real numbers at twice the strides.
template <class Exec, class T>
void conjugate(Exec const& exec, Columns<T> const& a) {
  if constexpr (is_complex<T>) {
    using R = real_t<T>;
    StridedView<R> const imaginary(reinterpret_cast<R*>(a.data) + 1, Kokkos::LayoutStride(a.rows, 2, a.cols, 2 * a.ld));
    pantile::add(exec, R(-1), imaginary, R(0), imaginary, imaginary);
  }
}

/// Passes over B: one, or two where it is conjugated and scaled.
template <class Exec, class T>
void pantile_copy(Exec const& exec, Operator op, T alpha, Columns<T const> const& a, Columns<T> const& b) {
  using K = kokkos_t<T>;
  auto const A = view(a), A_transposed = transposed_view(a);
  auto const B = view(b);
  bool const moves_only = alpha == T(1) || op.conjugates;
  if (moves_only && alpha != T(0)) {
    // transpose(A^T, B) is the copy of A to B.
    pantile::transpose(exec, op.transposes ? A : A_transposed, B, {.conjugate = op.conjugates});
    scale(exec, alpha, b);
  } else {
    pantile::add(exec, K(alpha), op.transposes ? A_transposed : A, K(0), B, B);
  }
}

template <class T>
void copy_or_throw(Operator op, T alpha, Columns<T const> const& a, Columns<T> const& b) {
  bool done = false;
  if (aligned(a.data) && aligned(b.data)) {
    try {
      done = on_instance(is_small(b), [&](auto const& exec) { pantile_copy(exec, op, alpha, a, b); });
    } catch (pantile::Error const&) {
      done = false;  // operands taken to overlap: before anything was written
    }
  }
  if (!done) plain_copy(op, alpha, a, b);
}

template <class T>
void square_in_place(Operator op, T alpha, Columns<T> const& a) {
  bool const done = aligned(a.data) && on_instance(is_small(a), [&](auto const& exec) {
                      if (op.transposes) {
                        pantile::transpose(exec, view(a), {.conjugate = op.conjugates});
                      } else if (op.conjugates) {
                        conjugate(exec, a);
                      }
                      scale(exec, alpha, a);
                    });
  if (!done) plain_square_in_place(op, alpha, a);
}

template <class T>
void in_place_or_throw(Operator op, T alpha, Columns<T> const& a, Index ld) {
  if (a.ld == ld && (!op.transposes || a.rows == a.cols)) {
    square_in_place(op, alpha, a);
    return;
  }
  Index const rows = op.transposes ? a.cols : a.rows, cols = op.transposes ? a.rows : a.cols;
  auto const memory = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(rows * cols));
  Columns<T> const result{memory.get(), rows, cols, rows};
  copy_or_throw(op, alpha, {a.data, a.rows, a.cols, a.ld}, result);
  copy_or_throw<T>({}, T(1), {result.data, rows, cols, rows}, {a.data, rows, cols, ld});
}

}  // namespace

template <class T>
void copy(Operator op, T alpha, Columns<T const> const& a, Columns<T> const& b) noexcept {
  if (b.rows == 0 || b.cols == 0) return;
  try {
    copy_or_throw(op, alpha, a, b);
  } catch (std::exception const& error) {
    fail("?omatcopy", error.what());
  }
}

template <class T>
void copy_in_place(Operator op, T alpha, Columns<T> const& a, Index ld) noexcept {
  if (a.rows == 0 || a.cols == 0) return;
  try {
    in_place_or_throw(op, alpha, a, ld);
  } catch (std::exception const& error) {
    fail("?imatcopy", error.what());
  }
}

#define PANTILE_BLAS_COPIES(T)                                                          \
  template void copy(Operator, T, Columns<T const> const&, Columns<T> const&) noexcept; \
  template void copy_in_place(Operator, T, Columns<T> const&, Index) noexcept;
PANTILE_BLAS_COPIES(float)
PANTILE_BLAS_COPIES(double)
PANTILE_BLAS_COPIES(std::complex<float>)
PANTILE_BLAS_COPIES(std::complex<double>)

}  // namespace pantile::blas
