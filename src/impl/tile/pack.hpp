// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Neighbouring elements that are loaded or stored by one instruction.

#include <pantile/impl/kokkos_ext/wide_store.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::impl::tile {

template <class T, int Count>
struct alignas(sizeof(T) * Count) Pack {
  T value[Count];
};

/// Move the pack that begins at an element: one instruction.
template <int Count, class T>
KOKKOS_INLINE_FUNCTION Pack<std::remove_const_t<T>, Count> load_pack(T* from) {
  return *reinterpret_cast<Pack<std::remove_const_t<T>, Count> const*>(from);
}
/// The same the other way.
template <class T, int Count>
KOKKOS_INLINE_FUNCTION void store_pack(T* to, Pack<T, Count> const& value) {
  if constexpr (sizeof value == 16) {
    kokkos_ext::store_16_bytes(to, value);
  } else {
    *reinterpret_cast<Pack<T, Count>*>(to) = value;
  }
}

/// Packs of so many elements of a row can be moved at once, wherever in the matrix a multiple of them begins.
template <class T>
bool takes_packs_along_rows(Matrix<T> const& m, int count) {
  Index const size = sizeof(T), bytes = size * count;
  return m.col_stride == 1 && static_cast<Index>(reinterpret_cast<std::uintptr_t>(m.data) % bytes) == 0 &&
         (m.rows <= 1 || m.row_stride * size % bytes == 0);
}

}  // namespace pantile::impl::tile
