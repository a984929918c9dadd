// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From checked integers and untyped pointers to the calls that do the work, for s, d, c, z.

#include <blas/arguments.hpp>
#include <blas/gemm.hpp>

namespace pantile::blas {

template <class T>
void gemm(GemmShape const& s, void const* alpha, void const* a, void const* b, void const* beta, void* c) noexcept {
  auto const value = [](void const* address) { return *static_cast<T const*>(address); };
  gemm<T>({*s.op_a,
           *s.op_b,
           value(alpha),
           {static_cast<T const*>(a), s.rows_a(), s.cols_a(), s.lda},
           {static_cast<T const*>(b), s.rows_b(), s.cols_b(), s.ldb},
           value(beta),
           {static_cast<T*>(c), s.m, s.n, s.ldc},
           s.k});
}

/// B = alpha op(A), which share no element.
template <class T>
void copy(CopyShape const& shape, void const* alpha, void const* a, void* b) noexcept;

/// A = alpha op(A), whose columns are ldb apart afterwards.
template <class T>
void copy_in_place(CopyShape const& shape, void const* alpha, void* a) noexcept;

}  // namespace pantile::blas
