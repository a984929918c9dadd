// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of products whose last columns are dot products of A's rows, computed with each row of register
///        tiles.

#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/skinny.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/tile.hpp>

namespace pantile::impl::arch {

/// \brief  So many columns at the right edge, for k up to gemm_chain; the bits are those of `skinny_dots`.
template <class S, class R>
class BatchEdge {
 public:
  BatchEdge(GemmCall<R> const& product, Index cols) : m_call(transposed(product, cols)), m_col(product.n - cols) {}

  /// Before a product whose B this is.
  PANTILE_INLINE void begin(R const* b) {
    if (m_call.m == 0) return;
    m_call.a = b + m_col;
    Skinny::hold(m_call, m_held);
  }
  /// \param  a  so many rows of A, no more than a register tile has
  /// \param  c  the same rows of C, from their first column on
  PANTILE_INLINE void operator()(Index rows, R const* a, R* c) {
    if (m_call.m == 0) return;
    m_call.n = rows;
    m_call.b = a;
    m_call.c = c + m_col;
    Skinny::by_held(m_call, m_held);
  }

 private:
  using Skinny = GemmSkinny<S, R, false>;

  /// These columns as rows of C^T = B^T A^T.
  static GemmCall<R> transposed(GemmCall<R> const& product, Index cols) {
    GemmCall<R> call = product;
    call.n = cols;
    return arch::transposed(call);
  }

  GemmCall<R> m_call;
  Index m_col;
  R m_held[SkinnyBlocks::rows * gemm_chain];
};

}  // namespace pantile::impl::arch
