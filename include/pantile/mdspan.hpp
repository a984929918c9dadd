// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  mdspan as an operand: std::mdspan (C++23), Kokkos::mdspan and any other class with its members.

#include <pantile/operands.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace pantile {

/// \brief  An mdspan of rank 2 of an element type. Its layout has strides, and its accessor is plain: what it is given
///         is a pointer, and what it gives the element there.
template <class T>
concept MdspanMatrix = !Kokkos::is_view_v<T> && requires(T const& x) {
  typename T::element_type;
  typename T::extents_type;
  typename T::accessor_type;
  requires T::rank() == 2;
  requires T::is_always_strided();
  requires Element<typename T::element_type>;
  { x.data_handle() } -> std::convertible_to<typename T::element_type*>;
  requires std::same_as<typename T::reference, typename T::element_type&>;
  x.extent(0);
  x.stride(0);
};

/// \brief  The elements of an mdspan as an unmanaged View; strides are kept.
/// \tparam Space  memory space that they lie in, which an mdspan does not know
template <class Space = Kokkos::HostSpace, MdspanMatrix T>
auto as_view(T const& x) {
  using View =
      Kokkos::View<typename T::element_type**, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  auto const extent = [&](int r) { return static_cast<std::size_t>(x.extent(static_cast<std::size_t>(r))); };
  // An empty mdspan may have no strides to speak of.
  bool const empty = extent(0) == 0 || extent(1) == 0;
  auto const stride = [&](int r) {
    return empty ? std::size_t(1) : static_cast<std::size_t>(x.stride(static_cast<std::size_t>(r)));
  };
  return View(x.data_handle(), Kokkos::LayoutStride(extent(0), stride(0), extent(1), stride(1)));
}

/// \brief  An mdspan lies in memory of the instance that a call is given; without one, in the host's.
template <MdspanMatrix T>
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
