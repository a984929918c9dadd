// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrix instructions: products of small matrices by a whole warp, C (m x n) += A (m x depth) B (depth x n),
///        where `depth` counts words. What a machine's instruction is to the kernel that uses it:
///
///  - m, n, depth, warp; Sum; WordA and WordB as panels hold them, OperandA and OperandB as the instruction takes them,
///    prepare() from the one to the other
///  - a_words, b_words, sums: how many of each a lane has, and a_place, b_place, sum_place: where they are in the
///    matrices
///  - a_neighbours: so many words of A in turn lie in rows below each other; neighbours: so many sums beside each other
///  - interleave: so many instructions beside each other should take rows, and columns, in turn. A lane's words of all
///    turns are read at once: 16 bytes at most
///  - joining: of so many lanes, 1, 2 or 4, from a multiple of it on, the sums of one number lie beside each other in a
///    row, the first ones in a column that is a multiple of joining * neighbours
///  - multiply(a, b, c): the lane's part of the instruction, called by all lanes together; on devices only

#include <pantile/element.hpp>
#include <pantile/impl/arch/device_tile.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace pantile::impl::arch {

/// Row and column of one small matrix.
struct Place {
  int row, col;
};

/// Operands are the panels' words.
template <class A, class B = A>
struct PlainOperands {
  using WordA = A;
  using WordB = B;
  using OperandA = A;
  using OperandB = B;
  template <class Word>
  KOKKOS_INLINE_FUNCTION static Word prepare(Word const& word) {
    return word;
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
