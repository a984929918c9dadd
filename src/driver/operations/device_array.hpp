// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A file's array for kernels: the bytes as they lie in the file, in C or Fortran order, become a View. Nothing
///        is copied on host backends; devices get one bulk copy. An element may consist of several words T, of which
///        each gives a matrix of its own.

#include "io/array.hpp"

#include <pantile/transfer.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::driver {

using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
using HostBytes = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// A matrix in exec's memory whose elements belong to someone else.
template <class T>
using DeviceMatrix =
    Kokkos::View<T**, Kokkos::LayoutStride, Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Strides of the order: LayoutRight's for C, LayoutLeft's for Fortran. One View type for both keeps the number of
/// instantiations at one per element type; the library looks at strides anyway. A vector is a single column.
inline Kokkos::LayoutStride layout_of(Array const& array, std::size_t word_size) {
  std::size_t const rows = array.shape[0], cols = array.shape.rank() > 1 ? array.shape[1] : 1;
  std::size_t const words = array.count() == 0 ? 1 : element_size(array.type) / word_size;
  return array.order == Order::c ? Kokkos::LayoutStride(rows, cols * words, cols, words)
                                 : Kokkos::LayoutStride(rows, words, cols, rows * words);
}

/// Of T const where the array is const.
template <class T>
auto host_bytes(auto& array) {
  auto const words = array.template words<T>();
  return HostBytes<typename decltype(words)::element_type>(words.data(), words.size());
}

/// An operand that is read.
template <class T>
class DeviceInput {
 public:
  DeviceInput(Exec const& exec, Array const& array)
      : m_bytes(pantile::to_device(exec, host_bytes<T>(array))), m_layout(layout_of(array, sizeof(T))) {}

  /// Of this word of each element.
  [[nodiscard]] DeviceMatrix<T const> matrix(std::size_t word = 0) const {
    return DeviceMatrix<T const>(m_bytes.data() + word, m_layout);
  }
  [[nodiscard]] auto const& bytes() const { return m_bytes; }

 private:
  using Bytes = decltype(pantile::to_device(Exec{}, HostBytes<T const>{}));
  Bytes m_bytes;
  Kokkos::LayoutStride m_layout;
};

/// An operand that is written; on host backends the array's own memory.
template <class T>
class DeviceOutput {
 public:
  static constexpr bool in_place = AccessibleFrom<HostBytes<T>, Exec>;

  explicit DeviceOutput(Array& array) : m_host(host_bytes<T>(array)), m_layout(layout_of(array, sizeof(T))) {
    if constexpr (!in_place) {
      m_device = decltype(m_device)(Kokkos::view_alloc("output", Kokkos::WithoutInitializing), m_host.extent(0));
    }
  }

  /// Of this word of each element.
  [[nodiscard]] DeviceMatrix<T> matrix(std::size_t word = 0) const { return DeviceMatrix<T>(data() + word, m_layout); }

  /// Elements as they lie in memory, to be filled or copied to.
  [[nodiscard]] auto bytes() const {
    return Kokkos::View<T*, Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(data(), m_host.extent(0));
  }

  /// Brings the elements to the array. Fence exec afterwards.
  void copy_to_host(Exec const& exec) const {
    if constexpr (!in_place) pantile::copy_to_host(exec, m_host, m_device);
  }

 private:
  [[nodiscard]] T* data() const {
    if constexpr (in_place) {
      return m_host.data();
    } else {
      return m_device.data();
    }
  }

  HostBytes<T> m_host;
  Kokkos::View<T*, Exec::memory_space> m_device;
  Kokkos::LayoutStride m_layout;
};

}  // namespace pantile::driver
