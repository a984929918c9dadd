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

/// In the place of a result's layout: the argument's own.
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
///         matrices, as NumPy has it, whatever the layout: a LayoutRight batch has them one after the other, a
///         LayoutLeft one the same element of all of them side by side.
template <class T>
concept BatchView = StridedView<T> && T::rank() == 3 && Element<typename T::value_type>;

/// A batch whose matrices lie anywhere: MatrixPointers.
template <class T>
concept PointerBatch = requires { typename T::is_pointer_batch; };

/// Any batch.
template <class T>
concept MatrixBatch = BatchView<T> || PointerBatch<T>;

/// A View whose elements can be written.
template <class T>
concept Mutable = !std::is_const_v<typename T::value_type>;

/// \brief  What matmul multiplies: matrices; a matrix and a vector, and then C is a vector; or batches, where A and B
///         may also be one matrix for all. C's elements can be written.
template <class A, class B, class C>
concept MatmulOperands =
    Mutable<C> && ((MatrixView<A> && MatrixView<B> && MatrixView<C>) ||
                   (VectorView<C> && ((MatrixView<A> && VectorView<B>) || (VectorView<A> && MatrixView<B>))) ||
                   (MatrixBatch<C> && (MatrixView<A> || MatrixBatch<A>)&&(MatrixView<B> || MatrixBatch<B>)));

/// What transpose takes: matrices or batches, and B's elements can be written.
template <class A, class B>
concept TransposeOperands = Mutable<B> && ((MatrixView<A> && MatrixView<B>) || (BatchView<A> && BatchView<B>) ||
                                           (PointerBatch<A> && PointerBatch<B>));

/// What transpose takes in place.
template <class A>
concept TransposedInPlace = Mutable<A> && (MatrixView<A> || MatrixBatch<A>);

/// Memory of the View can be reached by kernels on the execution space.
template <class T, class Exec>
concept AccessibleFrom = bool(Kokkos::SpaceAccessibility<Exec, typename T::memory_space>::accessible);

}  // namespace pantile
