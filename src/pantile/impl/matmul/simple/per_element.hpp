// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The matmuls without scratch: scale only, naive, grid-stride.

#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/matmul/problem.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::matmul {

/// C = beta * C; beta = 0 writes zeroes and reads nothing.
template <class TC, class Accumulator>
struct ScaleKernel {
  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    using Compute = compute_t<Accumulator>;
    TC& out = c(i, j);
    out = epilogue.reads_c
              ? convert<TC>(convert<Accumulator>(multiply_add(epilogue.beta, convert<Compute>(out), Compute(0))))
              : TC(0);
  }
};

/// \brief  One row of A times one column of B, k rising: operands are loaded for several k before the first product, by
///         pointers that walk along strides (perf_tests/notes/device_model.md).
template <class TA, class TB, class Accumulator>
struct Dot {
  using Compute = compute_t<Accumulator>;
  Matrix<TA const> a;
  Matrix<TB const> b;
  bool conj_a;
  bool conj_b;

  KOKKOS_INLINE_FUNCTION Compute operator()(Index i, Index j) const {
    TA const* const left = a.data + i * a.row_stride;
    TB const* const right = b.data + j * b.col_stride;
    return a.col_stride == 1 ? along(left, UnitStride{}, right) : along(left, a.col_stride, right);
  }

 private:
  static constexpr int batch = sizeof(Compute) >= 16 ? 4 : 8;

  KOKKOS_INLINE_FUNCTION Compute add_product(TA const& left_element, TB const& right_element,
                                             Compute const& sum) const {
    Compute const left = convert<Compute>(left_element), right = convert<Compute>(right_element);
    if constexpr (is_complex_v<Compute>) {
      return multiply_add(conj_a ? conjugate(left) : left, conj_b ? conjugate(right) : right, sum);
    } else {
      return multiply_add(left, right, sum);
    }
  }

  template <class Stride>
  KOKKOS_INLINE_FUNCTION Compute along(TA const* left, Stride left_step, TB const* right) const {
    Index const right_step = b.row_stride;
    Compute sum(0);
    Index rest = a.cols;
    for (; rest >= batch; rest -= batch) {
      TA lefts[batch];
      TB rights[batch];
      PANTILE_UNROLL
      for (int k = 0; k < batch; ++k) {
        lefts[k] = *left;
        rights[k] = *right;
        left += left_step;
        right += right_step;
      }
      PANTILE_UNROLL
      for (int k = 0; k < batch; ++k) sum = add_product(lefts[k], rights[k], sum);
    }
    for (; rest > 0; --rest, left += left_step, right += right_step) sum = add_product(*left, *right, sum);
    return sum;
  }
};

/// \brief  One output element: per thread of a 2D grid, whose range guards the edges (naive), or per step of a thread
///         that strides over the outputs (grid_stride). Source: Numba CUDA examples, "matmul"; user guide, gridsize(2).
template <class TA, class TB, class TC, class Accumulator>
struct ElementKernel {
  Dot<TA, TB, Accumulator> dot;
  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const { epilogue(dot(i, j), c(i, j)); }
};

}  // namespace pantile::impl::matmul
