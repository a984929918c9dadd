// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrix instructions: products of small matrices by a whole warp, C (m x n) += A (m x depth) B (depth x n),
///        where `depth` counts k-packs. What a machine's instruction is to the kernel that uses it: MatrixInstruction.

#include <pantile/element.hpp>
#include <pantile/impl/arch/device_tile.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstring>

namespace pantile::impl::arch {

/// Row and column of one small matrix.
struct Place {
  int row, col;
};

/// \brief  What Product is: KPackA and KPackB as panels hold them, OperandA and OperandB as the instruction takes them,
///         prepare() from the one to the other; a_place, b_place, sum_place: where what a lane has is in the matrices;
///         multiply(a, b, c): the lane's part of the instruction, called by all lanes together, on devices only.
template <class Product>
concept MatrixInstruction = requires(typename Product::KPackA const& a, typename Product::KPackB const& b) {
  requires Product::m > 0 && Product::n > 0 && Product::depth > 0 && Product::warp > 0;
  // Of a lane.
  requires Product::a_k_packs > 0 && Product::b_k_packs > 0 && Product::sums > 0;
  // So many k-packs of A one after the other lie in rows below each other; so many sums beside each other.
  requires Product::a_neighbours > 0 && Product::neighbours > 0;
  // So many instructions beside each other take rows, and columns, by turns; what a lane has of them is read at once,
  // 16 bytes at most.
  requires Product::interleave > 0;
  // Of so many lanes, 1, 2 or 4, from a multiple of it on, the sums of one number lie beside each other in a row, the
  // first ones in a column that is a multiple of joining * neighbours.
  requires Product::joining == 1 || Product::joining == 2 || Product::joining == 4;
  { Product::prepare(a) } -> std::convertible_to<typename Product::OperandA>;
  { Product::prepare(b) } -> std::convertible_to<typename Product::OperandB>;
};

/// Operands are the panels' k-packs.
template <class A, class B = A>
struct PlainOperands {
  using KPackA = A;
  using KPackB = B;
  using OperandA = A;
  using OperandB = B;
  template <class KPack>
  KOKKOS_INLINE_FUNCTION static KPack prepare(KPack const& k_pack) {
    return k_pack;
  }
};

/// The bits of a value in another type of the same size.
template <class To, class From>
KOKKOS_INLINE_FUNCTION To bits_as(From const& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

}  // namespace pantile::impl::arch
