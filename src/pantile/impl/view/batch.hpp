// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised batch: the first problem's matrix, and where those of the others are.

#include <pantile/concepts.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstring>

namespace pantile::impl {

/// \brief  Where each problem of a batch has its matrix: a stride on from the one before it (of zero: all have one in
///         common), or at an address of its own.
template <class T>
struct BatchPlace {
  Index stride = 0;
  void const* addresses = nullptr;  ///< of T*, or of pointers to what T stands for

  /// The first element of a problem's matrix, where `first` is that of problem 0.
  KOKKOS_INLINE_FUNCTION T* of(T* first, Index problem) const {
    if (addresses == nullptr) return first + problem * stride;
    T* address = nullptr;
    memcpy(&address, static_cast<char const*>(addresses) + problem * Index{sizeof(address)}, sizeof(address));
    return address;
  }
  [[nodiscard]] constexpr bool is_common() const { return addresses == nullptr && stride == 0; }
};

/// An operand of all problems.
template <class T>
struct Batch {
  Matrix<T> first;
  BatchPlace<T> place;

  [[nodiscard]] Batch transposed() const { return {first.transposed(), place}; }
  KOKKOS_INLINE_FUNCTION Matrix<T> at(Index problem) const {
    return {place.of(first.data, problem), first.rows, first.cols, first.row_stride, first.col_stride};
  }
};

/// Normalise a matrix that all problems have in common, a View of rank 3, or MatrixPointers. The addresses of the
/// latter are read only where hosts can do so: else the first matrix has none.
template <class View>
Batch<typename View::value_type> to_batch(View const& view) {
  if constexpr (View::rank() == 2) {
    return {to_matrix(view), {}};
  } else {
    auto const extent = [&](std::size_t r) { return static_cast<Index>(view.extent(r)); };
    auto const stride = [&](std::size_t r) { return static_cast<Index>(view.stride(r)); };
    Batch<typename View::value_type> batch{{nullptr, extent(1), extent(2), stride(1), stride(2)}, {}};
    if constexpr (PointerBatch<View>) {
      batch.place.addresses = view.data();
      constexpr bool on_host = AccessibleFrom<View, Kokkos::DefaultHostExecutionSpace>;
      if (on_host && view.data() != nullptr && extent(0) > 0) batch.first.data = *view.data();
    } else {
      batch.first.data = view.data();
      batch.place.stride = stride(0);
    }
    return batch;
  }
}

/// Normalise a batch that is read only.
template <class View>
Batch<typename View::non_const_value_type const> to_const_batch(View const& view) {
  auto const b = to_batch(view);
  return {{b.first.data, b.first.rows, b.first.cols, b.first.row_stride, b.first.col_stride},
          {b.place.stride, b.place.addresses}};
}

/// The operand in the element type that kernels of Exec take.
template <class Exec, class T>
Batch<operand_t<Exec, T>> as_operand(Batch<T> const& b) {
  return {as_operand<Exec>(b.first), {b.place.stride, b.place.addresses}};
}

}  // namespace pantile::impl
