// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of matrices given by an address each.

#include <pantile/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace pantile {

/// \brief  A batch of matrices of one shape and the same strides, each at an address of its own, as in batched BLAS.
///
/// \tparam T            element type; const where the matrices are read only
/// \tparam MemorySpace  where the matrices are, and their addresses
template <Element T, class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
struct MatrixPointers {
  /// count pointers, each to the first element of a matrix, on devices aligned as Kokkos' type; the array must live
  /// until the work is done. Calls on the host refuse an array, or a first matrix, in memory that only a device can
  /// access; the other matrices are not checked.
  T* const* addresses = nullptr;
  std::size_t count = 0;
  std::size_t rows = 0, cols = 0;
  std::size_t row_stride = 0, col_stride = 1;  ///< in elements

  // Members of a View of rank 3.
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
