// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The copies behind all ?omatcopy and ?imatcopy: column-major, arguments checked already.

#include <blas/element.hpp>

namespace pantile::blas {

/// B = alpha op(A); b has the extents of op(A) and shares no element with a.
template <class T>
void copy(Operator op, T alpha, Columns<T const> const& a, Columns<T> const& b) noexcept;

/// A = alpha op(A), whose columns are ld apart afterwards.
template <class T>
void copy_in_place(Operator op, T alpha, Columns<T> const& a, Index ld) noexcept;

}  // namespace pantile::blas
