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

/// Packed elements of a part as a matrix; of elements of several words, one word of each.
template <class T, class Space = Kokkos::HostSpace>
TileView<T, Space> packed(T* data, Part const& part, Order order, std::int64_t words = 1) {
  auto const m = static_cast<std::size_t>(part.rows), n = static_cast<std::size_t>(part.cols);
  auto const step = static_cast<std::size_t>(words);
  Kokkos::LayoutStride const by_rows(m, n * step, n, step), by_columns(m, step, n, m * step);
  return TileView<T, Space>(data, order == Order::rows ? by_rows : by_columns);
}

template <class View>
View part_of(View const& view, Part const& part) {
  return Kokkos::subview(view, std::pair(part.row, part.row + part.rows), std::pair(part.col, part.col + part.cols));
}

}  // namespace pantile::impl::out_of_core
