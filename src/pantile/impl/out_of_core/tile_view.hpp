// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Tiles as Views.

#include <pantile/tile_store.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace pantile::impl::out_of_core {

using namespace pantile::out_of_core;

template <class T, class Space>
using TileView = Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Packed elements as a matrix; of elements of several words, one word of each.
template <class T, class Space = Kokkos::HostSpace>
TileView<T, Space> packed(T* data, std::int64_t rows, std::int64_t cols, Order order, std::int64_t words = 1) {
  auto const m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(cols);
  auto const step = static_cast<std::size_t>(words);
  Kokkos::LayoutStride const by_rows(m, n * step, n, step), by_columns(m, step, n, m * step);
  return TileView<T, Space>(data, order == Order::rows ? by_rows : by_columns);
}

template <class View>
View part_of(View const& view, std::int64_t row, std::int64_t rows, std::int64_t col, std::int64_t cols) {
  return Kokkos::subview(view, std::pair(row, row + rows), std::pair(col, col + cols));
}

}  // namespace pantile::impl::out_of_core
