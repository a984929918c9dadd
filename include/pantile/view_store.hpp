// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Views in host memory as operands of out_of_core.hpp.

#include <pantile/concepts.hpp>
#include <pantile/tile_store.hpp>

#include <pantile/impl/out_of_core/view_part.hpp>

#include <cstddef>

namespace pantile::out_of_core {

/// A View in host memory as an operand that is read; any layout and strides.
template <MatrixView View>
class ViewSource : public TileSource {
 public:
  explicit ViewSource(View const& view) : m_view(view), m_shape(impl::out_of_core::shape_of(view)) {}

  [[nodiscard]] StoreShape const& shape() const override { return m_shape; }

  void read(Part const& part, std::byte* tile) override { impl::out_of_core::pack(m_view, m_shape.order, part, tile); }

 private:
  View m_view;
  StoreShape m_shape;
};

/// A View in host memory as an operand that is read and written; any layout and strides.
template <MatrixView View>
  requires Mutable<View>
class ViewStore : public TileStore {
 public:
  explicit ViewStore(View const& view) : m_view(view), m_source(view) {}

  [[nodiscard]] StoreShape const& shape() const override { return m_source.shape(); }

  void read(Part const& part, std::byte* tile) override { m_source.read(part, tile); }

  void write(Part const& part, std::byte const* tile) override {
    impl::out_of_core::unpack(m_view, shape().order, part, tile);
  }

 private:
  View m_view;
  ViewSource<View> m_source;
};

}  // namespace pantile::out_of_core
