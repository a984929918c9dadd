// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the faces ask of their arguments, at compile time.

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>

namespace pantile {

/// In the place of an accumulator: the operands' own, default_accumulator_t.
struct DefaultAccumulator {};

/// A Kokkos execution space, such as Kokkos::OpenMP or Kokkos::Cuda.
template <class T>
concept ExecutionSpace = Kokkos::is_execution_space_v<T>;

/// A Kokkos::View whose elements lie at fixed strides: LayoutRight, LayoutLeft, LayoutStride and subviews of them.
template <class T>
concept StridedView = Kokkos::is_view_v<T> && (std::same_as<typename T::array_layout, Kokkos::LayoutRight> ||
                                               std::same_as<typename T::array_layout, Kokkos::LayoutLeft> ||
                                               std::same_as<typename T::array_layout, Kokkos::LayoutStride>);

/// A View of rank 1 of an element type; const or not.
template <class T>
concept VectorView = StridedView<T> && T::rank() == 1 && Element<typename T::value_type>;

/// A View of rank 2 of an element type; const or not.
template <class T>
concept MatrixView = StridedView<T> && T::rank() == 2 && Element<typename T::value_type>;

/// A View whose elements can be written.
template <class T>
concept Mutable = !std::is_const_v<typename T::value_type>;

/// Memory of the View can be reached by kernels on the execution space.
template <class T, class Exec>
concept AccessibleFrom = bool(Kokkos::SpaceAccessibility<Exec, typename T::memory_space>::accessible);

}  // namespace pantile
