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
///                      C's element type once. Given as matmul<double>(...), since options are values at run time,
///                      which cannot select a type.
/// \param  exec     execution-space instance on which all work is enqueued
/// \param  alpha    scalar, converted to Accumulator; an integer where Accumulator is one
/// \param  A        (m, k) after op_a; const or not. A vector (k) counts as one row
/// \param  B        (k, n) after op_b; const or not. A vector (k) counts as one column
/// \param  beta     scalar, converted to Accumulator; zero means that C is written and never read
/// \param  C        (m, n); a vector where exactly one of A and B is. Or a batch (count, m, n): then A and B are each
///                  a batch of count matrices or one matrix for all. A batch is a View of rank 3, of any layout and
///                  strides, whose first extent counts the matrices, or MatrixPointers
/// \param  options  op_a, op_b, algorithm (automatic, naive, grid_stride, tiled, blocked, vendor), tile edges, launch
///                  shape, precision of products of floats, workspace
///
/// \pre    columns of op(A) equal rows of op(B); C has the rows of op(A) and the columns of op(B)
/// \pre    C does not overlap A, B or itself; no operand that has elements is null. MatrixPointers are checked where
///         the host can read them: no address is null, the first matrix is accessible, and each matrix of C overlaps
///         neither A and B of its product nor the previous matrix of C; other overlap among them is not checked.
///         A batch takes the algorithms automatic, naive and blocked
/// \pre    options hold named enumerators; tile and launch edges are not negative, tile edges at most 2^20; a tile fits
///         into team scratch; tile, launch and precision are given only to an algorithm that uses them; a workspace has
///         as many bytes as `explain` says, in exec's memory, and nothing else uses it until the call is done
/// \throws pantile::Error  when one of these does not hold, or the algorithm cannot do the call; then C is untouched
/// \throws std::bad_alloc  on hosts, when workspace is needed and cannot be allocated (Allocation); C is untouched
///
/// \par Numerics     beta = 0 never reads C; alpha = 0 or k = 0 never reads A and B and gives beta C. Otherwise NaN and
///                   Inf propagate (Precision::three_tf32: Inf becomes NaN). Integers wrap modulo 2^w. Complex products
///                   use the textbook formula. AVX-512 BF16 instructions (bhalf_t) and AMD's gfx90a (half_t, bhalf_t)
///                   treat subnormal elements as zero.
/// \par Asynchrony   returns when the work is enqueued on exec. Fences on devices only, and there only when kept memory
///                   (Allocation) must grow or is freed for another instance. The Views must live until the work is
///                   done.
/// \par Alignment    on hosts complex elements, Kokkos' or the standard's, need only the alignment of their real type
/// \par Allocation   on hosts, workspace at the first call, kept for later ones, or up to 97 KB of each thread's stack.
///                   If the allocation fails, 324 KB of the caller's stack (in a batch, of each thread's) replace it,
///                   except for mixed types, 8-bit integers, half types, a C without contiguous rows or columns, and
///                   tiled. On devices, up to 64 MB per instance where C is small and k long, at the first such call,
///                   kept too. With options.workspace nothing is allocated, except by the vendor's library
/// \par Determinism  the same bits for any number of threads; another CPU or GPU may give other bits. naive,
///                   grid_stride, tiled: one sum over rising k. blocked on hosts: partial sums of at most 224 products,
///                   added in rising k; for few rows or columns, and for the last columns that fill no register, one
///                   partial sum per lane of a register. blocked on devices: one sum over rising k, by matrix
///                   instructions with the products of one instruction at a time. Where `explain` says that k is split,
///                   this holds for each slice, and slices are added in rising k. vendor: see the vendor's library.
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

/// Catches arguments that are no matrices: does not compile, and says what to write.
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

/// Catches arguments that `pantile::matmul` does not take: does not compile, and says what to write.
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
