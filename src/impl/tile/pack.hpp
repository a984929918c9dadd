// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Neighbouring elements that are loaded or stored by one instruction.

#include <pantile/impl/view/matrix.hpp>

#include <cstdint>

namespace pantile::impl::tile {

template <class T, int Count>
struct alignas(sizeof(T) * Count) Pack {
  T value[Count];
};

/// Packs of so many elements of a row can be moved at once, wherever in the matrix a multiple of them begins.
template <class T>
bool takes_packs_along_rows(Matrix<T> const& m, int count) {
  Index const size = sizeof(T), bytes = size * count;
  return m.col_stride == 1 && static_cast<Index>(reinterpret_cast<std::uintptr_t>(m.data) % bytes) == 0 &&
         (m.rows <= 1 || m.row_stride * size % bytes == 0);
}

}  // namespace pantile::impl::tile
