// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Arrays of rank 1, 2 or 3 of any element type in every placement, inside guarded memory. The sibling of Placed
///        for what is no matrix.

#include <support/buffer.hpp>
#include <support/matrices.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace pantile::testing {

namespace detail {
template <class T, int Rank>
struct AddPointers {
  using type = typename AddPointers<T*, Rank - 1>::type;
};
template <class T>
struct AddPointers<T, 0> {
  using type = T;
};
}  // namespace detail

/// \brief  A LayoutStride View that keeps its guarded parent alive. Values go in and out in row-major order. right and
///         left are packed, padded_* have gaps between the slow steps, strided has gaps everywhere.
template <class T, class Exec, int Rank>
class PlacedArray {
 public:
  using View =
      Kokkos::View<typename detail::AddPointers<T, Rank>::type, Kokkos::LayoutStride, typename Exec::memory_space>;
  using Extents = std::array<std::size_t, Rank>;
  static constexpr std::size_t guard_zone = 5;

  PlacedArray(std::string const& label, Extents const& extents, Placement placement) : m_extents(extents) {
    bool const left = placement == Placement::left || placement == Placement::padded_left;
    bool const padded = placement == Placement::padded_left || placement == Placement::padded_right;
    std::size_t step = placement == Placement::strided ? 3 : 1;
    for (int turn = 0; turn < Rank; ++turn) {
      int const d = left ? turn : Rank - 1 - turn;
      m_strides[d] = step;
      step *= extents[d] > 0 ? extents[d] : 1;
      if (padded) step += 2;
    }
    m_span = step + 2 * guard_zone;
    m_parent = Buffer(label, m_span * sizeof(T),
                      std::is_same_v<typename Exec::memory_space, Kokkos::DefaultHostExecutionSpace::memory_space>);
    m_parent.write(std::vector<T>(m_span, guard()).data());
    m_view = View(static_cast<T*>(m_parent.data()) + guard_zone, layout());
  }

  PlacedArray(std::string const& label, Extents const& extents, std::vector<T> const& values, Placement placement)
      : PlacedArray(label, extents, placement) {
    assign(values);
  }

  [[nodiscard]] View const& view() const { return m_view; }

  void assign(std::vector<T> const& values) {
    auto parent = read_parent();
    for (std::size_t flat = 0; flat < count(); ++flat) parent[position(flat)] = values[flat];
    m_parent.write(parent.data());
  }

  /// Read back; call after a fence.
  [[nodiscard]] std::vector<T> values() const {
    auto const parent = read_parent();
    std::vector<T> result(count());
    for (std::size_t flat = 0; flat < count(); ++flat) result[flat] = parent[position(flat)];
    return result;
  }

  /// True if nothing of the parent outside the View has changed.
  [[nodiscard]] bool surroundings_intact() const {
    auto const parent = read_parent();
    std::vector<bool> inside(parent.size(), false);
    for (std::size_t flat = 0; flat < count(); ++flat) inside[position(flat)] = true;
    for (std::size_t p = 0; p < inside.size(); ++p) {
      if (!inside[p] && !(parent[p] == guard())) return false;
    }
    return true;
  }

 private:
  static T guard() { return T(77); }
  [[nodiscard]] std::vector<T> read_parent() const {
    std::vector<T> parent(m_span);
    m_parent.read(parent.data());
    return parent;
  }
  [[nodiscard]] std::size_t count() const {
    std::size_t product = 1;
    for (std::size_t const extent : m_extents) product *= extent;
    return product;
  }
  [[nodiscard]] std::size_t position(std::size_t flat) const {
    std::size_t result = guard_zone;
    for (int d = Rank - 1; d >= 0; --d) {
      result += flat % m_extents[d] * m_strides[d];
      flat /= m_extents[d];
    }
    return result;
  }
  [[nodiscard]] Kokkos::LayoutStride layout() const {
    if constexpr (Rank == 1) {
      return Kokkos::LayoutStride(m_extents[0], m_strides[0]);
    } else if constexpr (Rank == 2) {
      return Kokkos::LayoutStride(m_extents[0], m_strides[0], m_extents[1], m_strides[1]);
    } else {
      return Kokkos::LayoutStride(m_extents[0], m_strides[0], m_extents[1], m_strides[1], m_extents[2], m_strides[2]);
    }
  }

  Extents m_extents;
  std::array<std::size_t, Rank> m_strides{};
  std::size_t m_span = 0;
  Buffer m_parent;
  View m_view;
};

}  // namespace pantile::testing
