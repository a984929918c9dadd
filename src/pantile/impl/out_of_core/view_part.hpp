// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Parts of Views packed for tiles and unpacked from them, and what a store must know of a View.

#include <pantile/concepts.hpp>
#include <pantile/tile_store.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace pantile::impl::out_of_core {

using namespace pantile::out_of_core;

template <class View>
StoreShape shape_of(View const& view) {
  static_assert(AccessibleFrom<View, Kokkos::DefaultHostExecutionSpace>,
                "pantile::out_of_core: the View's memory must be accessible from the host");
  return {.rows = static_cast<std::int64_t>(view.extent(0)),
          .cols = static_cast<std::int64_t>(view.extent(1)),
          .order = view.stride(0) < view.stride(1) ? Order::columns : Order::rows,
          .element_bytes = sizeof(typename View::value_type)};
}

/// f(element of the View, packed element) for all elements of a part.
template <class View, class Packed, class F>
void for_each_packed(View const& view, Order order, Part const& part, Packed* packed, F const& f) {
  bool const rows = order == Order::rows;
  std::int64_t const slow = rows ? part.rows : part.cols, fast = rows ? part.cols : part.rows;
  for (std::int64_t s = 0; s < slow; ++s) {
    for (std::int64_t q = 0; q < fast; ++q) {
      f(view(part.row + (rows ? s : q), part.col + (rows ? q : s)), *packed++);
    }
  }
}

/// tile = a part of the View, packed in this order.
template <class View>
void pack(View const& view, Order order, Part const& part, std::byte* tile) {
  for_each_packed(view, order, part, reinterpret_cast<typename View::non_const_value_type*>(tile),
                  [](auto const& element, auto& to) { to = element; });
}

/// A part of the View = tile.
template <class View>
void unpack(View const& view, Order order, Part const& part, std::byte const* tile) {
  for_each_packed(view, order, part, reinterpret_cast<typename View::value_type const*>(tile),
                  [](auto& element, auto const& from) { element = from; });
}

}  // namespace pantile::impl::out_of_core
