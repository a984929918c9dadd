// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The elements of a vector in the opposite order, on devices through team scratch.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/explain.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/reverse/call.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>

namespace pantile {

/// \brief  y(n - 1 - p) = x(p), p = 0 ... n - 1.
///
/// \param  exec     execution-space instance on which all work is enqueued
/// \param  x        (n), const or not, any stride
/// \param  y        (n), any stride, of the same element type
/// \param  options  tile: elements that a team of a device, or a thread of a host, reverses at a time
///
/// \pre    length of x equals length of y; y does not overlap x or itself; no operand is null; tile is not negative and
///         fits into team scratch, where a device has such teams
/// \throws pantile::Error  when one of these does not hold; then y is untouched
///
/// \par Numerics     elements are copied, NaN's bits included
/// \par Asynchrony   returns when the work is enqueued on exec; never fences. The Views must live until it is done
/// \par Allocation   none
/// \par Determinism  the same bits for any number of threads
/// \par Index width  64 bits throughout
/// \par Source       the course notebook's swap_with_shared, for any length
template <ExecutionSpace Exec, VectorView ViewX, VectorView ViewY>
  requires Mutable<ViewY>
void reverse(Exec const& exec, ViewX const& x, ViewY const& y, ReverseOptions const& options = {},
             std::source_location where = std::source_location::current()) {
  impl::reverse::execute(exec, options, where, x, y);
}

/// \brief  In place: x(n - 1 - p) and x(p) are exchanged. x does not overlap itself; otherwise as above. On devices
///         scratch holds a tile and its mirror image at a time.
template <ExecutionSpace Exec, VectorView ViewX>
  requires Mutable<ViewX>
void reverse(Exec const& exec, ViewX const& x, ReverseOptions const& options = {},
             std::source_location where = std::source_location::current()) {
  impl::reverse::execute(exec, options, where, x);
}

/// \brief  Both on the default instance of the written View's execution space.
template <VectorView ViewX, VectorView ViewY>
  requires Mutable<ViewY>
void reverse(ViewX const& x, ViewY const& y, ReverseOptions const& options = {},
             std::source_location where = std::source_location::current()) {
  reverse(typename ViewY::execution_space{}, x, y, options, where);
}
template <VectorView ViewX>
  requires Mutable<ViewX>
void reverse(ViewX const& x, ReverseOptions const& options = {},
             std::source_location where = std::source_location::current()) {
  reverse(typename ViewX::execution_space{}, x, options, where);
}

/// Catches arguments that are no vectors: does not compile, and says what to write.
template <class... Arguments>
void reverse(Arguments const&...) {
  impl::reverse::refuse_arguments<Arguments...>();
}

namespace explain {

/// \brief  What `pantile::reverse` would do with these arguments; same checks and errors, nothing is launched.
template <ExecutionSpace Exec, VectorView ViewX, VectorView ViewY>
  requires Mutable<ViewY>
Explanation reverse(Exec const& exec, ViewX const& x, ViewY const& y, ReverseOptions const& options = {},
                    std::source_location where = std::source_location::current()) {
  return impl::reverse::explain_call(exec, options, where, x, y);
}
template <ExecutionSpace Exec, VectorView ViewX>
  requires Mutable<ViewX>
Explanation reverse(Exec const& exec, ViewX const& x, ReverseOptions const& options = {},
                    std::source_location where = std::source_location::current()) {
  return impl::reverse::explain_call(exec, options, where, x);
}

/// \brief  Both on the default instance of the written View's execution space.
template <VectorView ViewX, VectorView ViewY>
  requires Mutable<ViewY>
Explanation reverse(ViewX const& x, ViewY const& y, ReverseOptions const& options = {},
                    std::source_location where = std::source_location::current()) {
  return explain::reverse(typename ViewY::execution_space{}, x, y, options, where);
}
template <VectorView ViewX>
  requires Mutable<ViewX>
Explanation reverse(ViewX const& x, ReverseOptions const& options = {},
                    std::source_location where = std::source_location::current()) {
  return explain::reverse(typename ViewX::execution_space{}, x, options, where);
}

/// Catches arguments that `pantile::reverse` does not take: does not compile, and says what to write.
template <class... Arguments>
Explanation reverse(Arguments const&...) {
  impl::reverse::refuse_arguments<Arguments...>();
  return {};
}

}  // namespace explain
}  // namespace pantile

#if defined(PANTILE_USE_LIBRARY)
#include <pantile/instances/reverse.hpp>
#endif
