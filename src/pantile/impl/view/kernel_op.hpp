// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Operators on operands inside kernels: where the compiler knows the operator, nothing is asked at run time.

#include <pantile/element.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::impl {

struct KernelOp {
  bool transposes, conjugates;

  KOKKOS_INLINE_FUNCTION constexpr explicit KernelOp(Op op)
      : transposes(op == Op::transpose || op == Op::conjugate_transpose),
        conjugates(op == Op::conjugate || op == Op::conjugate_transpose) {}

  /// op(x), but for the conjugation.
  template <class T>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr Matrix<T> oriented(Matrix<T> const& x) const {
    return transposes ? x.transposed() : x;
  }

  /// Element (i, j) of op(x), as Compute.
  template <class Compute, class X>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Compute at(X const& x, std::int64_t i, std::int64_t j) const {
    Compute const value = convert<Compute>(transposes ? x(j, i) : x(i, j));
    return conjugates ? conjugate(value) : value;
  }
};

}  // namespace pantile::impl
