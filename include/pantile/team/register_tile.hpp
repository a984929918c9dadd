// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Operands of pantile::thread: tiny matrices that belong to one thread.

#include <pantile/element.hpp>
#include <pantile/team/scratch_tile.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pantile::thread {

/// \brief  Rows x Cols elements of the calling thread, not initialised. They stay in registers if all indices are
///         compile-time constants after unrolling, as in thread::matmul and thread::transpose of such tiles.
template <Element T, int Rows, int Cols>
struct RegisterTile {
  T values[Rows][Cols];  // (Rows, Cols)

  KOKKOS_INLINE_FUNCTION T& operator()(std::int64_t i, std::int64_t j) { return values[i][j]; }
  KOKKOS_INLINE_FUNCTION T const& operator()(std::int64_t i, std::int64_t j) const { return values[i][j]; }

  // As a View has them.
  using value_type = T;
  KOKKOS_INLINE_FUNCTION static constexpr std::size_t static_extent(int r) { return r == 0 ? Rows : Cols; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION static constexpr std::size_t extent(int r) { return static_extent(r); }
};

template <class T>
inline constexpr bool is_register_tile_v = false;
template <class T, int Rows, int Cols>
inline constexpr bool is_register_tile_v<RegisterTile<T, Rows, Cols>> = true;

/// A matrix for the functions of pantile::thread: a rank-2 View, a ScratchTile, or a RegisterTile.
template <class T>
concept ThreadMatrix = team::TeamMatrix<T> || is_register_tile_v<T>;

namespace detail {

/// The common extent of x and y: a compile-time constant where one of their types has it.
template <int RX, int RY, class X, class Y>
KOKKOS_INLINE_FUNCTION constexpr std::int64_t common_extent([[maybe_unused]] X const& x, [[maybe_unused]] Y const& y) {
  KOKKOS_ASSERT(static_cast<std::int64_t>(x.extent(RX)) == static_cast<std::int64_t>(y.extent(RY)));
  if constexpr (requires { typename std::bool_constant<(X::static_extent(RX) > 0)>; }) {
    if constexpr (X::static_extent(RX) > 0) return X::static_extent(RX);
  }
  if constexpr (requires { typename std::bool_constant<(Y::static_extent(RY) > 0)>; }) {
    if constexpr (Y::static_extent(RY) > 0) return Y::static_extent(RY);
  }
  return static_cast<std::int64_t>(x.extent(RX));
}

/// The number of products in a sum: columns of op(a), rows of op(b).
template <class A, class B>
KOKKOS_INLINE_FUNCTION constexpr std::int64_t inner_extent(A const& a, bool a_transposed, B const& b,
                                                           bool b_transposed) {
  if (a_transposed) return b_transposed ? common_extent<0, 1>(a, b) : common_extent<0, 0>(a, b);
  return b_transposed ? common_extent<1, 1>(a, b) : common_extent<1, 0>(a, b);
}

}  // namespace detail

}  // namespace pantile::thread
