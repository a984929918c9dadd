// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The matmuls without scratch: scale only, naive, grid-stride.

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

/// One row of A times one column of B, k rising.
template <class TA, class TB, class Accumulator>
struct Dot {
  using Compute = compute_t<Accumulator>;
  Matrix<TA const> a;
  Matrix<TB const> b;
  bool conj_a;
  bool conj_b;

  KOKKOS_INLINE_FUNCTION Compute operator()(Index i, Index j) const {
    Compute sum(0);
    for (Index k = 0; k < a.cols; ++k) {
      Compute const left = convert<Compute>(a(i, k));
      Compute const right = convert<Compute>(b(k, j));
      sum = multiply_add(conj_a ? conjugate(left) : left, conj_b ? conjugate(right) : right, sum);
    }
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
