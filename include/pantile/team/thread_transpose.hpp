// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Transposition of tiny matrices by one thread, inside a user's own kernel of any policy.

#include <pantile/element.hpp>
#include <pantile/team/options.hpp>
#include <pantile/team/register_tile.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::thread {

/// \brief  B(j, i) = A(i, j), or its conjugate for `{.conjugate = true}`, by the calling thread alone. Extents in the
///         types (View<double[3][3]>, RegisterTile) unroll the loops.
///
/// \code
///   Kokkos::View<double* [3][3]> const F, S;  // a matrix for each point
///   Kokkos::parallel_for(points, KOKKOS_LAMBDA(int p) {
///     auto const f = Kokkos::subview(F, p, Kokkos::ALL, Kokkos::ALL);
///     pantile::thread::RegisterTile<double, 3, 3> square;
///     pantile::thread::matmul(1.0, f, f, 0.0, square);
///     pantile::thread::transpose(square, Kokkos::subview(S, p, Kokkos::ALL, Kokkos::ALL));  // (F F)^T
///   });
/// \endcode
///
/// \param  A, B  (m, n) and (n, m) of one element type, that do not overlap
/// \pre    the extents of B are those of A exchanged. Kernels cannot throw: KOKKOS_ASSERT checks this, and thus only
///         without NDEBUG
///
/// If a kernel does nothing else with the matrices, call pantile::transpose with a batch instead.
template <ThreadMatrix MatrixA, class MatrixB>
  requires ThreadMatrix<std::remove_reference_t<MatrixB>>
KOKKOS_INLINE_FUNCTION void transpose(MatrixA const& A, MatrixB&& B, KernelTransposeOptions const& options = {}) {
  using T = typename std::remove_reference_t<MatrixB>::value_type;
  static_assert(std::is_same_v<std::remove_const_t<typename MatrixA::value_type>, T>,
                "pantile::thread::transpose: A and B must have one element type");
  std::int64_t const m = detail::common_extent<0, 1>(A, B), n = detail::common_extent<1, 0>(A, B);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      T const value = A(i, j);
      B(j, i) = options.conjugate ? conjugate(value) : value;
    }
  }
}

}  // namespace pantile::thread
