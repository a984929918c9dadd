// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "io/element_type.hpp"

namespace pantile::driver {

static_assert(sizeof(std::size_t) == 8, "pantile::driver: the file readers need 64-bit sizes");

/// Which index is the fast one: the last (c, Kokkos' LayoutRight) or the first (fortran, LayoutLeft).
enum class Order : std::uint8_t { c, fortran };

/// The extents of an array of one to three dimensions.
class Shape {
 public:
  static constexpr std::size_t max_rank = 3;

  Shape() = default;
  /// Throws std::invalid_argument beyond max_rank.
  Shape(std::initializer_list<std::size_t> extents);

  /// Throws std::invalid_argument beyond max_rank.
  void push_back(std::size_t extent);

  std::size_t rank() const { return m_rank; }
  std::size_t operator[](std::size_t dimension) const { return m_extents[dimension]; }
  std::span<std::size_t const> extents() const { return {m_extents.data(), m_rank}; }

  /// The product of the extents; fits() says whether it is one.
  std::size_t count() const;

  /// Whether all extents other than zero, and the size of an element, multiply to less than 2^63.
  /// Zeros are left out, so that no later product of a part of the extents can overflow either.
  bool fits(std::size_t element_size) const;

  /// As NumPy prints it: (2, 3) or (5,).
  std::string text() const;

  friend bool operator==(Shape const&, Shape const&) = default;

 private:
  std::array<std::size_t, max_rank> m_extents{};
  std::size_t m_rank = 0;
};

/// Uninitialised memory, aligned for every vector unit and every element type.
class AlignedBytes {
 public:
  static constexpr std::size_t alignment = 64;

  AlignedBytes() = default;
  /// Throws std::bad_alloc.
  explicit AlignedBytes(std::size_t size);

  std::byte* data() { return m_data.get(); }
  std::byte const* data() const { return m_data.get(); }
  std::size_t size() const { return m_size; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept;
  };
  std::unique_ptr<std::byte, Free> m_data;
  std::size_t m_size = 0;
};

/// Memory for the contents of `path`. Throws FileError when the machine has not that much.
AlignedBytes allocate_for(std::filesystem::path const& path, std::size_t size);

/// Contiguous elements somewhere in host memory, in this machine's byte order; what the writers take.
struct ArrayView {
  ElementType type{};
  Shape shape;
  Order order = Order::c;
  std::byte const* data = nullptr;  // may be null when the array is empty

  std::size_t bytes() const { return shape.count() * element_size(type); }
};

/// Throws std::invalid_argument for a view that no array can have: no dimension, a size beyond 2^63, or
/// no data where the shape has elements.
void require_valid(ArrayView const& view);

/// Contiguous elements with the memory that holds them; what the readers give.
struct Array {
  ElementType type{};
  Shape shape;
  Order order = Order::c;
  AlignedBytes storage;

  std::size_t count() const { return shape.count(); }
  std::byte* data() { return storage.data(); }
  std::byte const* data() const { return storage.data(); }
  ArrayView view() const { return {type, shape, order, storage.data()}; }

  /// The elements as T, any type of the element's size that may be copied bytewise (std::complex,
  /// Kokkos::complex, a half type). Throws std::invalid_argument when the sizes differ.
  template <class T>
  std::span<T> elements() {
    require_element_size(sizeof(T));
    return {reinterpret_cast<T*>(storage.data()), count()};
  }
  template <class T>
  std::span<T const> elements() const {
    require_element_size(sizeof(T));
    return {reinterpret_cast<T const*>(storage.data()), count()};
  }

  /// The elements' bytes as words T, one or several to an element: sizeof(T) must divide the element's size.
  template <class T>
  std::span<T> words() {
    return {reinterpret_cast<T*>(storage.data()), storage.size() / sizeof(T)};
  }
  template <class T>
  std::span<T const> words() const {
    return {reinterpret_cast<T const*>(storage.data()), storage.size() / sizeof(T)};
  }

 private:
  void require_element_size(std::size_t size) const;
};

}  // namespace pantile::driver
