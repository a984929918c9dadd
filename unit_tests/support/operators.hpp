// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Operators on operands, as the oracle applies them.

#include <support/matrices.hpp>

#include <pantile/element.hpp>
#include <pantile/policy.hpp>

#include <cstddef>
#include <cstdint>

namespace pantile::testing {

inline constexpr Op all_ops[] = {Op::none, Op::transpose, Op::conjugate, Op::conjugate_transpose};

template <class T>
HostMatrix<T> apply(Op op, HostMatrix<T> const& x) {
  HostMatrix<T> result(transposes(op) ? x.cols : x.rows, transposes(op) ? x.rows : x.cols);
  for (std::size_t i = 0; i < result.rows; ++i) {
    for (std::size_t j = 0; j < result.cols; ++j) {
      T const value = transposes(op) ? x(j, i) : x(i, j);
      result(i, j) = conjugates(op) ? conjugate(value) : value;
    }
  }
  return result;
}

/// An operand that is rows x cols after its operator.
template <class T>
HostMatrix<T> random_operand(Op op, std::size_t rows, std::size_t cols, std::uint64_t seed) {
  return transposes(op) ? random_matrix<T>(cols, rows, seed) : random_matrix<T>(rows, cols, seed);
}

}  // namespace pantile::testing
