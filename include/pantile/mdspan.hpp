// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  mdspan as an operand: std::mdspan (C++23), Kokkos::mdspan and any other class with its members.

#include <pantile/data_operands.hpp>
#include <pantile/operands.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace pantile {

/// \brief  An mdspan of rank 1, 2 or 3 (a vector, a matrix, a batch of matrices) of an element type, with a strided
///         layout and an accessor whose data handle is a pointer to the elements and whose reference is T&.
template <class T>
concept MdspanOperand = !Kokkos::is_view_v<T> && requires(T const& x) {
  typename T::element_type;
  typename T::extents_type;
  typename T::accessor_type;
  requires T::rank() >= 1 && T::rank() <= 3;
  requires T::is_always_strided();
  requires Element<typename T::element_type>;
  { x.data_handle() } -> std::convertible_to<typename T::element_type*>;
  requires std::same_as<typename T::reference, typename T::element_type&>;
  x.extent(0);
  x.stride(0);
};

/// \brief  The elements of an mdspan as an unmanaged View; strides are kept.
/// \tparam Space  memory space of the elements, which an mdspan does not know
template <class Space = Kokkos::HostSpace, MdspanOperand T>
auto as_view(T const& x) {
  using E = typename T::element_type;
  using Elements = std::conditional_t<T::rank() == 1, E*, std::conditional_t<T::rank() == 2, E**, E***>>;
  using View = Kokkos::View<Elements, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  // The strides of an empty mdspan may be anything.
  Kokkos::LayoutStride layout;
  bool empty = false;
  for (std::size_t r = 0; r < T::rank(); ++r) {
    layout.dimension[r] = static_cast<std::size_t>(x.extent(r));
    empty = empty || layout.dimension[r] == 0;
  }
  for (std::size_t r = 0; r < T::rank(); ++r) layout.stride[r] = empty ? 1 : static_cast<std::size_t>(x.stride(r));
  return View(x.data_handle(), layout);
}

/// \brief  An mdspan is taken to lie in memory of the call's instance; without an instance, in the host's. In builds
///         for devices, calls on the host ask the driver and refuse memory that only a device can access; calls on a
///         device check nothing.
template <MdspanOperand T>
struct operand_traits<T> {
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  template <ExecutionSpace Exec>
  static auto input(Exec const& /*exec*/, T const& x) {
    return as_view<typename Exec::memory_space>(x);
  }
  template <ExecutionSpace Exec>
  static auto output(Exec const& /*exec*/, T const& x, bool /*reads*/) {
    return as_view<typename Exec::memory_space>(x);
  }
  template <ExecutionSpace Exec>
  static void written(Exec const& /*exec*/, T const& /*x*/) {}
};

}  // namespace pantile
