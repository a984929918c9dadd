// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Concepts that the functions of pantile/*.hpp require of their arguments.

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>

namespace pantile {

/// Default of the template parameter Accumulator: default_accumulator_t of the operands.
struct DefaultAccumulator {};

/// Default of the template parameter Layout: the layout of the argument.
struct SameLayout {};

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

/// \brief  A batch of matrices: a View of rank 3 of an element type, const or not. The first extent counts the
///         matrices, as in NumPy, whatever the layout: LayoutRight stores one matrix after the other, LayoutLeft
///         interleaves them element by element.
template <class T>
concept BatchView = StridedView<T> && T::rank() == 3 && Element<typename T::value_type>;

/// A batch that gives each matrix by its address: MatrixPointers.
template <class T>
concept PointerBatch = requires { typename T::is_pointer_batch; };

/// Any batch.
template <class T>
concept MatrixBatch = BatchView<T> || PointerBatch<T>;

/// A View whose elements can be written.
template <class T>
concept Mutable = !std::is_const_v<typename T::value_type>;

/// \brief  Operands of matmul: three matrices; a matrix and a vector with a vector C; or a batch C, where A and B are
///         each a batch or one matrix for all. C's elements can be written.
template <class A, class B, class C>
concept MatmulOperands =
    Mutable<C> && ((MatrixView<A> && MatrixView<B> && MatrixView<C>) ||
                   (VectorView<C> && ((MatrixView<A> && VectorView<B>) || (VectorView<A> && MatrixView<B>))) ||
                   (MatrixBatch<C> && (MatrixView<A> || MatrixBatch<A>)&&(MatrixView<B> || MatrixBatch<B>)));

/// Operands of transpose: matrices or batches; B's elements can be written.
template <class A, class B>
concept TransposeOperands = Mutable<B> && ((MatrixView<A> && MatrixView<B>) || (BatchView<A> && BatchView<B>) ||
                                           (PointerBatch<A> && PointerBatch<B>));

/// Operand of transpose in place.
template <class A>
concept TransposedInPlace = Mutable<A> && (MatrixView<A> || MatrixBatch<A>);

/// Memory of the View can be reached by kernels on the execution space.
template <class T, class Exec>
concept AccessibleFrom = bool(Kokkos::SpaceAccessibility<Exec, typename T::memory_space>::accessible);

}  // namespace pantile
