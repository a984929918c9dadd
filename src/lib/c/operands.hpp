// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The C face's operands: checked for what no View can have, then seen as unmanaged strided Views.

#include <c/elements.hpp>
#include <c/exec.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pantile::c {

/// \brief  An operand whose pointer, element type, extents and strides are sound: a View can be made of it. What shapes
///         and memory the operands have to have together is checked by the C++ faces.
struct Operand {
  char const* name;
  pantile_matrix matrix;

  [[nodiscard]] Typed typed() const { return {name, matrix.element}; }
};

Operand checked(char const* name, pantile_matrix const* matrix);
/// A vector as a matrix of one column.
Operand checked(char const* name, pantile_vector const* vector);

/// Throws where instances of Exec do not reach the operand's memory; looked at where there are devices only.
template <class Exec>
void check_place(Operand const& operand) {
  if constexpr (has_devices) require_reach(operand.name, operand.matrix.data, is_device<Exec>);
}

template <class Exec, class T>
using MatrixView = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::Device<Exec, typename Exec::memory_space>,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Exec, class T>
using VectorView = Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::Device<Exec, typename Exec::memory_space>,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The operand as a View of T for instances of Exec.
template <class T, class Exec>
MatrixView<Exec, T> matrix(Exec const&, Operand const& operand) {
  check_place<Exec>(operand);
  auto const& [data, element, rows, cols, row_stride, col_stride] = operand.matrix;
  return MatrixView<Exec, T>(static_cast<T*>(data), Kokkos::LayoutStride(rows, row_stride, cols, col_stride));
}
template <class T, class Exec>
VectorView<Exec, T> vector(Exec const&, Operand const& operand) {
  check_place<Exec>(operand);
  return VectorView<Exec, T>(static_cast<T*>(operand.matrix.data),
                             Kokkos::LayoutStride(operand.matrix.rows, operand.matrix.row_stride));
}

/// The number that a caller's pointer, which need not be aligned, points to; `otherwise` for a null pointer.
template <class T>
T scalar(void const* address, T otherwise) {
  if (address != nullptr) std::memcpy(&otherwise, address, sizeof(T));
  return otherwise;
}

}  // namespace pantile::c
