// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Multiplication of tiny matrices by one thread, inside a user's own kernel of any policy.

#include <pantile/concepts.hpp>
#include <pantile/element.hpp>
#include <pantile/team/options.hpp>
#include <pantile/team/register_tile.hpp>

#include <pantile/impl/view/kernel_op.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::thread {

/// \brief  C = alpha op(A) op(B) + beta C by the calling thread alone, for matrices of a few rows and columns. Extents
///         that are part of the types (View<double[3][3]>, RegisterTile) unroll the loops.
///
/// \code
///   Kokkos::View<double* [3][3]> const A, B, C;  // a product for each point
///   Kokkos::parallel_for(points, KOKKOS_LAMBDA(int p) {
///     pantile::thread::RegisterTile<double, 3, 3> square;
///     auto const a = Kokkos::subview(A, p, Kokkos::ALL, Kokkos::ALL);
///     pantile::thread::matmul(1.0, a, a, 0.0, square);
///     pantile::thread::matmul(0.5, square, Kokkos::subview(B, p, Kokkos::ALL, Kokkos::ALL), 1.0,
///                             Kokkos::subview(C, p, Kokkos::ALL, Kokkos::ALL), {.op_a = pantile::Op::transpose});
///   });
/// \endcode
///
/// \tparam Accumulator  as of pantile::matmul; each sum is formed over rising k and rounded once
/// \param  A, B, C      (m, k) and (k, n) after their operators, (m, n). C does not overlap A or B
/// \param  options      operators; free of cost if they are compile-time constants
///
/// \pre  columns of op(A) equal rows of op(B), C has the rows of op(A) and the columns of op(B). Kernels cannot throw:
///       KOKKOS_ASSERT checks this, and thus only without NDEBUG
///
/// beta = 0 never reads C; alpha = 0 or k = 0 never reads A and B. If a kernel does nothing else with the matrices,
/// call pantile::matmul with a batch instead.
template <class Accumulator = DefaultAccumulator, class Alpha, ThreadMatrix MatrixA, ThreadMatrix MatrixB, class Beta,
          class MatrixC>
  requires ThreadMatrix<std::remove_reference_t<MatrixC>>
KOKKOS_INLINE_FUNCTION void matmul(Alpha const& alpha, MatrixA const& A, MatrixB const& B, Beta const& beta,
                                   MatrixC&& C, KernelMatmulOptions const& options = {}) {
  using TA = std::remove_const_t<typename MatrixA::value_type>;
  using TB = std::remove_const_t<typename MatrixB::value_type>;
  using TC = typename std::remove_reference_t<MatrixC>::value_type;
  using Sum = typename impl::AccumulatorFor<Accumulator, TA, TB, TC>::type;
  using Compute = compute_t<Sum>;
  static_assert(is_complex_v<Sum> || (!is_complex_v<TA> && !is_complex_v<TB>),
                "pantile::thread::matmul: a real accumulator cannot take complex operands");
  static_assert(is_complex_v<TC> || !is_complex_v<Sum>,
                "pantile::thread::matmul: a complex result cannot be stored in a real C");
  auto const factor = impl::to_element<Sum>(alpha), keep = impl::to_element<Sum>(beta);
  impl::KernelOp const op_a(options.op_a), op_b(options.op_b);
  std::int64_t const m = op_a.transposes ? detail::common_extent<0, 1>(C, A) : detail::common_extent<0, 0>(C, A);
  std::int64_t const n = op_b.transposes ? detail::common_extent<1, 0>(C, B) : detail::common_extent<1, 1>(C, B);
  std::int64_t const k = detail::inner_extent(A, op_a.transposes, B, op_b.transposes);
  bool const reads_c = !(keep == Sum(0)), reads_ab = k > 0 && !(factor == Sum(0));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      Compute sum(0), result(0);
      for (std::int64_t p = 0; reads_ab && p < k; ++p) {
        sum = multiply_add(op_a.template at<Compute>(A, i, p), op_b.template at<Compute>(B, p, j), sum);
      }
      if (reads_ab) result = multiply_add(convert<Compute>(factor), sum, result);
      if (reads_c) result = multiply_add(convert<Compute>(keep), convert<Compute>(C(i, j)), result);
      C(i, j) = convert<TC>(convert<Sum>(result));
    }
  }
}

}  // namespace pantile::thread
