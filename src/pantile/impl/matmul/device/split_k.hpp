// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Sums over k in slices, for products with fewer tiles than a device has room for.

#include <pantile/impl/matmul/problem.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::matmul {

/// \brief  How the sums over k are split: the teams of the first slice come first.
struct SplitK {
  int slices = 1;
  Index depth = 0;   ///< of a slice, a multiple of the tile's
  Index stride = 0;  ///< elements from a slice's C to the next one's
};

/// An element of C from the slices' sums, added in rising k.
template <class Part, class TC, class Accumulator>
struct SliceSumKernel {
  using Compute = compute_t<Accumulator>;
  Part const* sums;
  Index row_stride;
  SplitK split;
  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    Part const* const from = sums + i * row_stride + j;
    Compute sum(0);
    for (int slice = 0; slice < split.slices; ++slice) sum += convert<Compute>(from[slice * split.stride]);
    epilogue(sum, c(i, j));
  }
};

}  // namespace pantile::impl::matmul
