// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Operands that are no Views: `operand_traits` converts a type to a View for the overloads here. mdspan.hpp and
///        dual_view.hpp have the traits of mdspan and DualView.

#include <pantile/add.hpp>
#include <pantile/matmul.hpp>
#include <pantile/transpose.hpp>

#include <pantile/impl/view/host_access.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>
#include <string_view>
#include <utility>

namespace pantile {

/// \brief  Specialise it to make T an operand: it converts a T to a View of elements, of rank 1, 2 or 3.
///
/// A specialisation has
///  - `execution_space`: of calls without an instance whose result is a T
///  - `static auto input(exec, x)`: the View that a call on exec reads
///  - `static auto output(exec, x, bool reads)`: the View that it writes, and reads too if `reads`
///  - `static void written(exec, x)`: called after the call that writes x is enqueued; not if the call threw
/// Builds for devices check unmanaged Views of host memory: one whose data lies in a device's memory is refused.
template <class T>
struct operand_traits {};

/// A vector, a matrix, or a batch of matrices.
template <class T>
concept OperandView = VectorView<T> || MatrixView<T> || BatchView<T>;

template <class T>
concept AdaptedOperand = requires(T const& x, typename operand_traits<T>::execution_space exec) {
  { operand_traits<T>::input(exec, x) } -> OperandView;
};
template <class T>
concept AdaptedMatrix = requires(T const& x, typename operand_traits<T>::execution_space exec) {
  { operand_traits<T>::input(exec, x) } -> MatrixView;
};

/// A View or an adapted operand: any, and of rank 2.
template <class T>
concept AnyOperand = OperandView<T> || AdaptedOperand<T>;
template <class T>
concept MatrixOperand = MatrixView<T> || AdaptedMatrix<T>;

/// The same for histogram, reverse and copy, each of which has its own requirements on a View.
template <class T>
concept DataOperand = Kokkos::is_view_v<T> || AdaptedOperand<T>;

namespace impl {

template <class T>
struct OperandSpace {
  using type = typename operand_traits<T>::execution_space;
};
template <class T>
  requires Kokkos::is_view_v<T>
struct OperandSpace<T> {
  using type = typename T::execution_space;
};

/// The operand as a View; `of` says which operand of which call, such as "matmul: A".
template <class Exec, DataOperand T>
auto input_view(Exec const& exec, T const& x, std::string_view of, std::source_location where) {
  if constexpr (Kokkos::is_view_v<T>) {
    return x;
  } else {
    auto const view = operand_traits<T>::input(exec, x);
    require_host_access(view, of, where);
    return view;
  }
}
template <class Exec, DataOperand T>
auto output_view(Exec const& exec, T const& x, bool reads, std::string_view of, std::source_location where) {
  if constexpr (Kokkos::is_view_v<T>) {
    return x;
  } else {
    auto const view = operand_traits<T>::output(exec, x, reads);
    require_host_access(view, of, where);
    return view;
  }
}
template <class Exec, DataOperand T>
void mark_written(Exec const& exec, T const& x) {
  if constexpr (!Kokkos::is_view_v<T>) operand_traits<T>::written(exec, x);
}

}  // namespace impl

/// The execution space of a call without an instance, from the type of its result.
template <DataOperand T>
using operand_space_t = typename impl::OperandSpace<T>::type;

/// The element type of an operand.
template <AnyOperand T>
using operand_element_t =
    typename decltype(impl::input_view(std::declval<operand_space_t<T> const&>(), std::declval<T const&>(), "",
                                       std::source_location()))::non_const_value_type;

/// \brief  `matmul` where at least one operand is no View; all else as in pantile/matmul.hpp, vectors and
///         batches too. C is copied to exec's memory first only if beta is not zero.
template <class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha, AnyOperand A, AnyOperand B,
          class Beta, AnyOperand C>
  requires(AdaptedOperand<A> || AdaptedOperand<B> || AdaptedOperand<C>)
void matmul(Exec const& exec, Alpha const& alpha, A const& a, B const& b, Beta const& beta, C const& c,
            MatmulOptions const& options = {}, std::source_location where = std::source_location::current()) {
  bool const reads = !(beta == Beta(0));
  matmul<Accumulator>(exec, alpha, impl::input_view(exec, a, "matmul: A", where),
                      impl::input_view(exec, b, "matmul: B", where), beta,
                      impl::output_view(exec, c, reads, "matmul: C", where), options, where);
  impl::mark_written(exec, c);
}
template <class Accumulator = DefaultAccumulator, class Alpha, AnyOperand A, AnyOperand B, class Beta, AnyOperand C>
  requires(AdaptedOperand<A> || AdaptedOperand<B> || AdaptedOperand<C>)
void matmul(Alpha const& alpha, A const& a, B const& b, Beta const& beta, C const& c, MatmulOptions const& options = {},
            std::source_location where = std::source_location::current()) {
  matmul<Accumulator>(operand_space_t<C>{}, alpha, a, b, beta, c, options, where);
}

/// \brief  `transpose` where at least one operand is no View; all else as in pantile/transpose.hpp.
template <ExecutionSpace Exec, AnyOperand A, AnyOperand B>
  requires(AdaptedOperand<A> || AdaptedOperand<B>)
void transpose(Exec const& exec, A const& a, B const& b, TransposeOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  transpose(exec, impl::input_view(exec, a, "transpose: A", where),
            impl::output_view(exec, b, false, "transpose: B", where), options, where);
  impl::mark_written(exec, b);
}
template <AnyOperand A, AnyOperand B>
  requires(AdaptedOperand<A> || AdaptedOperand<B>)
void transpose(A const& a, B const& b, TransposeOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  transpose(operand_space_t<B>{}, a, b, options, where);
}
/// In place.
template <ExecutionSpace Exec, AdaptedOperand A>
void transpose(Exec const& exec, A const& a, TransposeOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  transpose(exec, impl::output_view(exec, a, true, "transpose: A", where), options, where);
  impl::mark_written(exec, a);
}
template <AdaptedOperand A>
void transpose(A const& a, TransposeOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  transpose(operand_space_t<A>{}, a, options, where);
}

/// \brief  `add` where at least one operand is no View; all else as in pantile/add.hpp.
template <class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha, MatrixOperand A, class Beta,
          MatrixOperand B, MatrixOperand C>
  requires(AdaptedMatrix<A> || AdaptedMatrix<B> || AdaptedMatrix<C>)
void add(Exec const& exec, Alpha const& alpha, A const& a, Beta const& beta, B const& b, C const& c,
         AddOptions const& options = {}, std::source_location where = std::source_location::current()) {
  add<Accumulator>(exec, alpha, impl::input_view(exec, a, "add: A", where), beta,
                   impl::input_view(exec, b, "add: B", where), impl::output_view(exec, c, false, "add: C", where),
                   options, where);
  impl::mark_written(exec, c);
}
template <class Accumulator = DefaultAccumulator, class Alpha, MatrixOperand A, class Beta, MatrixOperand B,
          MatrixOperand C>
  requires(AdaptedMatrix<A> || AdaptedMatrix<B> || AdaptedMatrix<C>)
void add(Alpha const& alpha, A const& a, Beta const& beta, B const& b, C const& c, AddOptions const& options = {},
         std::source_location where = std::source_location::current()) {
  add<Accumulator>(operand_space_t<C>{}, alpha, a, beta, b, c, options, where);
}

}  // namespace pantile
