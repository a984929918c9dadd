// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrix multiplication by one team, inside a user's own TeamPolicy kernel.

#include <pantile/element.hpp>
#include <pantile/policy.hpp>
#include <pantile/team/options.hpp>
#include <pantile/team/scratch_tile.hpp>

#include <pantile/impl/tile/team_multiply.hpp>
#include <pantile/impl/view/kernel_op.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::team {

/// \brief  Buffers of team::matmul in team scratch. Construct it once per kernel, not in a loop: each one takes its
///         bytes from the scratch size of the policy.
/// \tparam Accumulator  type in which products are summed and alpha, beta are applied
template <Element Accumulator>
class MatmulScratch {
 public:
  using Compute = compute_t<Accumulator>;
  using Buffers = impl::tile::MultiplyBuffers<Compute>;
  static constexpr MatmulTile default_tile{16, 16, 16};

  /// Bytes to add to the scratch size of the policy. Any positive edges.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION static constexpr int bytes(MatmulTile tile = default_tile) {
    return static_cast<int>(payload(tile) + impl::tile::scratch_alignment);
  }

  /// Called by every thread of the team with the same arguments. No barrier.
  template <class Member>
  KOKKOS_INLINE_FUNCTION explicit MatmulScratch(Member const& member, MatmulTile tile = default_tile,
                                                int scratch_level = 0)
      : m_buffers(Buffers::at(
            static_cast<Compute*>(
                member.team_scratch(scratch_level).get_shmem_aligned(payload(tile), impl::tile::scratch_alignment)),
            tile.m, tile.n, tile.k)) {
    KOKKOS_ASSERT(m_buffers.a != nullptr && "pantile::team::MatmulScratch: the policy's scratch size is too small");
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION Buffers const& buffers() const { return m_buffers; }

 private:
  KOKKOS_INLINE_FUNCTION static constexpr std::size_t payload(MatmulTile tile) {
    return Buffers::count(tile.m, tile.n, tile.k) * sizeof(Compute);
  }

  Buffers m_buffers;
};

/// \brief  C = alpha op(A) op(B) + beta C by the calling team, for any team size and any extents.
///
/// \code
///   using Member = Kokkos::TeamPolicy<>::member_type;
///   using Scratch = pantile::team::MatmulScratch<double>;
///   auto const policy =
///       Kokkos::TeamPolicy<>(batch, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Scratch::bytes()));
///   Kokkos::parallel_for(policy, KOKKOS_LAMBDA(Member const& member) {
///     Scratch const scratch(member);
///     auto const b = member.league_rank();
///     pantile::team::matmul(member, 1.0, Kokkos::subview(A, b, Kokkos::ALL, Kokkos::ALL),
///                           Kokkos::subview(B, b, Kokkos::ALL, Kokkos::ALL), 0.0,
///                           Kokkos::subview(C, b, Kokkos::ALL, Kokkos::ALL), scratch);
///   });
/// \endcode
///
/// \param  A, B, C  rank-2 Views or ScratchTiles: (m, k) and (k, n) after their operators, (m, n). C does not overlap A
///                  or B. A and B must be visible to the team: a barrier lies between their last write and this call
/// \param  scratch  determines the accumulator type; each sum is formed over rising k and rounded once
/// \param  options  operators, such as `{.op_a = Op::transpose}`
///
/// \pre  columns of op(A) equal rows of op(B), C has the rows of op(A) and the columns of op(B), and the policy's
///       scratch holds `bytes()`. Kernels cannot throw: KOKKOS_ASSERT checks this, and thus only without NDEBUG
///
/// Called by the whole team. Barriers inside; at the return C is visible to the whole team and scratch may be used
/// again. beta = 0 never reads C; alpha = 0 or k = 0 never reads A and B. The same bits for any team size.
template <class Member, class Alpha, TeamMatrix MatrixA, TeamMatrix MatrixB, class Beta, TeamMatrix MatrixC,
          Element Accumulator>
KOKKOS_INLINE_FUNCTION void matmul(Member const& member, Alpha const& alpha, MatrixA const& A, MatrixB const& B,
                                   Beta const& beta, MatrixC const& C, MatmulScratch<Accumulator> const& scratch,
                                   KernelMatmulOptions const& options = {}) {
  using TA = std::remove_const_t<typename MatrixA::value_type>;
  using TB = std::remove_const_t<typename MatrixB::value_type>;
  using TC = typename MatrixC::value_type;
  static_assert(is_complex_v<Accumulator> || (!is_complex_v<TA> && !is_complex_v<TB>),
                "pantile::team::matmul: a real accumulator cannot take complex operands");
  static_assert(is_complex_v<TC> || !is_complex_v<Accumulator>,
                "pantile::team::matmul: a complex result cannot be stored in a real C");
  impl::KernelOp const op_a(options.op_a), op_b(options.op_b);
  auto const a = op_a.oriented(impl::to_matrix(A));
  auto const b = op_b.oriented(impl::to_matrix(B));
  auto const c = impl::to_matrix(C);
  KOKKOS_ASSERT(a.cols == b.rows && c.rows == a.rows && c.cols == b.cols);
  impl::tile::multiply<Accumulator>(member, impl::to_element<Accumulator>(alpha),
                                    impl::Matrix<TA const>{a.data, a.rows, a.cols, a.row_stride, a.col_stride},
                                    impl::Matrix<TB const>{b.data, b.rows, b.cols, b.row_stride, b.col_stride},
                                    impl::to_element<Accumulator>(beta), c, scratch.buffers(),
                                    {op_a.conjugates, op_b.conjugates});
}

}  // namespace pantile::team
