// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The transpositions through team scratch: both sides of a tile are accessed along their contiguous direction.

#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>
#include <pantile/impl/transpose/batch/problem.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::transpose {

/// Square tiles in scratch, as the plan has them.
struct TileShape {
  int edge;
  int ld;              ///< elements from row to row of a tile in scratch: edge, or one more against bank conflicts
  std::size_t stride;  ///< elements from one tile in scratch to the next
  std::size_t scratch_bytes;  ///< without the slack for alignment
  int scratch_level;

  template <class T, class Member>
  KOKKOS_INLINE_FUNCTION T* scratch(Member const& member) const {
    return static_cast<T*>(tile::team_scratch(member, scratch_bytes, scratch_level));
  }
};

/// One team per tile of each matrix, on devices edge threads wide. Sources: the course notebook's 32x32 tile in shared
/// memory; with ld = edge + 1 and several rows per thread M. Harris, "An Efficient Matrix Transpose in CUDA C/C++",
/// 2013. Contiguous: source has unit stride along rows, target along columns.
template <class T, bool Device, bool Contiguous>
struct TiledKernel {
  static constexpr arch::KernelTag tag{"untuned"};
  using Stride = std::conditional_t<Contiguous, UnitStride, Index>;
  BatchProblem<T> batch;
  TileShape shape;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    T* const staged = shape.scratch<T>(member);
    tile::TileGrid const tiles{batch.first.source.rows, batch.first.source.cols, shape.edge, shape.edge};
    for (Index t = member.league_rank(); t < tiles.count() * batch.count; t += member.league_size()) {
      tile::Block const block = tiles.block(t % tiles.count());
      Problem<T> const problem = batch.strided_at(t / tiles.count());
      load(member, problem.source, block, staged);
      member.team_barrier();
      if (is_complex_v<T> && problem.conjugates) {
        store<true>(member, problem.target, block, staged);
      } else {
        store<false>(member, problem.target, block, staged);
      }
      member.team_barrier();
    }
  }

 private:
  template <class Member>
  KOKKOS_INLINE_FUNCTION void load(Member const& member, Matrix<T const> const& source, tile::Block const& block,
                                   T* staged) const {
    Stride step{};
    if constexpr (!Contiguous) step = source.col_stride;
    T const* const from = source.data + block.row * source.row_stride + block.col * step;
    tile::for_each_line<Device>(member, shape.edge, block.rows, block.cols, [&](int i, int j) {
      staged[i * shape.ld + j] = from[i * source.row_stride + j * step];
    });
  }

  template <bool Conjugates, class Member>
  KOKKOS_INLINE_FUNCTION void store(Member const& member, Matrix<T> const& target, tile::Block const& block,
                                    T const* staged) const {
    Stride step{};
    if constexpr (!Contiguous) step = target.row_stride;
    T* const to = target.data + block.row * step + block.col * target.col_stride;
    tile::for_each_line<Device>(member, shape.edge, block.cols, block.rows, [&](int j, int i) {
      T const value = staged[i * shape.ld + j];
      to[j * target.col_stride + i * step] = Conjugates ? conjugate(value) : value;
    });
  }
};

/// In place: one team per tile above the diagonal and its mirror image, or per tile on the diagonal, of each matrix.
template <class T, bool Device>
struct TilePairKernel {
  static constexpr arch::KernelTag tag{"untuned"};
  BatchProblem<T> batch;  // targets are fast along their rows
  TileShape shape;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    T* const staged_upper = shape.scratch<T>(member);
    T* const staged_lower = staged_upper + shape.stride;
    Matrix<T> const& first = batch.first.target;
    tile::TileGrid const grid{first.rows, first.cols, shape.edge, shape.edge};
    Index const tiles = grid.across(), pairs = tile::triangle_count(tiles);
    for (Index t = member.league_rank(); t < pairs * batch.count; t += member.league_size()) {
      Matrix<T> const matrix = batch.strided_at(t / pairs).target;
      tile::TilePair const pair = tile::triangle_pair(t % pairs, tiles);
      tile::Block const upper = grid.block(pair.row * tiles + pair.col);
      tile::Block const lower = grid.block(pair.col * tiles + pair.row);
      load(member, matrix, upper, staged_upper);
      load(member, matrix, lower, staged_lower);
      member.team_barrier();
      store(member, matrix, upper, staged_lower);
      if (pair.row != pair.col) store(member, matrix, lower, staged_upper);
      member.team_barrier();
    }
  }

 private:
  template <class Member>
  KOKKOS_INLINE_FUNCTION void load(Member const& member, Matrix<T> const& matrix, tile::Block const& block,
                                   T* staged) const {
    tile::for_each_line<Device>(member, shape.edge, block.rows, block.cols,
                                [&](int i, int j) { staged[i * shape.ld + j] = matrix(block.row + i, block.col + j); });
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION void store(Member const& member, Matrix<T> const& matrix, tile::Block const& block,
                                    T const* staged) const {
    tile::for_each_line<Device>(member, shape.edge, block.rows, block.cols, [&](int i, int j) {
      T const value = staged[j * shape.ld + i];
      matrix(block.row + i, block.col + j) = batch.first.conjugates ? conjugate(value) : value;
    });
  }
};

}  // namespace pantile::impl::transpose
