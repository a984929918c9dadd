// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The fills: one element, a chunk of a row, one element by the coordinates of its thread.

#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

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
  static constexpr bool is_constant = std::is_same_v<F, Constant<T>>;
  Matrix<T> c;
  F f;
};

/// \brief  One element, or a piece of a row. Source: the course notebook's add_2D_coordinates.
/// \tparam Transposed  the problem's C is the caller's C transposed, walked along its fast direction
template <class T, class F, bool Transposed>
struct ElementKernel {
  Problem<T, F> problem;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    if constexpr (Transposed) {
      problem.c(i, j) = to_element<T>(problem.f(j, i));
    } else {
      problem.c(i, j) = to_element<T>(problem.f(i, j));
    }
  }
  KOKKOS_INLINE_FUNCTION void operator()(Index i, Index col, Index count) const {
    with_stride(problem.c.col_stride, [&](auto step) { piece(i, col, count, step); });
  }

 private:
  /// By copies of the address and of the function, which no element that is written can be a part of.
  template <class Stride>
  KOKKOS_INLINE_FUNCTION void piece(Index i, Index col, Index count, Stride step) const {
    T* const to = problem.c.data + i * problem.c.row_stride + col * step;
    std::conditional_t<std::is_trivially_copyable_v<F>, F const, F const&> f = problem.f;
    for (Index k = 0; k < count; ++k) to[k * step] = to_element<T>(Transposed ? f(col + k, i) : f(i, col + k));
  }
};

/// One element by the coordinates of its thread in a grid of threads_y x threads_x. Source: the course notebook's
/// add_2D_coordinates with stride.
template <class T, class F>
struct ThreadKernel {
  Problem<T, F> problem;
  Index threads_x, threads_y;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    problem.c(i, j) = to_element<T>(problem.f(i % threads_y, j % threads_x));
  }
};

}  // namespace pantile::impl::fill
