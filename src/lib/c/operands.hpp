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

/// Throws where instances of Exec do not reach the address, the operand's or another one; looked at where there are
/// devices only.
template <class Exec>
void check_place(Exec const&, char const* name, void const* address) {
  if constexpr (has_devices) require_reach(name, address, is_device<Exec>);
}

template <class Space, class T>
using MatrixView = Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Space, class T>
using VectorView = Kokkos::View<T*, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The operand as a View of T in memory of the space.
template <class T, class Space>
MatrixView<Space, T> matrix_in(Space const&, Operand const& operand) {
  auto const& [data, element, rows, cols, row_stride, col_stride] = operand.matrix;
  return MatrixView<Space, T>(static_cast<T*>(data), Kokkos::LayoutStride(rows, row_stride, cols, col_stride));
}

/// The same in memory that instances of Exec reach, which is checked.
template <class T, class Exec>
auto matrix(Exec const& exec, Operand const& operand) {
  check_place(exec, operand.name, operand.matrix.data);
  return matrix_in<T>(typename Exec::memory_space(), operand);
}
template <class T, class Exec>
auto vector(Exec const& exec, Operand const& operand) {
  check_place(exec, operand.name, operand.matrix.data);
  return VectorView<typename Exec::memory_space, T>(
      static_cast<T*>(operand.matrix.data), Kokkos::LayoutStride(operand.matrix.rows, operand.matrix.row_stride));
}

/// Calls f with the memory space where the operand lies: a device's, or the host's.
template <class F>
void with_place(Operand const& operand, F const& f) {
  if constexpr (has_devices) {
    if (lies_on_device(operand.matrix.data)) return f(Device::memory_space());
  }
  f(Host::memory_space());
}

/// The number that a caller's pointer, which need not be aligned, points to; `otherwise` for a null pointer.
template <class T>
T scalar(void const* address, T otherwise) {
  if (address != nullptr) std::memcpy(&otherwise, address, sizeof(T));
  return otherwise;
}

}  // namespace pantile::c
