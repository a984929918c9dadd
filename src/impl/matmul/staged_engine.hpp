// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How a warp multiplies two panels in scratch: by each thread's own multiply-adds, or by matrix instructions.
///
/// An engine says what of the warp's outputs a lane has (Sums), what of the panels it reads for one step (Fragments),
/// and how the one is added to the other. Panels are rows of k; a and b point to a step's first row, at the warp's
/// first output.

#include <pantile/element.hpp>
#include <pantile/impl/arch/matrix_multiply.hpp>
#include <pantile/impl/arch/staged_shape.hpp>
#include <pantile/impl/kokkos_ext/unroll.hpp>
#include <pantile/impl/matmul/staged_panel.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::matmul {

/// Fused multiply-adds: a thread has thread_m x thread_n outputs, in groups of 16 bytes along both edges.
template <class Compute, class Tile>
struct MultiplyAddEngine {
  static constexpr int depth = 1;  ///< k per step
  static constexpr int pack =
      sizeof(Compute) >= 16 ? 1 : 16 / static_cast<int>(sizeof(Compute));  ///< neighbouring outputs
  static constexpr int rows = Tile::shape.thread_m, cols = Tile::shape.thread_n, warp = Tile::shape.warp;
  static constexpr int lanes_down = Tile::shape.warp_m / rows, lanes_across = Tile::shape.warp_n / cols;
  static_assert(lanes_down * lanes_across == warp && rows % pack == 0 && cols % pack == 0);

  struct Sums {
    Compute value[rows][cols];
  };
  struct Fragments {
    Compute a[rows], b[cols];
  };

  /// \brief  Lanes in pairs of rows and twos of columns, so that each quarter of a warp reads few different places.
  ///         Source: Li Yinghan, YHs_Sample (cuda/gemm), "mma_tid".
  KOKKOS_INLINE_FUNCTION static int lane_row(int lane) { return lane / (2 * lanes_across) * 2 + lane % 2; }
  KOKKOS_INLINE_FUNCTION static int lane_col(int lane) { return lane / 2 % lanes_across; }
  /// Index of a thread's own row or column -> of the warp's.
  KOKKOS_INLINE_FUNCTION static int spread(int own, int lane, int lanes) {
    return own / pack * (lanes * pack) + lane * pack + own % pack;
  }

  KOKKOS_INLINE_FUNCTION static void clear(Sums& sums) {
    PANTILE_UNROLL
    for (int i = 0; i < rows; ++i) {
      PANTILE_UNROLL
      for (int j = 0; j < cols; ++j) sums.value[i][j] = Compute(0);
    }
  }

  template <int Count>
  KOKKOS_INLINE_FUNCTION static void read_edge(Compute (&to)[Count], Compute const* from, int lane, int lanes) {
    PANTILE_UNROLL
    for (int i = 0; i < Count; i += pack) {
      auto const whole = *reinterpret_cast<Pack<Compute, pack> const*>(from + spread(i, lane, lanes));
      PANTILE_UNROLL
      for (int v = 0; v < pack; ++v) to[i + v] = whole.value[v];
    }
  }

  KOKKOS_INLINE_FUNCTION static void read(Fragments& f, Compute const* a, [[maybe_unused]] int lda, Compute const* b,
                                          [[maybe_unused]] int ldb, int lane) {
    read_edge(f.a, a, lane_row(lane), lanes_down);
    read_edge(f.b, b, lane_col(lane), lanes_across);
  }

  KOKKOS_INLINE_FUNCTION static void multiply(Sums& sums, Fragments const& f) {
    PANTILE_UNROLL
    for (int i = 0; i < rows; ++i) {
      PANTILE_UNROLL
      for (int j = 0; j < cols; ++j) sums.value[i][j] = multiply_add(f.a[i], f.b[j], sums.value[i][j]);
    }
  }

  /// The same by a played warp: states have members sums and fragments.
  template <class State>
  static void multiply_played(State* states, int which) {
    for (int lane = 0; lane < warp; ++lane) multiply(states[lane].sums, states[lane].fragments[which]);
  }

