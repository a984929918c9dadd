// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  C = E + A B as in std::linalg: C = E first, then C += A B.

#include <pantile/add.hpp>
#include <pantile/concepts.hpp>
#include <pantile/matmul.hpp>
#include <pantile/policy.hpp>
#include <pantile/transpose.hpp>

#include <pantile/impl/view/check.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>
#include <string>

namespace pantile::impl::linalg {

/// The transpose of x, as a View of the same elements.
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
      pantile::transpose(exec, e, c, {.conjugate = true}, where);
    } else {
      pantile::transpose(exec, exchanged(e), c, {.conjugate = true}, where);
    }
    pantile::add(exec, scale, c, 0, c, c, {}, where);
  } else if constexpr (transposes(op)) {
    assign<Op::none>(exec, scale, exchanged(e), c, where);
  } else {
    pantile::add(exec, scale, e, 0, e, c, {}, where);
  }
}

/// The preconditions on E, worded as the face has them.
template <Op op, MatrixView ViewE, MatrixView ViewC>
void check_addend(ViewE const& e, ViewC const& c, std::source_location where) {
  Checker const check("linalg::matrix_product", where, [&] { return describe("E", e) + ", " + describe("C", c); });
  auto const result = to_const_matrix(c);
  auto const given = to_const_matrix(e);
  auto const placed = transposes(op) ? given.transposed() : given;
  std::string const name = op == Op::none ? "E" : "op(E)";
  check.require(placed.rows == result.rows && placed.cols == result.cols, [&] {
    return name + " must be " + std::to_string(result.rows) + "x" + std::to_string(result.cols) +
           " as C is, but it is " + std::to_string(placed.rows) + "x" + std::to_string(placed.cols);
  });
  check.memory("E", e);
  check.same_or_disjoint("C", result, name, placed);
}

/// Is E exactly C? Then nothing has to be copied before C is updated.
template <MatrixView ViewE, MatrixView ViewC>
bool is_result(ViewE const& e, ViewC const& c) {
  auto const same = [&](int r) {
    return e.extent(r) == c.extent(r) && (c.extent(r) <= 1 || e.stride(r) == c.stride(r));
  };
  return static_cast<void const*>(e.data()) == static_cast<void const*>(c.data()) && same(0) && same(1);
}

/// C = scale op(E) + alpha op(A) op(B). Nothing is written where a precondition does not hold.
template <Op op, ExecutionSpace Exec, class Alpha, MatrixView ViewA, MatrixView ViewB, class Scale, MatrixView ViewE,
          MatrixView ViewC>
void update(Exec const& exec, Alpha const& alpha, ViewA const& a, ViewB const& b, MatmulOptions const& options,
            Scale const& scale, ViewE const& e, ViewC const& c, std::source_location where) {
  if (op == Op::none && is_result(e, c)) {
    pantile::matmul(exec, alpha, a, b, scale, c, options, where);
  } else {
    pantile::explain::matmul(exec, alpha, a, b, 1, c, options, where);  // its errors, before C is written
    check_addend<op>(e, c, where);
    assign<op>(exec, scale, e, c, where);
    pantile::matmul(exec, alpha, a, b, 1, c, options, where);
  }
}

}  // namespace pantile::impl::linalg
