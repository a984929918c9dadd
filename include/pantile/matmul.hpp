// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrix multiplication C = alpha op(A) op(B) + beta C of Views, for every layout, element type and shape.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/explain.hpp>
#include <pantile/matrix_pointers.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/matmul/batch/call.hpp>
#include <pantile/impl/matmul/host/tiny.hpp>
#include <pantile/impl/view/check.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>

namespace pantile {

/// \brief  C = alpha op_a(A) op_b(B) + beta C, where op is none, transpose, conjugate or conjugate transpose.
///
/// \tparam Accumulator  type in which products are summed and alpha, beta are applied; by default the widest of the
///                      operands' own (float for half types, 32 bits for 8-bit integers). Each sum is rounded to
///                      C's element type once. Named in front, matmul<double>(...): a member of options has its value
///                      at run time, from which no type can follow, and a tag would say the same in more words.
/// \param  exec     execution-space instance on which all work is enqueued
/// \param  alpha    scalar, converted to Accumulator; an integer where Accumulator is one
/// \param  A        (m, k) after op_a; const or not. A vector (k) is one row
/// \param  B        (k, n) after op_b; const or not. A vector (k) is one column
/// \param  beta     scalar, converted to Accumulator; zero means that C is written and never read
/// \param  C        (m, n); a vector where A or B, but not both, is one. Or a batch (count, m, n), and A and B each a
///                  batch of as many matrices or one matrix for all: Views of rank 3 of any layout and strides, the
///                  first extent the batch, or MatrixPointers
/// \param  options  op_a, op_b, algorithm (automatic, naive, grid_stride, tiled, blocked, vendor), tile edges, launch
///                  shape, precision of products of floats, workspace
///
/// \pre    columns of op(A) equal rows of op(B); C has the rows of op(A) and the columns of op(B)
/// \pre    C does not overlap A, B or itself; no operand with extents is without memory. Of MatrixPointers that hosts
///         can read: they and the first matrix lie where hosts reach them, none is null, each product's matrices are
///         looked at, and C's neighbours in the batch; the caller sees to the rest. A batch takes the algorithms
///         automatic, naive and blocked
/// \pre    enumerators have names; tile edges and launch edges are not negative, tile edges at most 2^20; a tile fits
///         into team scratch; tile, launch and precision are given only to an algorithm that uses them; a workspace has
///         as many bytes as `explain` says, in memory of exec, which nothing else uses until the call is done
/// \throws pantile::Error  when one of these does not hold, or the algorithm cannot do the call; then C is untouched
/// \throws std::bad_alloc  on hosts, when workspace cannot be allocated (see Allocation); then C is untouched
///
/// \par Numerics     beta = 0 never reads C; alpha = 0 or k = 0 never reads A and B and gives beta C. Otherwise NaN and
///                   Inf propagate (Precision::three_tf32: Inf as NaN). Integers wrap modulo 2^w. Complex products are
///                   the textbook ones. bhalf_t by AVX-512 BF16, and half_t and bhalf_t by AMD's gfx90a, take subnormal
///                   elements for zero, as the instructions do.
/// \par Asynchrony   returns when the work is enqueued on exec; fences only, on devices, before kept memory (see
///                   Allocation) is replaced by more or given up for that of another instance. The Views must live
///                   until it is done.
/// \par Alignment    on hosts complex elements, Kokkos' or the standard's, may lie anywhere that their real numbers may
/// \par Allocation   on hosts workspace at a first call, kept for the next ones, or up to 97 KB on the stack of each
///                   thread. Where there is no memory, 324 KB of the caller's stack, in a batch of each thread's,
///                   serve, but for mixed types, bytes, half types, neighbours of C that are apart, and tiled.
///                   On devices, where few outputs have many products each, up to 64 MB per instance at the first such
///                   call, kept too. Nothing where options.workspace is given, but what the vendor's library does
/// \par Determinism  the same bits for any number of threads. naive, grid_stride, tiled: one sum in rising k. blocked:
///                   sums of at most 224 products in rising k, added in rising k; where few rows or columns are
///                   computed, and in a few columns over whole registers, of as many sums as a register has lanes; on
///                   devices one sum in rising k. Of each slice where `explain` says that k is split, then of the
///                   slices in rising k; with matrix instructions the products of one instruction at a time. The
///                   vendor's library makes its own promises. Another CPU or GPU may give other bits.
/// \par Index width  64 bits throughout
/// \par Source       Numba user guide "Matrix multiplication" (CUDA, ROC); tiling and edges as said in
///                   matmul/simple/tiled.hpp; blocked: BLIS, ACM TOMS 41(3), 2015, and on devices as said in
///                   matmul/device/mainloop.hpp
template <class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha, class ViewA, class ViewB,
          class Beta, class ViewC>
  requires MatmulOperands<ViewA, ViewB, ViewC>
void matmul(Exec const& exec, Alpha const& alpha, ViewA const& A, ViewB const& B, Beta const& beta, ViewC const& C,
            MatmulOptions const& options = {}, std::source_location where = std::source_location::current()) {
  if (impl::matmul::multiply_tiny<Accumulator>(exec, alpha, A, B, beta, C, options)) return;
  impl::matmul::execute<Accumulator>(exec, alpha, A, B, beta, C, options, where);
}

/// \brief  The same on the default instance of C's execution space.
template <class Accumulator = DefaultAccumulator, class Alpha, class ViewA, class ViewB, class Beta, class ViewC>
  requires MatmulOperands<ViewA, ViewB, ViewC>
void matmul(Alpha const& alpha, ViewA const& A, ViewB const& B, Beta const& beta, ViewC const& C,
            MatmulOptions const& options = {}, std::source_location where = std::source_location::current()) {
  matmul<Accumulator>(typename ViewC::execution_space{}, alpha, A, B, beta, C, options, where);
}

/// Arguments that are no matrices: does not compile, and says what to write.
template <class... Arguments>
void matmul(Arguments const&...) {
  impl::refuse_arguments<Arguments...>();
}

namespace explain {

/// \brief  What `pantile::matmul` would do with these arguments; same checks and errors, nothing is launched.
template <class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha, class ViewA, class ViewB,
          class Beta, class ViewC>
  requires MatmulOperands<ViewA, ViewB, ViewC>
Explanation matmul(Exec const& exec, Alpha const& alpha, ViewA const& A, ViewB const& B, Beta const& beta,
                   ViewC const& C, MatmulOptions const& options = {},
                   std::source_location where = std::source_location::current()) {
  return impl::matmul::explain_call<Accumulator>(exec, alpha, A, B, beta, C, options, where);
}

/// \brief  The same on the default instance of C's execution space.
template <class Accumulator = DefaultAccumulator, class Alpha, class ViewA, class ViewB, class Beta, class ViewC>
  requires MatmulOperands<ViewA, ViewB, ViewC>
Explanation matmul(Alpha const& alpha, ViewA const& A, ViewB const& B, Beta const& beta, ViewC const& C,
                   MatmulOptions const& options = {}, std::source_location where = std::source_location::current()) {
  return explain::matmul<Accumulator>(typename ViewC::execution_space{}, alpha, A, B, beta, C, options, where);
}

/// Arguments that are none of `pantile::matmul`: does not compile, and says what to write.
template <class... Arguments>
Explanation matmul(Arguments const&...) {
  impl::refuse_arguments<Arguments...>();
  return {};
}

}  // namespace explain
}  // namespace pantile

#if defined(PANTILE_USE_LIBRARY)
#include <pantile/instances/matmul.hpp>
#endif
