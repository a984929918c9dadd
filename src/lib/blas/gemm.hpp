// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The product behind all ?gemm: column-major, arguments checked already.

#include <blas/element.hpp>

namespace pantile::blas {

/// C = alpha op(A) op(B) + beta C, where op(A) is c.rows x k. `a` and `b` are as stored, before op.
template <class T>
struct GemmCall {
  Operator op_a, op_b;
  T alpha;
  Columns<T const> a, b;
  T beta;
  Columns<T> c;
  Index k;
};

/// Runs the call; for s, d, c, z. Never throws, needs no memory to succeed.
template <class T>
void gemm(GemmCall<T> const& call) noexcept;

}  // namespace pantile::blas
