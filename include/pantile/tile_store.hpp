// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Where the operands of out_of_core.hpp lie: matrices of which rectangular parts are read and written. Derive
///        from TileSource and TileSink for places of your own; file_store.hpp has one for files.

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace pantile::out_of_core {

/// Which neighbours of a matrix lie next to each other: those in a row (C's order), or those in a column (Fortran's).
enum class Order { rows, columns };

constexpr Order transposed(Order order) { return order == Order::rows ? Order::columns : Order::rows; }

/// A rectangular part of a matrix, in elements.
struct Part {
  std::int64_t row = 0, col = 0;    ///< of its first element
  std::int64_t rows = 0, cols = 0;  ///< its extents

  [[nodiscard]] constexpr std::int64_t count() const { return rows * cols; }
  /// The same elements in the transposed matrix.
  [[nodiscard]] constexpr Part transposed() const { return {col, row, cols, rows}; }
  friend constexpr bool operator==(Part const&, Part const&) = default;
};

/// What is known of a matrix before its first element is read.
struct StoreShape {
  std::int64_t rows = 0, cols = 0;
  Order order = Order::rows;
  std::size_t element_bytes = 0;

  /// Bytes of all elements, or of a part's.
  [[nodiscard]] constexpr std::size_t bytes() const { return bytes(Part{0, 0, rows, cols}); }
  [[nodiscard]] constexpr std::size_t bytes(Part const& part) const {
    return static_cast<std::size_t>(part.count()) * element_bytes;
  }
  friend constexpr bool operator==(StoreShape const&, StoreShape const&) = default;
};

/// Buffers of parts begin at a multiple of this, plus the offset that a store requests.
inline constexpr std::size_t block_bytes = 4096;

/// A matrix that is read by parts.
class TileSource {
 public:
  virtual ~TileSource() = default;
  [[nodiscard]] virtual StoreShape const& shape() const = 0;

  /// \brief  Where in a block of memory (block_bytes) the elements of a part are best begun, in bytes: a wish, so that
  ///         a disk reaches them without a copy. A multiple of the elements' alignment.
  [[nodiscard]] virtual std::size_t begin_in_block(Part const& /*part*/) const { return 0; }

  /// \brief  Fills `tile` with the elements of a part, packed in the order of shape().
  ///
  /// An operation calls it from a thread of its own, which must not launch kernels, one call at a time; of a matrix
  /// that is written too while other parts are written. What it throws ends the operation.
  virtual void read(Part const& part, std::byte* tile) = 0;
};

/// A matrix that is written by parts.
class TileSink {
 public:
  virtual ~TileSink() = default;
  [[nodiscard]] virtual StoreShape const& shape() const = 0;

  /// As TileSource's.
  [[nodiscard]] virtual std::size_t begin_in_block(Part const& /*part*/) const { return 0; }

  /// Takes the elements of a part, packed in the order of shape(), from `tile`. Called as TileSource::read is.
  virtual void write(Part const& part, std::byte const* tile) = 0;
};

/// A matrix that is read and written.
class TileStore : public TileSource, public TileSink {
 public:
  [[nodiscard]] StoreShape const& shape() const override = 0;
  [[nodiscard]] std::size_t begin_in_block(Part const& /*part*/) const override { return 0; }
};

/// What matmul reads, and writes; and transpose.
template <class A, class B, class C>
concept ProductStores =
    std::derived_from<A, TileSource> && std::derived_from<B, TileSource> && std::derived_from<C, TileStore>;
template <class A, class B>
concept TransposeStores = std::derived_from<A, TileSource> && std::derived_from<B, TileSink>;

/// \brief  The pieces of a part that lie in one piece in its matrix: f(first byte in the matrix, first byte in the
///         packed part, bytes) for each, in rising order.
template <class F>
void for_each_run(StoreShape const& shape, Part const& part, F const& f) {
  bool const rows = shape.order == Order::rows;
  Part const p = rows ? part : part.transposed();
  auto const bytes = [&](std::int64_t elements) { return static_cast<std::uint64_t>(elements) * shape.element_bytes; };
  std::int64_t const length = rows ? shape.cols : shape.rows;
  if (p.count() == 0) return;
  if (p.cols == length) return f(bytes(p.row * length), std::uint64_t{0}, bytes(p.count()));
  for (std::int64_t i = 0; i < p.rows; ++i) f(bytes((p.row + i) * length + p.col), bytes(i * p.cols), bytes(p.cols));
}

}  // namespace pantile::out_of_core
