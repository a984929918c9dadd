// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Slices: of k, for products with fewer tiles than a device has room for, or the products of a batch.

#include <pantile/impl/matmul/problem.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::matmul {

/// \brief  What the teams of a slice compute: the sums over a part of k, or another product. The teams of the first
///         slice come first.
struct Slices {
  int count = 1;
  Index depth = 0;                           ///< of a slice of k, a multiple of the tile's; zero: all of it
  Index a_step = 0, b_step = 0, c_step = 0;  ///< elements from what a slice reads and writes to the next one's
};

/// An element of C from the slices' sums, added in rising k.
template <class Part, class TC, class Accumulator>
struct SliceSumKernel {
  using Compute = compute_t<Accumulator>;
  Part const* sums;
  Index row_stride;
  Slices slices;
  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    Part const* const from = sums + i * row_stride + j;
    Compute sum(0);
    for (int slice = 0; slice < slices.count; ++slice) sum += convert<Compute>(from[slice * slices.c_step]);
    epilogue(sum, c(i, j));
  }
};

}  // namespace pantile::impl::matmul
