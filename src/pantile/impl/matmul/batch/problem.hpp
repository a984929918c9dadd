// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised batch of products: the first one's problem, and where the others have their operands.

#include <pantile/impl/matmul/problem.hpp>
#include <pantile/impl/view/batch.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::matmul {

/// \brief  C_i = alpha A_i B_i + beta C_i for i from 0 to count; `first` is the problem with i = 0.
template <class TA, class TB, class TC, class Accumulator>
struct BatchProblem {
  using One = Problem<TA, TB, TC, Accumulator>;
  One first;
  Index count;
  BatchPlace<TA const> a;
  BatchPlace<TB const> b;
  BatchPlace<TC> c;

  KOKKOS_INLINE_FUNCTION One at(Index problem) const {
    One one = first;
    one.a.data = a.of(first.a.data, problem);
    one.b.data = b.of(first.b.data, problem);
    one.c.data = c.of(first.c.data, problem);
    return one;
  }
  [[nodiscard]] bool has_addresses() const {
    return a.addresses != nullptr || b.addresses != nullptr || c.addresses != nullptr;
  }
  [[nodiscard]] Index result_count() const { return count * first.result_count(); }
  /// All of them seen as C^T = B^T A^T.
  [[nodiscard]] BatchProblem<TB, TA, TC, Accumulator> transposed() const {
    return {first.transposed(), count, b, a, c};
  }
  /// \brief  Are the rows of all A, and of all C, those of one matrix, and is there one B for all? Then the products
  ///         are one. Problems follow each other, or (inner) their first rows do, and then the second ones.
  [[nodiscard]] bool is_one_product(bool inner) const {
    auto const joins = [&](auto const& matrix, auto const& place) {
      if (place.addresses != nullptr) return false;
      return matrix.rows == 1 ||
             (inner ? matrix.row_stride == count * place.stride : place.stride == matrix.rows * matrix.row_stride);
    };
    return b.is_common() && joins(first.a, a) && joins(first.c, c);
  }
  [[nodiscard]] One as_one_product(bool inner) const {
    One whole = first;
    auto const join = [&](auto& matrix, auto const& place) {
      if (matrix.rows == 1 || inner) matrix.row_stride = place.stride;
      matrix.rows *= count;
    };
    join(whole.a, a);
    join(whole.c, c);
    return whole;
  }
};

}  // namespace pantile::impl::matmul
