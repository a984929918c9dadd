// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Operands of out_of_core.hpp: matrices that are read and written by rectangular parts. Derive from TileSource
///        and TileSink for storage of your own; file_store.hpp has one for files, view_store.hpp those for Views.

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace pantile::out_of_core {

/// Row-major or column-major: are a row's elements contiguous, as in C, or a column's, as in Fortran?
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

/// Extents, order and element size of a matrix.
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

/// Buffers begin at a multiple of this, plus the store's begin_in_block().
inline constexpr std::size_t block_bytes = 4096;

/// A matrix that is read by parts.
class TileSource {
 public:
  virtual ~TileSource() = default;
  [[nodiscard]] virtual StoreShape const& shape() const = 0;

  /// \brief  Preferred offset of a part's first element in a block of memory (block_bytes), in bytes: with it, read or
  ///         write needs no copy. A multiple of the elements' alignment; callers may ignore it.
  [[nodiscard]] virtual std::size_t begin_in_block(Part const& /*part*/) const { return 0; }

  /// \brief  Fills `tile` with the elements of a part, packed in the order of shape().
  ///
  /// An operation calls it from a thread of its own, one call at a time; it must not launch kernels. Where the matrix
  /// is also written, other parts may be written at the same time. An exception ends the operation.
  virtual void read(Part const& part, std::byte* tile) = 0;
};

/// A matrix that is written by parts.
class TileSink {
 public:
  virtual ~TileSink() = default;
  [[nodiscard]] virtual StoreShape const& shape() const = 0;

  /// As TileSource::begin_in_block.
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

/// Operands of out_of_core::matmul, and of out_of_core::transpose.
template <class A, class B, class C>
concept ProductStores =
    std::derived_from<A, TileSource> && std::derived_from<B, TileSource> && std::derived_from<C, TileStore>;
template <class A, class B>
concept TransposeStores = std::derived_from<A, TileSource> && std::derived_from<B, TileSink>;

/// \brief  The contiguous runs of a part: f(first byte in the matrix, first byte in the packed part, bytes) for each,
///         in rising order.
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
