// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Operands of the tests: matrices in memory whose reads and writes are watched, and random numbers.

#include <pantile/out_of_core.hpp>

#include <gmock/gmock.h>
#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace pantile::testing {

using out_of_core::Order;
using out_of_core::OutOfCoreOptions;
using out_of_core::Part;
using out_of_core::StoreShape;
using Exec = Kokkos::DefaultExecutionSpace;

/// A matrix of T in host memory, packed in an order. Counts what goes in and out, and can fail.
template <class T>
class WatchedStore : public out_of_core::TileStore {
 public:
  WatchedStore(std::int64_t rows, std::int64_t cols, Order order)
      : m_shape{.rows = rows, .cols = cols, .order = order, .element_bytes = sizeof(T)},
        elements(static_cast<std::size_t>(rows * cols)),
        writes(elements.size()) {}

  [[nodiscard]] StoreShape const& shape() const override { return m_shape; }

  [[nodiscard]] T& operator()(std::int64_t i, std::int64_t j) { return elements[index(i, j)]; }
  [[nodiscard]] T const& operator()(std::int64_t i, std::int64_t j) const { return elements[index(i, j)]; }

  /// As in a file, whose blocks begin with the matrix.
  [[nodiscard]] std::size_t begin_in_block(Part const& part) const override {
    return index(part.row, part.col) * sizeof(T) % out_of_core::block_bytes;
  }

  void read(Part const& part, std::byte* tile) override {
    if (reads_left-- == 0) throw std::runtime_error("no read is left");
    bytes_read += m_shape.bytes(part);
    out_of_core::for_each_run(m_shape, part, [&](std::uint64_t place, std::uint64_t packed, std::uint64_t bytes) {
      std::memcpy(tile + packed, reinterpret_cast<std::byte const*>(elements.data()) + place, bytes);
    });
  }

  void write(Part const& part, std::byte const* tile) override {
    if (writes_left-- == 0) throw std::runtime_error("no write is left");
    out_of_core::for_each_run(m_shape, part, [&](std::uint64_t place, std::uint64_t packed, std::uint64_t bytes) {
      std::memcpy(reinterpret_cast<std::byte*>(elements.data()) + place, tile + packed, bytes);
      for (std::uint64_t b = 0; b < bytes; b += sizeof(T)) ++writes[(place + b) / sizeof(T)];
    });
  }

  /// Each element was written this often.
  void expect_written(int times) const {
    for (std::size_t i = 0; i < writes.size(); ++i) ASSERT_EQ(writes[i], times) << "element " << i;
  }

 private:
  [[nodiscard]] std::size_t index(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(m_shape.order == Order::rows ? i * m_shape.cols + j : j * m_shape.rows + i);
  }

  StoreShape m_shape;

 public:
  std::vector<T> elements;
  std::vector<int> writes;
  std::size_t bytes_read = 0;
  int reads_left = -1, writes_left = -1;  ///< before the next one fails; -1: none fails
};

/// Small whole numbers, whose products are exact in every type.
template <class T>
void fill_randomly(WatchedStore<T>& store, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> number(-9, 9);
  for (T& element : store.elements) {
    if constexpr (is_complex_v<T>) {
      using Real = typename T::value_type;
      element = T(static_cast<Real>(number(random)), static_cast<Real>(number(random)));
    } else {
      element = static_cast<T>(number(random));
    }
  }
}

constexpr Order orders[] = {Order::rows, Order::columns};

}  // namespace pantile::testing
