// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The element types and operands of BLAS.

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <complex>
#include <cstdint>

namespace pantile::blas {

using Index = std::int64_t;

/// The textbook product: std::complex repairs Inf and NaN, which costs a call and is not what the kernels do.
template <class T>
T product(T const& a, T const& b) {
  if constexpr (is_complex_v<T>) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return a * b;
  }
}

/// \brief  Column-major operand: rows x cols, columns ld apart. \tparam T const or not
template <class T>
struct Columns {
  T* data;
  Index rows, cols, ld;

  [[nodiscard]] T& operator()(Index i, Index j) const { return data[i + j * ld]; }
};

template <class T>
using StridedView = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The operand as a View.
template <class T>
StridedView<T> view(Columns<T> const& m) {
  return StridedView<T>(m.data, Kokkos::LayoutStride(m.rows, 1, m.cols, m.ld));
}

/// The transposed operand: rows and columns change places, nothing moves.
template <class T>
StridedView<T> transposed_view(Columns<T> const& m) {
  return StridedView<T>(m.data, Kokkos::LayoutStride(m.cols, m.ld, m.rows, 1));
}

/// What BLAS does to an operand; one byte, which is copied in one step.
struct Operator {
  bool transposes : 1 = false;
  bool conjugates : 1 = false;
};

}  // namespace pantile::blas
