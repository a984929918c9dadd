// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The C face's operands: checked for what no View can have, then seen as unmanaged strided Views.

#include <c/elements.hpp>
#include <c/exec.hpp>

#include <pantile/matrix_pointers.hpp>

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

/// A batch's first matrix, and where the others are.
struct BatchOperand : Operand {
  std::int64_t count = 1, stride = 0;
  void* const* addresses = nullptr;
};

Operand checked(char const* name, pantile_matrix const* matrix);
/// A vector as a matrix of one column.
Operand checked(char const* name, pantile_vector const* vector);
BatchOperand checked(char const* name, pantile_batch const* batch);
/// Throws where one of the addresses, which the host reads, is not aligned as the elements are.
void require_aligned(BatchOperand const& operand);

/// Throws where the operand, in memory of a device, is not aligned as whole elements are: devices load complex numbers
/// by one access.
void require_whole_alignment(Operand const& operand);

/// Throws where instances of Exec do not reach the address, the operand's or another one; looked at where there are
/// devices only.
template <class Exec>
void check_place([[maybe_unused]] Exec const& exec, char const* name, void const* address) {
  if constexpr (is_device<Exec>) {
    require_accessible(name, address, exec);
  } else if constexpr (has_devices) {
    require_accessible(name, address);
  }
}

template <class Space, class T>
using MatrixView = Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Space, class T>
using VectorView = Kokkos::View<T*, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The operand as a View of T in memory of the space.
template <class T, class Space>
MatrixView<Space, T> matrix_in(Space const&, Operand const& operand) {
  if constexpr (is_device<typename Space::execution_space>) require_whole_alignment(operand);
  auto const& [data, element, rows, cols, row_stride, col_stride] = operand.matrix;
  return MatrixView<Space, T>(static_cast<T*>(data), Kokkos::LayoutStride(rows, row_stride, cols, col_stride));
}

/// Throws where instances of Exec do not take the operand's memory.
template <class Exec>
void check_memory(Exec const& exec, Operand const& operand) {
  check_place(exec, operand.name, operand.matrix.data);
  if constexpr (is_device<Exec>) require_whole_alignment(operand);
}

/// The same in memory that instances of Exec reach, which is checked.
template <class T, class Exec>
auto matrix(Exec const& exec, Operand const& operand) {
  check_place(exec, operand.name, operand.matrix.data);
  return matrix_in<T>(typename Exec::memory_space(), operand);
}
template <class T, class Exec>
auto vector(Exec const& exec, Operand const& operand) {
  check_memory(exec, operand);
  return VectorView<typename Exec::memory_space, T>(
      static_cast<T*>(operand.matrix.data), Kokkos::LayoutStride(operand.matrix.rows, operand.matrix.row_stride));
}

template <class T, class Exec>
auto batch(Exec const& exec, BatchOperand const& operand) {
  using View =
      Kokkos::View<T***, Kokkos::LayoutStride, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  check_memory(exec, operand);
  auto const& [data, element, rows, cols, row_stride, col_stride] = operand.matrix;
  return View(static_cast<T*>(data),
              Kokkos::LayoutStride(operand.count, operand.stride, rows, row_stride, cols, col_stride));
}
template <class T, class Exec>
auto pointers(Exec const& exec, BatchOperand const& operand) {
  check_place(exec, operand.name, operand.addresses);
  if constexpr (!is_device<Exec>) require_aligned(operand);
  auto const& [data, element, rows, cols, row_stride, col_stride] = operand.matrix;
  auto const size = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  return MatrixPointers<T, typename Exec::memory_space>{reinterpret_cast<T* const*>(operand.addresses),
                                                        size(operand.count),
                                                        size(rows),
                                                        size(cols),
                                                        size(row_stride),
                                                        size(col_stride)};
}

/// Calls f with the memory space where the operand lies: that of the caller's instance's device, or the host's.
template <class F>
void with_place([[maybe_unused]] pantile_exec const* exec, Operand const& operand, F const& f) {
  if constexpr (has_devices) {
    if (lies_on_device(operand.name, operand.matrix.data, device_instance(exec))) return f(Device::memory_space());
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
