// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrix products under the names of C++26's std::linalg (P1673): operands are mdspan, Views, or what `scaled`,
///        `transposed` and `conjugated` make of them. Nothing is copied: they become alpha and operators of `matmul`.

#include <pantile/mdspan.hpp>
#include <pantile/operands.hpp>

#include <pantile/impl/view/check.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>
#include <string>
#include <type_traits>

namespace pantile::linalg {

/// \brief  scale op(matrix). What the functions below return; its members are theirs.
/// \tparam Scale  of what `scaled` was given, or int where it was not called
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

/// What the functions here take.
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

/// x with rows and columns exchanged: the same elements.
template <MatrixView View>
auto exchanged(View const& x) {
  using Result = Kokkos::View<typename View::value_type**, Kokkos::LayoutStride, typename View::memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  return Result(x.data(), Kokkos::LayoutStride(x.extent(1), x.stride(1), x.extent(0), x.stride(0)));
}

/// C = scale op(E).
template <Op op, ExecutionSpace Exec, class Scale, MatrixView ViewE, MatrixView ViewC>
void assign(Exec const& exec, Scale const& scale, ViewE const& e, ViewC const& c, std::source_location where) {
  if constexpr (conjugates(op)) {
    if constexpr (transposes(op)) {
      transpose(exec, e, c, {.conjugate = true}, where);
    } else {
      transpose(exec, exchanged(e), c, {.conjugate = true}, where);
    }
    add(exec, scale, c, 0, c, c, {}, where);
  } else if constexpr (transposes(op)) {
    assign<Op::none>(exec, scale, exchanged(e), c, where);
  } else {
    add(exec, scale, e, 0, e, c, {}, where);
  }
}

/// The rules of E, in this face's words.
template <Op op, MatrixView ViewE, MatrixView ViewC>
void check_addend(ViewE const& e, ViewC const& c, std::source_location where) {
  impl::Checker const check("linalg::matrix_product", where,
                            [&] { return impl::describe("E", e) + ", " + impl::describe("C", c); });
  auto const result = impl::to_const_matrix(c);
  auto const given = impl::to_const_matrix(e);
  auto const placed = transposes(op) ? given.transposed() : given;
  std::string const name = op == Op::none ? "E" : "op(E)";
  check.require(placed.rows == result.rows && placed.cols == result.cols, [&] {
    return name + " must be " + std::to_string(result.rows) + "x" + std::to_string(result.cols) +
           " as C is, but it is " + std::to_string(placed.rows) + "x" + std::to_string(placed.cols);
  });
  check.memory("E", e);
  check.same_or_disjoint("C", result, name, placed);
}

/// Are E's elements those of C, in their places? Then C is updated, and nothing copied.
template <MatrixView ViewE, MatrixView ViewC>
bool is_result(ViewE const& e, ViewC const& c) {
  auto const same = [&](int r) {
    return e.extent(r) == c.extent(r) && (c.extent(r) <= 1 || e.stride(r) == c.stride(r));
  };
  return static_cast<void const*>(e.data()) == static_cast<void const*>(c.data()) && same(0) && same(1);
}

}  // namespace detail

/// x with rows and columns exchanged (P1673 [linalg.transp]); x is not copied.
template <InMatrix T>
auto transposed(T const& x) {
  auto const inner = detail::lazy(x);
  return detail::make_lazy<detail::make_op(!transposes(inner.op), conjugates(inner.op))>(inner.matrix, inner.scale);
}

/// The complex conjugate of each element; real ones stay. `conjugate_transposed`: both.
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

/// alpha times each element. Factors of several calls are multiplied in the type that their product has.
template <Element Scale, InMatrix T>
auto scaled(Scale const& alpha, T const& x) {
  auto const inner = detail::lazy(x);
  return detail::make_lazy<inner.op>(inner.matrix, impl::kokkos_element_t<Scale>(alpha) * inner.scale);
}

/// \brief  C = A B (P1673 [linalg.algs.blas3.gemm], overwriting).
/// \param  exec  instance on which the work is enqueued. Without one the call is done when it returns, on the default
///               instance of C's execution space, which of an mdspan is the host's
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
  MatmulOptions const options{.op_a = x.op, .op_b = y.op};
  auto const alpha = x.scale * y.scale;
  impl::refused_as("linalg::matrix_product", [&] {
    if (z.op == Op::none && detail::is_result(sum, view)) {
      matmul(exec, alpha, left, right, z.scale, view, options, where);
    } else {
      explain::matmul(exec, alpha, left, right, 1, view, options, where);  // its errors, before C is written
      detail::check_addend<z.op>(sum, view, where);
      detail::assign<z.op>(exec, z.scale, sum, view, where);
      matmul(exec, alpha, left, right, 1, view, options, where);
    }
  });
  impl::mark_written(exec, c);
}

/// \brief  The same on the default instance of C's execution space; done when they return.
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
