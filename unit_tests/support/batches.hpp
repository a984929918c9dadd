// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of random matrices that lie in memory in any order of their directions, on hosts and on devices.

#include <support/buffer.hpp>
#include <support/matrices.hpp>

#include <pantile/matrix_pointers.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace pantile::testing {

using HostSpace = Kokkos::DefaultHostExecutionSpace;

/// How a batch lies: which direction is slow, which fast, how far neighbours of the fast one are apart, by how many
/// elements the others are padded, and how many lie before it, so that its first element has no more than its own
/// alignment.
struct BatchLayout {
  char const* name;
  std::array<int, 3> slow_to_fast;  ///< 0: the batch, 1: rows, 2: columns
  std::size_t step = 1, padding = 0, before = 0;
};
inline constexpr BatchLayout batch_layouts[] = {
    {"right", {0, 1, 2}},
    {"left", {2, 1, 0}},
    {"columns", {0, 2, 1}},
    {"between", {1, 0, 2}},
    {"padded", {0, 1, 2}, 1, 3},
    {"padded_left", {2, 1, 0}, 1, 1},
    {"stepped", {0, 2, 1}, 2, 1},
    {"between_columns", {2, 0, 1}},
    {"shifted", {0, 1, 2}, 1, 0, 1},
};

/// A batch in host memory with guards around each element.
template <class T>
class PlacedBatch {
 public:
  using View = Kokkos::View<T***, Kokkos::LayoutStride, Kokkos::HostSpace>;
  using One = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace>;

  PlacedBatch(std::size_t count, std::size_t rows, std::size_t cols, BatchLayout const& layout, std::uint64_t seed)
      : m_extent{count, rows, cols}, m_before(layout.before) {
    std::size_t stride = layout.step;
    for (int at = 2; at >= 0; --at) {
      auto const direction = static_cast<std::size_t>(layout.slow_to_fast[static_cast<std::size_t>(at)]);
      m_stride[direction] = stride;
      stride = stride * std::max<std::size_t>(m_extent[direction], 1) + (at > 0 ? layout.padding : 0);
    }
    m_memory.assign(m_before + stride + 1, guard());
    std::mt19937_64 generator(seed);
    each([&](std::size_t place) { m_memory[place] = random_value<T>(generator); });
  }

  [[nodiscard]] View view() {
    return View(m_memory.data() + m_before,
                Kokkos::LayoutStride(m_extent[0], m_stride[0], m_extent[1], m_stride[1], m_extent[2], m_stride[2]));
  }
  [[nodiscard]] One at(std::size_t i) {
    return One(m_memory.data() + m_before + i * m_stride[0],
               Kokkos::LayoutStride(m_extent[1], m_stride[1], m_extent[2], m_stride[2]));
  }
  [[nodiscard]] std::vector<T*> pointers() {
    std::vector<T*> all;
    for (std::size_t i = 0; i < m_extent[0]; ++i) all.push_back(at(i).data());
    return all;
  }
  /// As a batch of pointers, which the caller keeps.
  template <class Element = T>
  [[nodiscard]] MatrixPointers<Element, Kokkos::HostSpace> batch(std::vector<T*> const& kept) const {
    return {kept.data(), m_extent[0], m_extent[1], m_extent[2], m_stride[1], m_stride[2]};
  }
  [[nodiscard]] HostMatrix<T> values(std::size_t i) const {
    HostMatrix<T> result(m_extent[1], m_extent[2]);
    for (std::size_t r = 0; r < m_extent[1]; ++r) {
      for (std::size_t c = 0; c < m_extent[2]; ++c) {
        result(r, c) = m_memory[m_before + i * m_stride[0] + r * m_stride[1] + c * m_stride[2]];
      }
    }
    return result;
  }
  void fill(T const& value) {
    each([&](std::size_t place) { m_memory[place] = value; });
  }
  /// Nothing but the batch's elements has changed.
  [[nodiscard]] bool surroundings_intact() {
    std::vector<bool> inside(m_memory.size(), false);
    each([&](std::size_t place) { inside[place] = true; });
    for (std::size_t place = 0; place < inside.size(); ++place) {
      if (!inside[place] && !(m_memory[place] == guard())) return false;
    }
    return true;
  }
  [[nodiscard]] std::vector<T> const& memory() const { return m_memory; }
  [[nodiscard]] std::vector<T>& memory() { return m_memory; }
  [[nodiscard]] std::array<std::size_t, 3> const& extents() const { return m_extent; }
  [[nodiscard]] std::array<std::size_t, 3> const& strides() const { return m_stride; }
  [[nodiscard]] std::size_t before() const { return m_before; }

