// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A product of given types, for the units that make the table of them.

#include <c/operation.hpp>
#include <c/products.hpp>

#include <pantile/matmul.hpp>

namespace pantile::c {

template <class T, class TC, class Sum>
void multiply(Product const& p, pantile_explanation* explanation) {
  using Accumulator = typename element_traits<Sum>::accumulator_type;
  Sum const alpha = scalar(p.alpha, Sum(1)), beta = scalar(p.beta, Sum(0));
  auto const with = [&](auto const& exec, auto const& A, auto const& B, auto const& C) {
    PANTILE_C_RUN(matmul<Accumulator>, exec, alpha, A, B, beta, C, p.options);
  };
  on_instance(p.exec, [&](auto const& exec) {
    check_place(exec, "workspace", p.options.workspace.data);
    switch (p.form) {
      case Form::matrices:
        return with(exec, matrix<T const>(exec, p.a), matrix<T const>(exec, p.b), matrix<TC>(exec, p.c));
      case Form::strided: return with(exec, batch<T const>(exec, p.a), batch<T const>(exec, p.b), batch<TC>(exec, p.c));
      case Form::addresses:
        return with(exec, pointers<T const>(exec, p.a), pointers<T const>(exec, p.b), pointers<TC>(exec, p.c));
    }
  });
}

/// A line of the table. \tparam T, TC, Sum  whose code serves it
template <class T, class TC = T, class Sum = TC>
constexpr HeldProduct held(pantile_element operands, pantile_element result, pantile_element sum) {
  return {operands, result, sum, &multiply<T, TC, Sum>};
}
template <class T>
constexpr HeldProduct held(pantile_element element) {
  return held<T>(element, element, element);
}

}  // namespace pantile::c
