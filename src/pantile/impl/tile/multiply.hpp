// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The inner product of two panels in scratch: the only arithmetic loop of the tiled matmul.

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::tile {

/// \brief  sum(i, j) += sum over k of a(k, i) * b(k, j), k rising: the order of additions depends on nothing else.
/// \param  a  panel of A, depth rows of at least Rows elements, lda apart; b likewise with Cols elements
template <int Rows, int Cols, class Compute>
KOKKOS_INLINE_FUNCTION void multiply_panels(int depth, Compute const* a, int lda, Compute const* b, int ldb,
                                            Compute (&sum)[Rows][Cols]) {  // (Rows, Cols)
  for (int k = 0; k < depth; ++k) {
    for (int i = 0; i < Rows; ++i) {
      Compute const left = a[k * lda + i];
      for (int j = 0; j < Cols; ++j) sum[i][j] = multiply_add(left, b[k * ldb + j], sum[i][j]);
    }
  }
}

}  // namespace pantile::impl::tile
