// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A whole matrix product by one team: panels and sums in scratch, any team size, any shape.

#include <pantile/impl/tile/load_store.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::tile {

/// \brief  Scratch of one team: A's panel (depth, rows), B's panel (depth, cols), sums (rows, cols). Edges are padded
///         to the largest register tile, so that every register tile can be used on the same panels.
template <class Compute>
struct MultiplyBuffers {
  static constexpr int step = 4;
  Compute* a;
  Compute* b;
  Compute* sums;
  int rows, cols, depth;  // of a tile of C, and of the panels

  KOKKOS_INLINE_FUNCTION static constexpr std::size_t a_count(int rows, int depth) {
    return scratch_bytes(std::size_t(round_up(rows, step)) * depth, sizeof(Compute)) / sizeof(Compute);
  }
  KOKKOS_INLINE_FUNCTION static constexpr std::size_t count(int rows, int cols, int depth) {
    return a_count(rows, depth) + a_count(cols, depth) + a_count(rows, round_up(cols, step));
  }
  /// Buffers in memory for count() elements that begins at a multiple of 16 bytes.
  KOKKOS_INLINE_FUNCTION static MultiplyBuffers at(Compute* memory, int rows, int cols, int depth) {
    Compute* const b = memory + a_count(rows, depth);
    return {memory, b, b + a_count(cols, depth), rows, cols, depth};
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int padded_rows() const { return round_up(rows, step); }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int padded_cols() const { return round_up(cols, step); }
};

/// sums += panel product, in register tiles of Rows x Cols shared by the team. Each sum grows in rising k.
template <int Rows, int Cols, class Compute, class Member>
KOKKOS_INLINE_FUNCTION void add_panel_product(Member const& member, int depth,
                                              MultiplyBuffers<Compute> const& buffers) {
  int const lda = buffers.padded_rows(), ldb = buffers.padded_cols(), across = ldb / Cols;
  for_each_1d(member, lda / Rows * across, [&](int micro) {
    int const row = micro / across * Rows, col = micro % across * Cols;
    Compute* const place = buffers.sums + row * ldb + col;
    Compute sum[Rows][Cols];  // (Rows, Cols)
    for (int i = 0; i < Rows; ++i) {
      for (int j = 0; j < Cols; ++j) sum[i][j] = place[i * ldb + j];
    }
    multiply_panels<Rows, Cols>(depth, buffers.a + row, lda, buffers.b + col, ldb, sum);
    for (int i = 0; i < Rows; ++i) {
      for (int j = 0; j < Cols; ++j) place[i * ldb + j] = sum[i][j];
    }
  });
}

/// Which operands are conjugated.
struct Conjugates {
  bool a = false, b = false;
};

/// \brief  C = alpha A B + beta C by one team. Called by the whole team; operands are visible to all of it. Barriers
///         inside, the last one after the last store. beta = 0 never reads C, alpha = 0 or k = 0 never A and B.
template <class Accumulator, class Member, class TA, class TB, class TC>
KOKKOS_INLINE_FUNCTION void multiply(Member const& member, Accumulator const& alpha, Matrix<TA const> const& a,
                                     Matrix<TB const> const& b, Accumulator const& beta, Matrix<TC> const& c,
                                     MultiplyBuffers<compute_t<Accumulator>> const& buffers,
                                     Conjugates const& conjugates) {
  using Compute = compute_t<Accumulator>;
  Compute const factor = convert<Compute>(alpha), keep = convert<Compute>(beta);
  bool const reads_c = !(beta == Accumulator(0)), reads_ab = a.cols > 0 && !(alpha == Accumulator(0));
  int const lda = buffers.padded_rows(), ldb = buffers.padded_cols();
  TileGrid const tiles{c.rows, c.cols, buffers.rows, buffers.cols};
  for (Index t = 0; t < tiles.count(); ++t) {
    Block const out = tiles.block(t);
    if (reads_ab) for_each_1d(member, lda * ldb, [&](int s) { buffers.sums[s] = Compute(0); });
    for (Index k0 = 0; reads_ab && k0 < a.cols; k0 += buffers.depth) {
      int const depth = static_cast<int>(smaller<Index>(buffers.depth, a.cols - k0));
      load_tile<Compute>(member, a, conjugates.a, {out.row, k0, out.rows, depth}, lda, depth,
                         [&](int i, int k, Compute const& value) { buffers.a[k * lda + i] = value; });
      load_tile<Compute>(member, b, conjugates.b, {k0, out.col, depth, out.cols}, depth, ldb,
                         [&](int k, int j, Compute const& value) { buffers.b[k * ldb + j] = value; });
      member.team_barrier();
      // A host thread has registers for 4 x 4 sums; a device team has a thread for each sum.
      KOKKOS_IF_ON_HOST((add_panel_product<4, 4>(member, depth, buffers);))
      KOKKOS_IF_ON_DEVICE((add_panel_product<1, 1>(member, depth, buffers);))
      member.team_barrier();
    }
    store_tile(member, c, out, [&](int i, int j) {
      Compute result(0);
      if (reads_ab) result = multiply_add(factor, buffers.sums[i * ldb + j], result);
      if (reads_c) result = multiply_add(keep, convert<Compute>(c(out.row + i, out.col + j)), result);
      return convert<Accumulator>(result);
    });
    member.team_barrier();
  }
}

}  // namespace pantile::impl::tile