  /// f(row, col, values) for every group of `pack` sums that are neighbours in a row of the warp's outputs.
  static constexpr int group = pack;
  template <class F>
  KOKKOS_INLINE_FUNCTION static void for_each_group(Sums const& sums, int lane, F const& f) {
    PANTILE_UNROLL
    for (int i = 0; i < rows; ++i) {
      PANTILE_UNROLL
      for (int j = 0; j < cols; j += pack) {
        f(spread(i, lane_row(lane), lanes_down), spread(j, lane_col(lane), lanes_across), &sums.value[i][j]);
      }
    }
  }
};

/// The matrix instruction for doubles: 16 x 8 outputs at a time.
template <class Compute, class Tile>
struct DoubleMatrixEngine {
  using Product = arch::DoubleProduct;
  static constexpr int depth = Product::k, warp = Tile::shape.warp;
  static constexpr int down = Tile::shape.warp_m / Product::m, across = Tile::shape.warp_n / Product::n;
  static_assert(warp == 32 && Tile::shape.warp_m % Product::m == 0 && Tile::shape.warp_n % Product::n == 0);

  struct Sums {
    double value[down][across][4];
  };
  struct Fragments {
    double a[down][2], b[across];
  };

  KOKKOS_INLINE_FUNCTION static void clear(Sums& sums) {
    PANTILE_UNROLL
    for (int i = 0; i < down; ++i) {
      PANTILE_UNROLL
      for (int j = 0; j < across; ++j) {
        PANTILE_UNROLL
        for (int v = 0; v < 4; ++v) sums.value[i][j][v] = 0;
      }
    }
  }

  KOKKOS_INLINE_FUNCTION static void read(Fragments& f, double const* a, int lda, double const* b, int ldb, int lane) {
    int const g = lane / 4, t = lane % 4;
    PANTILE_UNROLL
    for (int i = 0; i < down; ++i) {
      PANTILE_UNROLL
      for (int half = 0; half < 2; ++half) f.a[i][half] = a[t * lda + i * Product::m + half * 8 + g];
    }
    PANTILE_UNROLL
    for (int j = 0; j < across; ++j) f.b[j] = b[t * ldb + j * Product::n + g];
  }

  KOKKOS_INLINE_FUNCTION static void multiply(Sums& sums, Fragments const& f) {
    PANTILE_UNROLL
    for (int i = 0; i < down; ++i) {
      PANTILE_UNROLL
      for (int j = 0; j < across; ++j) Product::multiply(f.a[i], f.b[j], sums.value[i][j]);
    }
  }

  /// What the instruction does, by a played warp: from the lanes' places in its documentation.
  template <class State>
  static void multiply_played(State* states, int which) {
    for (int lane = 0; lane < warp; ++lane) {
      for (int v = 0; v < 4; ++v) {
        int const row = lane / 4 + v / 2 * 8, col = lane % 4 * 2 + v % 2;
        for (int i = 0; i < down; ++i) {
          for (int j = 0; j < across; ++j) {
            for (int k = 0; k < depth; ++k) {
              double const left = states[row % 8 * 4 + k].fragments[which].a[i][row / 8];
              double const right = states[col * 4 + k].fragments[which].b[j];
              states[lane].sums.value[i][j][v] += left * right;
            }
          }
        }
      }
    }
  }

  static constexpr int group = 2;
  template <class F>
  KOKKOS_INLINE_FUNCTION static void for_each_group(Sums const& sums, int lane, F const& f) {
    PANTILE_UNROLL
    for (int i = 0; i < down; ++i) {
      PANTILE_UNROLL
      for (int j = 0; j < across; ++j) {
        PANTILE_UNROLL
        for (int half = 0; half < 2; ++half) {
          f(i * Product::m + half * 8 + lane / 4, j * Product::n + lane % 4 * 2, &sums.value[i][j][2 * half]);
        }
      }
    }
  }
};

template <class Compute, class Tile, arch::ProductEngine = Tile::shape.engine>
struct StagedEngine {
  using type = MultiplyAddEngine<Compute, Tile>;
};
template <class Compute, class Tile>
struct StagedEngine<Compute, Tile, arch::ProductEngine::double_matrix> {
  using type = DoubleMatrixEngine<Compute, Tile>;
};

}  // namespace pantile::impl::matmul
