// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The tiled matmul: tiles of A and B in team scratch, register tiles per thread, any edge, any shape.

#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/matmul/problem.hpp>
#include <pantile/impl/tile/load_store.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>
#include <pantile/policy.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::matmul {

/// \brief  One team per tile of C. Source: Numba CUDA and ROC examples, "fast_matmul", whose zero padding and store
///         guard are right here for every shape; with register tiles as in V. Volkov, J. Demmel, SC 2008.
/// \tparam Resident  each thread has one register tile and its sums (devices); otherwise sums are in scratch (any team)
template <class TA, class TB, class TC, class Accumulator, int Rows, int Cols, bool Resident>
struct TiledKernel {
  static constexpr arch::KernelTag tag{"untuned"};
  using Compute = compute_t<Accumulator>;
  using Sums = Compute[Rows][Cols];

  Problem<TA, TB, TC, Accumulator> problem;
  Epilogue<TC, Accumulator> epilogue;
  MatmulTile tile;
  std::size_t scratch_bytes;  // without the slack for alignment
  int scratch_level;

  /// Register tiles of one tile, and the tile's edges padded to them.
  struct MicroGrid {
    int down, across, rows, cols;
  };
  [[nodiscard]] KOKKOS_INLINE_FUNCTION MicroGrid micro_grid() const {
    int const down = tile::ceil_div(tile.m, Rows), across = tile::ceil_div(tile.n, Cols);
    return {down, across, down * Rows, across * Cols};
  }

  /// A team's scratch: panels of A and B, and the sums where they are not in registers.
  struct Scratch {
    Compute *a, *b, *sums;
  };
  /// To be taken once.
  template <class Member>
  KOKKOS_INLINE_FUNCTION Scratch scratch_of(Member const& member) const {
    auto const grid = micro_grid();
    auto* const a = static_cast<Compute*>(tile::team_scratch(member, scratch_bytes, scratch_level));
    // Offsets in whole elements: every part is a multiple of 16 bytes long (tiled_scratch_bytes in matmul/policy.hpp).
    auto* const b = a + tile::scratch_bytes(std::size_t(tile.k) * grid.rows, sizeof(Compute)) / sizeof(Compute);
    auto* const sums = b + tile::scratch_bytes(std::size_t(tile.k) * grid.cols, sizeof(Compute)) / sizeof(Compute);
    return {a, b, sums};
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION tile::TileGrid tiles() const {
    return {problem.c.rows, problem.c.cols, tile.m, tile.n};
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    Scratch const scratch = scratch_of(member);
    tile::TileGrid const all = tiles();
    for (Index t = member.league_rank(); t < all.count(); t += member.league_size()) {
      compute_tile(member, all.block(t), scratch);
    }
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION void compute_tile(Member const& member, tile::Block const& out, Scratch const& scratch) const {
    auto const [a, b, sums] = scratch;
    auto const grid = micro_grid();
    int const micro_tiles = grid.down * grid.across;
    Sums own;  // (Rows, Cols)
    for (int i = 0; i < Rows; ++i) {
      for (int j = 0; j < Cols; ++j) own[i][j] = Compute(0);
    }
    if constexpr (!Resident) {
      for_each_micro(member, micro_tiles, [&](int micro) { exchange(own, sums + micro * Rows * Cols, false); });
    }
    for (Index k0 = 0; k0 < problem.a.cols; k0 += tile.k) {
      int const depth = static_cast<int>(tile::smaller<Index>(tile.k, problem.a.cols - k0));
      load_panels(member, out, k0, depth, grid, a, b);
      member.team_barrier();
      for_each_micro(member, micro_tiles, [&](int micro) {
        Compute const* const a_panel = a + micro / grid.across * Rows;
        Compute const* const b_panel = b + micro % grid.across * Cols;
        if constexpr (Resident) {
          tile::multiply_panels<Rows, Cols>(depth, a_panel, grid.rows, b_panel, grid.cols, own);
        } else {
          Sums step;
          exchange(step, sums + micro * Rows * Cols, true);
          tile::multiply_panels<Rows, Cols>(depth, a_panel, grid.rows, b_panel, grid.cols, step);
          exchange(step, sums + micro * Rows * Cols, false);
        }
      });
      member.team_barrier();
    }
    for_each_micro(member, micro_tiles, [&](int micro) {
      if constexpr (!Resident) exchange(own, sums + micro * Rows * Cols, true);
      store(out, micro / grid.across * Rows, micro % grid.across * Cols, own);
    });
  }

 private:
  template <class Member, class F>
  KOKKOS_INLINE_FUNCTION static void for_each_micro(Member const& member, int micro_tiles, F const& f) {
    if constexpr (Resident) {
      if (member.team_rank() < micro_tiles) f(member.team_rank());
    } else {
      tile::for_each_1d(member, micro_tiles, f);
    }
  }

  /// Panels are kept k by k, A's as (k, m) and B's as (k, n), so that a register tile reads neighbours.
  template <class Member>
  KOKKOS_INLINE_FUNCTION void load_panels(Member const& member, tile::Block const& out, Index k0, int depth,
                                          MicroGrid const& grid, Compute* a, Compute* b) const {
    int const a_ld = grid.rows, b_ld = grid.cols;
    tile::load_tile<Compute>(member, problem.a, problem.conj_a, {out.row, k0, out.rows, depth}, grid.rows, depth,
                             [&](int i, int k, Compute const& value) { a[k * a_ld + i] = value; });
    tile::load_tile<Compute>(member, problem.b, problem.conj_b, {k0, out.col, depth, out.cols}, depth, grid.cols,
                             [&](int k, int j, Compute const& value) { b[k * b_ld + j] = value; });
  }

  KOKKOS_INLINE_FUNCTION static void exchange(Sums& own, Compute* scratch, bool load) {
    for (int i = 0; i < Rows; ++i) {
      for (int j = 0; j < Cols; ++j) {
        if (load) {
          own[i][j] = scratch[i * Cols + j];
        } else {
          scratch[i * Cols + j] = own[i][j];
        }
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void store(tile::Block const& out, int row, int col, Sums const& own) const {
    for (int i = 0; i < Rows; ++i) {
      for (int j = 0; j < Cols; ++j) {
        if (row + i < out.rows && col + j < out.cols) {
          epilogue(own[i][j], problem.c(out.row + row + i, out.col + col + j));
        }
      }
    }
  }
};

}  // namespace pantile::impl::matmul
