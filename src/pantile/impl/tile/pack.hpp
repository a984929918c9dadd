// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Neighbouring elements that are loaded or stored by one instruction.

#include <pantile/impl/compiler_ext/wide_store.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace pantile::impl::tile {

template <class T, int Count>
struct alignas(sizeof(T) * Count) Pack {
  T value[Count];
};

/// The bits at an address as a value of an unsigned type or a pack of them, whatever lies there. Devices' compilers
/// load half types byte by byte when they are copied as such.
template <class Bits>
KOKKOS_INLINE_FUNCTION Bits load_bits(void const* from) {
  Bits bits;
  KOKKOS_IF_ON_DEVICE((bits = *static_cast<Bits const*>(from);))
  KOKKOS_IF_ON_HOST((std::memcpy(&bits, from, sizeof(Bits));))
  return bits;
}

/// Move the pack that begins at an element: one instruction.
template <int Count, class T>
KOKKOS_INLINE_FUNCTION Pack<std::remove_const_t<T>, Count> load_pack(T* from) {
  using Result = Pack<std::remove_const_t<T>, Count>;
  if constexpr (!std::is_arithmetic_v<T> && sizeof(T) < 4 && sizeof(Result) == 16) {
    auto const words = load_bits<Pack<std::uint32_t, 4>>(from);
    Result result;
    __builtin_memcpy(&result, &words, sizeof result);
    return result;
  } else {
    return *reinterpret_cast<Result const*>(from);
  }
}
/// Store a pack whole, into memory or into a team's scratch.
template <bool InScratch = false, class T, int Count>
KOKKOS_INLINE_FUNCTION void store_pack(T* to, Pack<T, Count> const& value) {
  if constexpr (sizeof value == 16) {
    compiler_ext::store_16_bytes<InScratch>(to, value);
  } else {
    *reinterpret_cast<Pack<T, Count>*>(to) = value;
  }
}

/// Packs of so many elements of a row can be moved at once, wherever in the matrix a multiple of them begins; so too in
/// matrices that lie steps of so many elements further on.
template <class T>
bool takes_packs_along_rows(Matrix<T> const& m, int count, Index step = 0) {
  Index const size = sizeof(T), bytes = size * count;
  return m.col_stride == 1 && step * size % bytes == 0 &&
         static_cast<Index>(reinterpret_cast<std::uintptr_t>(m.data) % bytes) == 0 &&
         (m.rows <= 1 || m.row_stride * size % bytes == 0);
}

}  // namespace pantile::impl::tile
