// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of matrices that lie anywhere, by their addresses.

#include <pantile/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace pantile {

/// \brief  Matrices of one shape and of the same strides, at an address each: a batch as BLAS' batched calls take it.
///
/// \tparam T            element type; const where the matrices are read only
/// \tparam MemorySpace  where the matrices are, and their addresses
template <Element T, class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
struct MatrixPointers {
  /// So many, each of a matrix' first element, on devices aligned as Kokkos' type; they must live as long as a View.
  /// Calls on the host refuse them, and the first matrix, in memory that only a device reaches; the others are not
  /// looked at.
  T* const* addresses = nullptr;
  std::size_t count = 0;
  std::size_t rows = 0, cols = 0;
  std::size_t row_stride = 0, col_stride = 1;  ///< in elements

  // What a View of rank 3 says of itself.
  using is_pointer_batch = void;
  using value_type = T;
  using non_const_value_type = std::remove_const_t<T>;
  using memory_space = MemorySpace;
  using execution_space = typename MemorySpace::execution_space;
  static constexpr std::size_t rank() { return 3; }
  [[nodiscard]] std::size_t extent(std::size_t r) const { return r == 0 ? count : r == 1 ? rows : cols; }
  [[nodiscard]] std::size_t stride(std::size_t r) const { return r == 0 ? 0 : r == 1 ? row_stride : col_stride; }
  [[nodiscard]] std::size_t size() const { return count * rows * cols; }
  [[nodiscard]] T* const* data() const { return addresses; }
  [[nodiscard]] std::string label() const { return "pointers"; }
};

}  // namespace pantile