 private:
  static T guard() { return T(77); }
  template <class F>
  void each(F const& f) const {
    for (std::size_t i = 0; i < m_extent[0]; ++i) {
      for (std::size_t r = 0; r < m_extent[1]; ++r) {
        for (std::size_t c = 0; c < m_extent[2]; ++c) {
          f(m_before + i * m_stride[0] + r * m_stride[1] + c * m_stride[2]);
        }
      }
    }
  }

  std::array<std::size_t, 3> m_extent, m_stride{};
  std::size_t m_before;
  std::vector<T> m_memory;
};

/// The memory of a batch once more where kernels of Exec reach it, and its matrices' addresses there.
template <class T, class Exec>
class BatchOn {
 public:
  using Memory = typename Exec::memory_space;
  template <class Element>
  using View = Kokkos::View<Element***, Kokkos::LayoutStride, Memory>;
  template <class Element>
  using One = Kokkos::View<Element**, Kokkos::LayoutStride, Memory>;

  explicit BatchOn(PlacedBatch<T>& placed)
      : m_placed(&placed),
        m_elements("elements", placed.memory().size() * sizeof(T), on_host),
        m_addresses("addresses", placed.extents()[0] * sizeof(T*), on_host) {
    m_elements.write(placed.memory().data());
    std::vector<T*> all;
    for (std::size_t i = 0; i < placed.extents()[0]; ++i) all.push_back(data() + i * placed.strides()[0]);
    m_addresses.write(all.data());
  }

  template <class Element = T>
  [[nodiscard]] View<Element> view() const {
    auto const &e = m_placed->extents(), &s = m_placed->strides();
    return View<Element>(data(), Kokkos::LayoutStride(e[0], s[0], e[1], s[1], e[2], s[2]));
  }
  /// The first matrix so many times, by a stride of zero.
  template <class Element = T>
  [[nodiscard]] View<Element> repeated(std::size_t count) const {
    auto const &e = m_placed->extents(), &s = m_placed->strides();
    return View<Element>(data(), Kokkos::LayoutStride(count, 0, e[1], s[1], e[2], s[2]));
  }
  template <class Element = T>
  [[nodiscard]] One<Element> at(std::size_t i) const {
    auto const &e = m_placed->extents(), &s = m_placed->strides();
    return One<Element>(data() + i * s[0], Kokkos::LayoutStride(e[1], s[1], e[2], s[2]));
  }
  template <class Element = T>
  [[nodiscard]] MatrixPointers<Element, Memory> pointers() const {
    auto const &e = m_placed->extents(), &s = m_placed->strides();
    return {static_cast<Element* const*>(m_addresses.data()), e[0], e[1], e[2], s[1], s[2]};
  }
  /// All of it into the batch that it was made of.
  void bring_back() const { m_elements.read(m_placed->memory().data()); }

 private:
  static constexpr bool on_host = std::is_same_v<Memory, Kokkos::DefaultHostExecutionSpace::memory_space>;
  [[nodiscard]] T* data() const { return static_cast<T*>(m_elements.data()) + m_placed->before(); }

  PlacedBatch<T>* m_placed;
  Buffer m_elements, m_addresses;
};

}  // namespace pantile::testing
