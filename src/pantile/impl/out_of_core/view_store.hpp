// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Views as places of tiles.

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

/// f(element of the View, packed element) for all of a part.
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

}  // namespace pantile::impl::out_of_core

namespace pantile::out_of_core {

/// A View in host memory as an operand that is read, of any layout and strides.
template <MatrixView View>
class ViewSource : public TileSource {
 public:
  explicit ViewSource(View const& view) : m_view(view), m_shape(impl::out_of_core::shape_of(view)) {}

  [[nodiscard]] StoreShape const& shape() const override { return m_shape; }

  void read(Part const& part, std::byte* tile) override {
    auto* const packed = reinterpret_cast<typename View::non_const_value_type*>(tile);
    impl::out_of_core::for_each_packed(m_view, m_shape.order, part, packed,
                                       [](auto const& element, auto& to) { to = element; });
  }

 private:
  View m_view;
  StoreShape m_shape;
};

/// A View in host memory as an operand that is read and written.
template <MatrixView View>
  requires Mutable<View>
class ViewStore : public TileStore {
 public:
  explicit ViewStore(View const& view) : m_view(view), m_source(view) {}

  [[nodiscard]] StoreShape const& shape() const override { return m_source.shape(); }

  void read(Part const& part, std::byte* tile) override { m_source.read(part, tile); }

  void write(Part const& part, std::byte const* tile) override {
    auto const* const packed = reinterpret_cast<typename View::value_type const*>(tile);
    impl::out_of_core::for_each_packed(m_view, shape().order, part, packed,
                                       [](auto& element, auto const& from) { element = from; });
  }

 private:
  View m_view;
  ViewSource<View> m_source;
};

}  // namespace pantile::out_of_core
