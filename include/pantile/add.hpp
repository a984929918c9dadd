// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrix addition C = alpha A + beta B of Views, dense or strided, for every layout, element type and shape.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/explain.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/add/call.hpp>
#include <pantile/impl/view/check.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>

namespace pantile {

/// \brief  C = alpha A + beta B.
///
/// \tparam Accumulator  type in which alpha and beta are applied and the sum is formed; by default the widest of the
///                      operands' own (float for half types, 32 bits for 8-bit integers). The result is rounded to C's
///                      element type once.
/// \param  exec     execution-space instance on which all work is enqueued
/// \param  alpha    scalar, converted to Accumulator; zero means that A is never read
/// \param  A        (m, n); const or not
/// \param  beta     scalar, converted to Accumulator; zero means that B is never read
/// \param  B        (m, n); const or not
/// \param  C        (m, n)
/// \param  options  algorithm (automatic, naive, grid_stride, tiled, blocked), tile edges, launch shape
///
/// \pre    A, B and C have the same extents; no operand is null; C does not overlap itself
/// \pre    C is exactly A (or B), element for element, or does not overlap it; subviews of equal strides that
///         interleave without sharing an element do not overlap; with other strides the check may refuse more
/// \pre    tile edges and launch edges are not negative; a tile has no more threads than a thread block can have
/// \throws pantile::Error  when one of these does not hold, or the algorithm cannot do the call; then C is untouched
///
/// \par Numerics     alpha = 0 never reads A and beta = 0 never reads B; with both zero C = 0. Otherwise NaN and Inf
///                   propagate. Integers wrap modulo 2^w. Complex products use the textbook formula.
/// \par Asynchrony   returns when the work is enqueued on exec; never fences. The Views must live until it is done.
/// \par Allocation   none
/// \par Determinism  the same bits for any number of threads: each element depends on its own operands only
/// \par Index width  64 bits throughout
/// \par Aliasing     in place where C is exactly A or exactly B
/// \par Speed        On hosts, automatic is blocked where operands and accumulator have one type and contiguous rows or
///                   columns: kernels for the CPU's instruction set, with streaming stores where the cache cannot hold
///                   the operands. On devices, automatic is blocked (packs of 16 bytes) where all elements have one
///                   size and contiguous rows (or columns) start at the same offset modulo 16 bytes in all operands
/// \par Source       the course notebook's "2D addition with stride" (64 x 64 by 6 x 6 blocks of 6 x 6 threads)
template <class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha, MatrixView ViewA, class Beta,
          MatrixView ViewB, MatrixView ViewC>
  requires Mutable<ViewC>
void add(Exec const& exec, Alpha const& alpha, ViewA const& A, Beta const& beta, ViewB const& B, ViewC const& C,
         AddOptions const& options = {}, std::source_location where = std::source_location::current()) {
  impl::add::execute<Accumulator>(exec, alpha, A, beta, B, C, options, where);
}

/// \brief  The same on the default instance of C's execution space.
template <class Accumulator = DefaultAccumulator, class Alpha, MatrixView ViewA, class Beta, MatrixView ViewB,
          MatrixView ViewC>
  requires Mutable<ViewC>
void add(Alpha const& alpha, ViewA const& A, Beta const& beta, ViewB const& B, ViewC const& C,
         AddOptions const& options = {}, std::source_location where = std::source_location::current()) {
  add<Accumulator>(typename ViewC::execution_space{}, alpha, A, beta, B, C, options, where);
}

/// Catches arguments that are no matrices: does not compile, and says what to write.
template <class... Arguments>
void add(Arguments const&...) {
  impl::refuse_arguments<Arguments...>();
}

namespace explain {

/// \brief  What `pantile::add` would do with these arguments; same checks and errors, nothing is launched.
template <class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha, MatrixView ViewA, class Beta,
          MatrixView ViewB, MatrixView ViewC>
  requires Mutable<ViewC>
Explanation add(Exec const& exec, Alpha const& alpha, ViewA const& A, Beta const& beta, ViewB const& B, ViewC const& C,
                AddOptions const& options = {}, std::source_location where = std::source_location::current()) {
  return impl::add::explain_call<Accumulator>(exec, alpha, A, beta, B, C, options, where);
}

/// \brief  The same on the default instance of C's execution space.
template <class Accumulator = DefaultAccumulator, class Alpha, MatrixView ViewA, class Beta, MatrixView ViewB,
          MatrixView ViewC>
  requires Mutable<ViewC>
Explanation add(Alpha const& alpha, ViewA const& A, Beta const& beta, ViewB const& B, ViewC const& C,
                AddOptions const& options = {}, std::source_location where = std::source_location::current()) {
  return explain::add<Accumulator>(typename ViewC::execution_space{}, alpha, A, beta, B, C, options, where);
}

/// Catches arguments that `pantile::add` does not take: does not compile, and says what to write.
template <class... Arguments>
Explanation add(Arguments const&...) {
  impl::refuse_arguments<Arguments...>();
  return {};
}

}  // namespace explain
}  // namespace pantile

#if defined(PANTILE_USE_LIBRARY)
#include <pantile/instances/add.hpp>
#endif
