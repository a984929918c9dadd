// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrix products under the names of C++26's std::linalg (P1673): operands are mdspan, Views, or what `scaled`,
///        `transposed` and `conjugated` make of them. Nothing is copied: they become alpha and operators of `matmul`.

#include <pantile/mdspan.hpp>
#include <pantile/operands.hpp>

#include <pantile/impl/linalg/product.hpp>
#include <pantile/impl/view/check.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>
#include <type_traits>

namespace pantile::linalg {

/// \brief  The operand scale op(matrix), not yet computed: what the functions below return. Its members are for them.
/// \tparam Scale  type of the factor that `scaled` was given; int where it was not called
template <MatrixOperand Matrix, Op op_ = Op::none, class Scale = int>
struct LazyOperand {
  static constexpr Op op = op_;
  Matrix matrix;
  Scale scale = Scale(1);
};

template <class T>
inline constexpr bool is_lazy = false;
template <class Matrix, Op op, class Scale>
inline constexpr bool is_lazy<LazyOperand<Matrix, op, Scale>> = true;

/// A matrix, or what these functions make of one.
template <class T>
concept InMatrix = MatrixOperand<T> || is_lazy<T>;

namespace detail {

template <MatrixOperand T>
LazyOperand<T> lazy(T const& x) {
  return {x};
}
template <MatrixOperand T, Op op, class Scale>
LazyOperand<T, op, Scale> lazy(LazyOperand<T, op, Scale> const& x) {
  return x;
}
template <Op op, MatrixOperand T, class Scale>
LazyOperand<T, op, Scale> make_lazy(T const& x, Scale const& scale) {
  return {x, scale};
}
constexpr Op make_op(bool transposes, bool conjugates) {
  if (transposes) return conjugates ? Op::conjugate_transpose : Op::transpose;
  return conjugates ? Op::conjugate : Op::none;
}

}  // namespace detail

/// The transpose of x (P1673 [linalg.transp]); x is not copied.
template <InMatrix T>
auto transposed(T const& x) {
  auto const inner = detail::lazy(x);
  return detail::make_lazy<detail::make_op(!transposes(inner.op), conjugates(inner.op))>(inner.matrix, inner.scale);
}

/// The complex conjugate of each element; real ones are unchanged. `conjugate_transposed` does both.
template <InMatrix T>
auto conjugated(T const& x) {
  auto const inner = detail::lazy(x);
  constexpr bool complex = is_complex_v<operand_element_t<std::remove_const_t<decltype(inner.matrix)>>>;
  return detail::make_lazy<detail::make_op(transposes(inner.op), complex && !conjugates(inner.op))>(
      inner.matrix, conjugate(inner.scale));
}

template <InMatrix T>
auto conjugate_transposed(T const& x) {
  return conjugated(transposed(x));
}

/// alpha times each element. Factors of nested calls are multiplied with each other, by C++'s rules for their types.
template <Element Scale, InMatrix T>
auto scaled(Scale const& alpha, T const& x) {
  auto const inner = detail::lazy(x);
  return detail::make_lazy<inner.op>(inner.matrix, impl::kokkos_element_t<Scale>(alpha) * inner.scale);
}

/// \brief  C = A B (P1673 [linalg.algs.blas3.gemm], overwriting).
/// \param  exec  instance on which the work is enqueued
/// \pre    shapes fit; C overlaps neither A nor B
/// \throws pantile::Error  where one of these does not hold; then C is untouched
template <ExecutionSpace Exec, InMatrix A, InMatrix B, MatrixOperand C>
void matrix_product(Exec const& exec, A const& a, B const& b, C const& c,
                    std::source_location where = std::source_location::current()) {
  auto const x = detail::lazy(a);
  auto const y = detail::lazy(b);
  auto const left = impl::input_view(exec, x.matrix, "linalg::matrix_product: A", where);
  auto const right = impl::input_view(exec, y.matrix, "linalg::matrix_product: B", where);
  auto const view = impl::output_view(exec, c, false, "linalg::matrix_product: C", where);
  impl::refused_as("linalg::matrix_product",
                   [&] { matmul(exec, x.scale * y.scale, left, right, 0, view, {.op_a = x.op, .op_b = y.op}, where); });
  impl::mark_written(exec, c);
}

/// \brief  C = E + A B (P1673, updating).
/// \pre    shapes fit; C overlaps neither A nor B; it is exactly op(E), element for element, or does not overlap it
/// \throws pantile::Error  where one of these does not hold; then C is untouched
template <ExecutionSpace Exec, InMatrix A, InMatrix B, InMatrix E, MatrixOperand C>
void matrix_product(Exec const& exec, A const& a, B const& b, E const& e, C const& c,
                    std::source_location where = std::source_location::current()) {
  auto const x = detail::lazy(a);
  auto const y = detail::lazy(b);
  auto const z = detail::lazy(e);
  auto const left = impl::input_view(exec, x.matrix, "linalg::matrix_product: A", where);
  auto const right = impl::input_view(exec, y.matrix, "linalg::matrix_product: B", where);
  auto const sum = impl::input_view(exec, z.matrix, "linalg::matrix_product: E", where);
  auto const view = impl::output_view(exec, c, false, "linalg::matrix_product: C", where);
  impl::refused_as("linalg::matrix_product", [&] {
    impl::linalg::update<z.op>(exec, x.scale * y.scale, left, right, {.op_a = x.op, .op_b = y.op}, z.scale, sum, view,
                               where);
  });
  impl::mark_written(exec, c);
}

/// \brief  The same without an instance: on the default one of C's execution space (for an mdspan the host's), which is
///         fenced before the call returns.
template <InMatrix A, InMatrix B, MatrixOperand C>
void matrix_product(A const& a, B const& b, C const& c, std::source_location where = std::source_location::current()) {
  operand_space_t<C> const exec;
  matrix_product(exec, a, b, c, where);
  exec.fence("pantile::linalg::matrix_product");
}
template <InMatrix A, InMatrix B, InMatrix E, MatrixOperand C>
void matrix_product(A const& a, B const& b, E const& e, C const& c,
                    std::source_location where = std::source_location::current()) {
  operand_space_t<C> const exec;
  matrix_product(exec, a, b, e, c, where);
  exec.fence("pantile::linalg::matrix_product");
}

}  // namespace pantile::linalg
