// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What to write where an argument is no View that an operation takes: one sentence from the compiler instead of
///        a list of overloads that do not fit.

#include <pantile/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl {

template <class T>
concept DualViewLike = requires {
  typename T::t_dev;
  typename T::t_host;
};
template <class T>
concept OffsetViewLike = requires { typename T::begins_type; };

/// A View whose rank, layout or elements are not those of a matrix.
template <class T>
constexpr bool has_rank_2() {
  if constexpr (Kokkos::is_view_v<T>) return T::rank() == 2;
  return true;
}
template <class T>
constexpr bool has_strides() {
  if constexpr (Kokkos::is_view_v<T>) return StridedView<T>;
  return true;
}
template <class T>
constexpr bool has_elements() {
  if constexpr (Kokkos::is_view_v<T>) return Element<typename T::non_const_value_type>;
  return true;
}

/// What is like a View and none.
template <class... Arguments>
inline constexpr bool has_no_views = ((DualViewLike<Arguments> || OffsetViewLike<Arguments>) || ...);
template <class... Arguments>
constexpr void refuse_no_views() {
  static_assert(!(DualViewLike<Arguments> || ...),
                "pantile: a DualView is two Views: include pantile/dual_view.hpp (matmul, transpose and add take it "
                "then), or pass its view_device() or view_host(), synchronised before");
  static_assert(!(OffsetViewLike<Arguments> || ...),
                "pantile: an OffsetView begins where it likes: pass its view(), which begins at zero");
}

/// \brief  For the overload of an operation on matrices that takes any arguments, and is chosen where no other one
///         fits: does not compile, and says why.
template <class... Arguments>
constexpr void refuse_arguments() {
  constexpr bool never = sizeof...(Arguments) > 100000;
  if constexpr (has_no_views<Arguments...>) {
    refuse_no_views<Arguments...>();
  } else if constexpr (!(has_rank_2<Arguments>() && ...)) {
    static_assert(never,
                  "pantile: a matrix is a View of rank 2: pass one that Kokkos::subview makes of this one (where the "
                  "documentation has vectors or batches, all operands are those that it names together)");
  } else if constexpr (!(has_elements<Arguments>() && ...)) {
    static_assert(never,
                  "pantile: no element type: specialise pantile::element_traits for it (pantile/element.hpp, and "
                  "CONTRIBUTING, Recipe: a new element type)");
  } else if constexpr (!(has_strides<Arguments>() && ...)) {
    static_assert(never,
                  "pantile: a matrix has LayoutRight, LayoutLeft or LayoutStride: copy this one into such a View");
  } else {
    static_assert(never,
                  "pantile: no call with these arguments: they are ([instance,] operands in the order of the "
                  "documentation[, options]), and the elements of the result are not const");
  }
}

}  // namespace pantile::impl
