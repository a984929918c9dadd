// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Transposition B = A^T or A^H of Views, out of place and in place, for every layout, element type and shape.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/explain.hpp>
#include <pantile/matrix_pointers.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/transpose/batch/call.hpp>
#include <pantile/impl/view/check.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>

namespace pantile {

/// \brief  B = A^T, or A^H with `.conjugate = true`.
///
/// \param  exec     execution-space instance on which all work is enqueued
/// \param  A        (m, n); const or not. Or a batch (count, m, n): a View of rank 3 of any layout and strides, or
///                  MatrixPointers; B is then a batch of the same kind
/// \param  B        (n, m), of A's element type; in a batch (count, n, m)
/// \param  options  conjugate; algorithm (automatic, naive, tiled, padded, blocked), tile edge, rows per thread,
///                  workspace
///
/// \pre    B must be columns of A by rows of A; no operand is null; B does not overlap itself
/// \pre    B does not overlap A; or B is exactly A, element for element, which is then transposed in place; or both are
///         dense and B is A's memory seen as columns by rows: a rectangular matrix in place (not for batches).
///         MatrixPointers are checked as matmul's, and take the algorithms automatic, naive and, on hosts, blocked
///         only
/// \pre    tile and rows_per_thread are not negative, are given only to an algorithm that uses them and not with
///         MatrixPointers, rows_per_thread only on devices; a tile fits into team scratch, and its team into the
///         device; workspace as matmul's
/// \throws pantile::Error  when one of these does not hold, or the algorithm cannot do the call; then B is untouched
///
/// \par Numerics     elements are copied, NaN's bits included; conjugation changes the sign of the imaginary part only
/// \par Asynchrony   returns when the work is enqueued on exec; never fences. The Views must live until it is done.
/// \par Alignment    as matmul's
/// \par Allocation   none by blocked and naive. On hosts, tiled, padded and a rectangular matrix in place (a row per
///                   thread) allocate workspace at the first call, kept for later ones; if that fails they throw
///                   std::bad_alloc, and B is untouched. With options.workspace nothing is allocated. Hosts use up to
///                   280 KB of each thread's stack
/// \par Determinism  the same bits for any number of threads
/// \par Index width  64 bits throughout
/// \par Aliasing     in place where B is exactly A, or A's dense memory. A rectangular matrix in place is read and
///                   written three times, by permutations within columns, rows and columns, whatever algorithm and
///                   tile are given
/// \par Layouts      Where A and the transposed B have one order in memory (a LayoutRight A and a LayoutLeft B), the
///                   call is a plain copy, whatever algorithm and tile are given; explain says so. Where B's elements
///                   already are A's transposed, nothing is moved; they are conjugated if that is asked for
/// \par Speed        On hosts, automatic is blocked where both matrices have contiguous rows or columns: kernels for
///                   the CPU's instruction set transpose blocks in registers; results larger than the last-level cache
///                   are written past it. On devices, automatic is blocked where both have contiguous rows or columns:
///                   with packs where these begin at multiples of 16 bytes in both (4 for 8-bit elements), else with
///                   single elements. Otherwise it is padded
/// \par Source       the course notebook's transpositions (naive, 32 x 32 tile, padded), see kernel_tiled.hpp; for
///                   rectangular ones in place see kernel_permuted.hpp
template <ExecutionSpace Exec, class ViewA, class ViewB>
  requires TransposeOperands<ViewA, ViewB>
void transpose(Exec const& exec, ViewA const& A, ViewB const& B, TransposeOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  impl::transpose::execute(exec, options, where, A, B);
}

/// \brief  The same on the default instance of B's execution space.
template <class ViewA, class ViewB>
  requires TransposeOperands<ViewA, ViewB>
void transpose(ViewA const& A, ViewB const& B, TransposeOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  transpose(typename ViewB::execution_space{}, A, B, options, where);
}

/// \brief  A = A^T, or A^H, in place: tiles above the diagonal are exchanged with their mirror images through scratch
///         (naive: element by element).
///
/// \param  A  (n, n), or a batch (count, n, n)
///
/// \pre    A must be square to be transposed in place, not null, and not overlap itself; options as above
/// \throws pantile::Error  when one of these does not hold, or the algorithm cannot do the call; then A is untouched
///
/// All else is as above.
template <ExecutionSpace Exec, TransposedInPlace View>
void transpose(Exec const& exec, View const& A, TransposeOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  impl::transpose::execute(exec, options, where, A);
}

/// \brief  The same on the default instance of A's execution space.
template <TransposedInPlace View>
void transpose(View const& A, TransposeOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  transpose(typename View::execution_space{}, A, options, where);
}

/// Catches arguments that are no matrices: does not compile, and says what to write.
template <class... Arguments>
void transpose(Arguments const&...) {
  impl::refuse_arguments<Arguments...>();
}

namespace explain {

/// \brief  What `pantile::transpose` would do with these arguments; same checks and errors, nothing is launched.
template <ExecutionSpace Exec, class ViewA, class ViewB>
  requires TransposeOperands<ViewA, ViewB>
Explanation transpose(Exec const& exec, ViewA const& A, ViewB const& B, TransposeOptions const& options = {},
                      std::source_location where = std::source_location::current()) {
  return impl::transpose::explain_call(exec, options, where, A, B);
}

/// \brief  The same on the default instance of B's execution space.
template <class ViewA, class ViewB>
  requires TransposeOperands<ViewA, ViewB>
Explanation transpose(ViewA const& A, ViewB const& B, TransposeOptions const& options = {},
                      std::source_location where = std::source_location::current()) {
  return explain::transpose(typename ViewB::execution_space{}, A, B, options, where);
}

/// \brief  The same for a matrix in place.
template <ExecutionSpace Exec, TransposedInPlace View>
Explanation transpose(Exec const& exec, View const& A, TransposeOptions const& options = {},
                      std::source_location where = std::source_location::current()) {
  return impl::transpose::explain_call(exec, options, where, A);
}

/// \brief  The same on the default instance of A's execution space.
template <TransposedInPlace View>
Explanation transpose(View const& A, TransposeOptions const& options = {},
                      std::source_location where = std::source_location::current()) {
  return explain::transpose(typename View::execution_space{}, A, options, where);
}

/// Catches arguments that `pantile::transpose` does not take: does not compile, and says what to write.
template <class... Arguments>
Explanation transpose(Arguments const&...) {
  impl::refuse_arguments<Arguments...>();
  return {};
}

}  // namespace explain
}  // namespace pantile

#if defined(PANTILE_USE_LIBRARY)
#include <pantile/instances/transpose.hpp>
#endif
