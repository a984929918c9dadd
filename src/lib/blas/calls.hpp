// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The work behind all names, with arguments that are checked already; T is float, double or a std::complex of
///        them. It never throws, and needs no memory to succeed.

#include <blas/arguments.hpp>

namespace pantile::blas {

/// C = alpha op(A) op(B) + beta C.
template <class T>
void gemm(GemmShape const& shape, void const* alpha, void const* a, void const* b, void const* beta, void* c) noexcept;

/// B = alpha op(A); B shares no element with A.
template <class T>
void copy(CopyShape const& shape, void const* alpha, void const* a, void* b) noexcept;

/// A = alpha op(A), whose columns are shape.ldb apart afterwards.
template <class T>
void copy_in_place(CopyShape const& shape, void const* alpha, void* a) noexcept;

}  // namespace pantile::blas
