// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The matmuls without scratch: scale only, naive, grid-stride.

#include <pantile/impl/matmul/problem.hpp>
#include <pantile/policy.hpp>

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

/// One output element per thread of a 2D grid. Source: Numba CUDA examples, "matmul"; the range guards the edges.
template <class TA, class TB, class TC, class Accumulator>
struct NaiveKernel {
  Dot<TA, TB, Accumulator> dot;
  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const { epilogue(dot(i, j), c(i, j)); }
};

/// \brief  Every thread of a launch of any shape strides over the outputs until all are done.
///         Source: Numba CUDA user guide, grid(2) and gridsize(2).
template <class TA, class TB, class TC, class Accumulator>
struct GridStrideKernel {
  Dot<TA, TB, Accumulator> dot;
  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;
  Index threads_x;
  Index threads_y;

  KOKKOS_INLINE_FUNCTION void operator()(Index thread) const {
    for (Index i = thread / threads_x; i < c.rows; i += threads_y) {
      for (Index j = thread % threads_x; j < c.cols; j += threads_x) epilogue(dot(i, j), c(i, j));
    }
  }
};

}  // namespace pantile::impl::matmul
