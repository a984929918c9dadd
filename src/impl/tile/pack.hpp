// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Neighbouring elements that are loaded or stored by one instruction.

#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>

namespace pantile::impl::tile {

template <class T, int Count>
struct alignas(sizeof(T) * Count) Pack {
  T value[Count];
};

/// The bits at an address as a value of an unsigned type or a pack of them, whatever lies there. Devices' compilers load
/// half types byte by byte when they are copied as such.
template <class Bits>
KOKKOS_INLINE_FUNCTION Bits load_bits(void const* from) {
  Bits bits;
  KOKKOS_IF_ON_DEVICE((bits = *static_cast<Bits const*>(from);))
  KOKKOS_IF_ON_HOST((std::memcpy(&bits, from, sizeof(Bits));))
  return bits;
}

/// Packs of so many elements of a row can be moved at once, wherever in the matrix a multiple of them begins.
template <class T>
bool takes_packs_along_rows(Matrix<T> const& m, int count) {
  Index const size = sizeof(T), bytes = size * count;
  return m.col_stride == 1 && static_cast<Index>(reinterpret_cast<std::uintptr_t>(m.data) % bytes) == 0 &&
         (m.rows <= 1 || m.row_stride * size % bytes == 0);
}

}  // namespace pantile::impl::tile
