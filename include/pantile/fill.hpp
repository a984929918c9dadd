// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Fill a View with a function of the coordinates, or with one value.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/explain.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/fill/call.hpp>
#include <pantile/impl/view/check.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <source_location>
#include <type_traits>

namespace pantile {

/// A function of (row, column) that kernels can call: a KOKKOS_LAMBDA or a functor with a KOKKOS_FUNCTION call
/// operator.
template <class F>
concept CoordinateFunction = std::invocable<F const&, std::int64_t, std::int64_t>;

/// A number that can be written into elements of T.
template <class Value, class T>
concept FillValue =
    !CoordinateFunction<Value> && (std::is_arithmetic_v<Value> || Element<Value>)&&(
                                      is_complex_v<T> || std::is_arithmetic_v<Value> || !is_complex_v<Value>);

/// \brief  C(i, j) = f(i, j); with `Coordinates::thread`, C(i, j) = f(row, column of the thread that writes it).
///
/// \code
///   pantile::fill(exec, C, KOKKOS_LAMBDA(int i, int j) { return i + j; });
/// \endcode
///
/// With `.algorithm = FillAlgorithm::grid_stride` a launch of grid.x * block.x columns and grid.y * block.y rows of
/// threads strides over C. With `.coordinates = Coordinates::thread` f gets the place of the thread in that launch,
/// (i mod rows of threads, j mod columns of threads): values repeat with the grid. automatic is grid_stride if a launch
/// shape or thread coordinates are given, else naive: each element has a thread of its own, and both kinds of
/// coordinates are the same.
///
/// \param  exec     execution-space instance on which all work is enqueued
/// \param  C        any extents
/// \param  f        called once per element, in any order; its result is converted to C's element type
/// \param  options  algorithm (automatic, naive, grid_stride), launch shape, coordinates
///
/// \pre    C is not null and does not overlap itself; launch edges are positive, or zero in pairs to be chosen
/// \throws pantile::Error  when one of these does not hold, or fill does not have the algorithm; then C is untouched
///
/// \par Numerics     C is never read; reals are rounded once, integers wrap modulo 2^w
/// \par Asynchrony   returns when the work is enqueued on exec; never fences. C and all that f refers to must live
///                   until it is done
/// \par Allocation   none
/// \par Aliasing     f may read anything but C
/// \par Determinism  the same bits for any number of threads if f returns the same values. With thread coordinates C
///                   also depends on the launch shape; where none is given, the library's choice depends on the machine
/// \par Index width  64 bits throughout; f is called with std::int64_t
/// \par Source       the course notebook's add_2D_coordinates, plain and with stride
template <ExecutionSpace Exec, MatrixView ViewC, CoordinateFunction F>
  requires Mutable<ViewC>
void fill(Exec const& exec, ViewC const& C, F const& f, FillOptions const& options = {},
          std::source_location where = std::source_location::current()) {
  impl::fill::execute(exec, C, f, options, where);
}

/// \brief  C(i, j) = value, converted to C's element type first; otherwise the same.
template <ExecutionSpace Exec, MatrixView ViewC, FillValue<typename ViewC::value_type> Value>
  requires Mutable<ViewC>
void fill(Exec const& exec, ViewC const& C, Value const& value, FillOptions const& options = {},
          std::source_location where = std::source_location::current()) {
  using T = impl::kokkos_element_t<typename ViewC::value_type>;  // std::complex's conversions are host functions
  impl::fill::execute(exec, C, impl::fill::Constant<T>{impl::to_element<T>(value)}, options, where);
}

/// \brief  Both on the default instance of C's execution space.
template <MatrixView ViewC, class FunctionOrValue>
  requires Mutable<ViewC> &&
           (CoordinateFunction<FunctionOrValue> || FillValue<FunctionOrValue, typename ViewC::value_type>)
void fill(ViewC const& C, FunctionOrValue const& what, FillOptions const& options = {},
          std::source_location where = std::source_location::current()) {
  fill(typename ViewC::execution_space{}, C, what, options, where);
}

/// Catches arguments that are no matrix and what it is filled with: does not compile, and says what to write.
template <class... Arguments>
void fill(Arguments const&...) {
  impl::refuse_arguments<Arguments...>();
}

namespace explain {

/// \brief  What `pantile::fill` would do with these arguments; same checks and errors, nothing is launched.
template <ExecutionSpace Exec, MatrixView ViewC, class FunctionOrValue>
  requires Mutable<ViewC> &&
           (CoordinateFunction<FunctionOrValue> || FillValue<FunctionOrValue, typename ViewC::value_type>)
Explanation fill(Exec const& exec, ViewC const& C, FunctionOrValue const& what, FillOptions const& options = {},
                 std::source_location where = std::source_location::current()) {
  return impl::fill::explain_call(exec, C, what, options, where);
}

/// \brief  The same on the default instance of C's execution space.
template <MatrixView ViewC, class FunctionOrValue>
  requires Mutable<ViewC> &&
           (CoordinateFunction<FunctionOrValue> || FillValue<FunctionOrValue, typename ViewC::value_type>)
Explanation fill(ViewC const& C, FunctionOrValue const& what, FillOptions const& options = {},
                 std::source_location where = std::source_location::current()) {
  return explain::fill(typename ViewC::execution_space{}, C, what, options, where);
}

/// Catches arguments that `pantile::fill` does not take: does not compile, and says what to write.
template <class... Arguments>
Explanation fill(Arguments const&...) {
  impl::refuse_arguments<Arguments...>();
  return {};
}

}  // namespace explain
}  // namespace pantile
