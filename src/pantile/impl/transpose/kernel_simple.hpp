// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The transpositions without scratch: element by element, and the plain copy.

#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/transpose/problem.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::transpose {

/// One element. Source: the course notebook's naive transpose.
template <class T>
struct ElementKernel {
  Problem<T> problem;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    T const value = problem.source(i, j);
    problem.target(i, j) = problem.conjugates ? conjugate(value) : value;
  }
};

/// In place: exchange one element above the diagonal with its mirror image.
template <class T>
struct ElementPairKernel {
  Problem<T> problem;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    if (j < i) return;
    Matrix<T> const& matrix = problem.target;
    T const upper = matrix(i, j), lower = matrix(j, i);
    matrix(i, j) = problem.conjugates ? conjugate(lower) : lower;
    matrix(j, i) = problem.conjugates ? conjugate(upper) : upper;
  }
};

/// \brief  Neighbours in a row, in one loop without a call in it.
/// \tparam Contiguous  source and target have unit stride along rows
template <class T, bool Contiguous>
struct RowKernel {
  using Stride = std::conditional_t<Contiguous, UnitStride, Index>;
  Problem<T> problem;

  KOKKOS_INLINE_FUNCTION void operator()(Index i, Index j, Index count) const {
    if (is_complex_v<T> && problem.conjugates) {
      move<true>(i, j, count);
    } else {
      move<false>(i, j, count);
    }
  }

 private:
  template <bool Conjugates>
  KOKKOS_INLINE_FUNCTION void move(Index i, Index j, Index count) const {
    Stride step_source{}, step_target{};
    if constexpr (!Contiguous) {
      step_source = problem.source.col_stride;
      step_target = problem.target.col_stride;
    }
    T const* const from = problem.source.data + i * problem.source.row_stride + j * step_source;
    T* const to = problem.target.data + i * problem.target.row_stride + j * step_target;
    compiler_ext::independent_loop(count, [=](Index k) {
      T const value = from[k * step_source];
      to[k * step_target] = Conjugates ? conjugate(value) : value;
    });
  }
};

}  // namespace pantile::impl::transpose
