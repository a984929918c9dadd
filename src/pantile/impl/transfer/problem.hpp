// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised transfer: two matrices of equal extents; vectors are one column.

#include <pantile/impl/transfer/policy.hpp>
#include <pantile/impl/view/matrix.hpp>
#include <pantile/impl/view/overlap.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::transfer {

template <class T>
struct Problem {
  Matrix<T> destination;
  Matrix<T const> source;
};

/// The matrix as the policy sees it. The stride of an extent of one says nothing.
template <class T>
Side side_of(Matrix<T> const& matrix, Memory memory) {
  auto const contiguous = [](Matrix<T> const& m) {
    return (m.cols <= 1 || m.col_stride == 1) && (m.rows <= 1 || m.row_stride == m.cols);
  };
  return {memory, contiguous(matrix), contiguous(matrix.transposed()),
          matrix.fast_along_row() ? Order::rows : Order::columns};
}

/// A contiguous matrix of the same extents.
template <class T, class U>
Matrix<T> packed_like(Matrix<U> const& matrix, T* data, Order order) {
  return order == Order::rows ? Matrix<T>{data, matrix.rows, matrix.cols, matrix.cols, 1}
                              : Matrix<T>{data, matrix.rows, matrix.cols, 1, matrix.rows};
}

/// The bulk copy, enqueued: Kokkos::deep_copy of bytes, which Kokkos can do between any two spaces (issues 2603, 3044).
template <class ToSpace, class FromSpace, class Exec>
void copy_bytes(Exec const& exec, void* to, void const* from, std::size_t bytes) {
  Kokkos::deep_copy(
      exec, Kokkos::View<std::byte*, ToSpace, Kokkos::MemoryUnmanaged>(static_cast<std::byte*>(to), bytes),
      Kokkos::View<std::byte const*, FromSpace, Kokkos::MemoryUnmanaged>(static_cast<std::byte const*>(from), bytes));
}

template <class T>
Query make_query(Problem<T> const& p, Memory to, Memory from, bool device, bool one_kernel, std::size_t chunk_bytes = 0,
                 int in_flight = 1) {
  return {.rows = p.destination.rows,
          .cols = p.destination.cols,
          .element_size = sizeof(T),
          .same_elements = same_elements(p.destination, p.source),
          .device = device,
          .one_kernel = one_kernel,
          .destination = side_of(p.destination, to),
          .source = side_of(p.source, from),
          .chunk_bytes = chunk_bytes,
          .in_flight = in_flight};
}

}  // namespace pantile::impl::transfer
