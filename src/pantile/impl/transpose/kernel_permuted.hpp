// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A dense rectangular matrix transposed in its own memory, by permutations within columns and within rows.
///        Source: B. Catanzaro, A. Keller, M. Garland, "A Decomposition for In-place Matrix Transposition", PPoPP 2014.

#include <pantile/element.hpp>
#include <pantile/impl/arch/host/tuning/movement.hpp>
#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/team.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <numeric>

namespace pantile::impl::transpose {

/// Where elements of a row-major matrix of rows x cols go, rows <= cols, in three steps: every column is rotated (where
/// rows and cols have a common divisor), every row is shuffled, every column is shuffled. The inverse steps in inverse
/// order make rows x cols of cols x rows.
struct Permutation {
  Index rows = 0, cols = 0;
  Index row_period = 1;  ///< rows over the greatest common divisor of rows and cols
  Index col_period = 1;  ///< cols over it
  bool inverse = false;

  static Permutation of(Index source_rows, Index source_cols) {
    Permutation p;
    p.inverse = source_rows > source_cols;
    p.rows = p.inverse ? source_cols : source_rows;
    p.cols = p.inverse ? source_rows : source_cols;
    Index const common = std::gcd(p.rows, p.cols);
    p.row_period = p.rows / common;
    p.col_period = p.cols / common;
    return p;
  }

  [[nodiscard]] bool rotates() const { return row_period != rows; }
};

/// The row that an element of a column comes from, for columns one after the other.
class ColumnWalk {
 public:
  KOKKOS_INLINE_FUNCTION ColumnWalk(Permutation const& p, bool rotation, Index row, Index col)
      : m_rows(p.rows),
        m_period(rotation ? p.col_period : 1),
        m_left(rotation ? p.col_period - col % p.col_period : 1) {
    m_row = rotation ? (row + col / p.col_period) % p.rows : (col + row * p.cols - row / p.row_period) % p.rows;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Index row() const { return m_row; }
  KOKKOS_INLINE_FUNCTION void next() {
    if (--m_left > 0) return;
    m_left = m_period;
    if (++m_row == m_rows) m_row = 0;
  }

 private:
  Index m_rows, m_period, m_left, m_row;
};

/// The column that an element of a row goes to, for elements one after the other.
class RowWalk {
 public:
  KOKKOS_INLINE_FUNCTION RowWalk(Permutation const& p, Index row, Index col)
      : m_rows(p.rows),
        m_cols(p.cols),
        m_period(p.col_period),
        m_left(p.col_period - col % p.col_period),
        m_shift((row + col / p.col_period) % p.rows),
        m_place(col * p.rows % p.cols) {}
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Index col() const {
    Index const place = m_shift + m_place;
    return place < m_cols ? place : place - m_cols;
  }
  KOKKOS_INLINE_FUNCTION void next() {
    m_place += m_rows;
    if (m_place >= m_cols) m_place -= m_cols;
    if (--m_left > 0) return;
    m_left = m_period;
    if (++m_shift == m_rows) m_shift = 0;
  }

 private:
  Index m_rows, m_cols, m_period, m_left, m_shift, m_place;
};

/// Team scratch for a line that changes order.
struct LineMemory {
  std::size_t scratch_bytes = 0;  ///< without the slack for alignment
  int scratch_level = 0;

  template <class T, class Member>
  KOKKOS_INLINE_FUNCTION T* get(Member const& member) const {
    return static_cast<T*>(tile::team_scratch(member, scratch_bytes, scratch_level));
  }
};

/// One step within columns, as many of them at a time as the plan has.
template <class T>
struct PermuteColumnsKernel {
  static constexpr arch::KernelTag tag{"untuned"};
  T* data;
  Permutation permutation;
  bool rotation;
  Index width;
  LineMemory memory;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    T* const held = memory.get<T>(member);
    Index const rows = permutation.rows, cols = permutation.cols;
    for (Index col = member.league_rank() * width; col < cols; col += member.league_size() * width) {
      Index const count = tile::smaller(width, cols - col);
      for (Index i = member.team_rank(); i < rows; i += member.team_size()) {
        for (Index j = 0; j < count; ++j) held[i * count + j] = data[i * cols + col + j];
      }
      member.team_barrier();
      for (Index i = member.team_rank(); i < rows; i += member.team_size()) {
        ColumnWalk walk(permutation, rotation, i, col);
        for (Index j = 0; j < count; ++j, walk.next()) {
          Index const to = permutation.inverse ? walk.row() : i, from = permutation.inverse ? i : walk.row();
          data[to * cols + col + j] = held[from * count + j];
        }
      }
      member.team_barrier();
    }
  }
};

/// The step within rows; conjugation goes along with it.
template <class T>
struct PermuteRowsKernel {
  static constexpr arch::KernelTag tag{"untuned"};
  T* data;
  Permutation permutation;
  bool conjugates;
  LineMemory memory;
  static constexpr Index piece = arch::host::permuted_piece;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    T* const held = memory.get<T>(member);
    Index const cols = permutation.cols;
    for (Index i = member.league_rank(); i < permutation.rows; i += member.league_size()) {
      T* const row = data + i * cols;
      for (Index begin = member.team_rank() * piece; begin < cols; begin += member.team_size() * piece) {
        Index const end = begin + tile::smaller(piece, cols - begin);
        RowWalk walk(permutation, i, begin);
        for (Index j = begin; j < end; ++j, walk.next()) {
          held[permutation.inverse ? j : walk.col()] = row[permutation.inverse ? walk.col() : j];
        }
      }
      member.team_barrier();
      for (Index j = member.team_rank(); j < cols; j += member.team_size()) {
        row[j] = conjugates ? conjugate(held[j]) : held[j];
      }
      member.team_barrier();
    }
  }
};

}  // namespace pantile::impl::transpose
