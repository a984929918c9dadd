// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How a warp multiplies two panels in scratch: by each thread's own multiply-adds, or by matrix instructions. A
///        lane has Sums, and reads Fragments of the panels for a step, `depth` rows of k-packs.

#include <pantile/element.hpp>
#include <pantile/impl/arch/device_tile.hpp>
#include <pantile/impl/arch/matrix_multiply.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/matmul/device/load.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <Kokkos_Core.hpp>

namespace pantile::impl::matmul {

/// Fused multiply-adds: a thread has thread_m x thread_n outputs, in groups of 16 bytes along both edges.
template <class Compute, class Tile>
struct MultiplyAddEngine {
  using KPackA = Compute;
  using KPackB = Compute;
  static constexpr int depth = 1;  ///< rows of k-packs per step
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

  /// \param  row, col  the warp's first output in the panels
  template <class LayoutA, class LayoutB>
  KOKKOS_INLINE_FUNCTION static void read(Fragments& f, Compute const* a, Compute const* b, int step, int row, int col,
                                          int lane) {
    read_edge(f.a, a + LayoutA::place(step, row), lane_row(lane), lanes_down);
    read_edge(f.b, b + LayoutB::place(step, col), lane_col(lane), lanes_across);
  }

  template <int Count>
  KOKKOS_INLINE_FUNCTION static void conjugate_all(Compute (&fragment)[Count]) {
    PANTILE_UNROLL
    for (Compute& value : fragment) value = conjugate(value);
  }

  KOKKOS_INLINE_FUNCTION static void multiply(Sums& sums, Fragments const& f) {
    PANTILE_UNROLL
    for (int i = 0; i < rows; ++i) {
      PANTILE_UNROLL
      for (int j = 0; j < cols; ++j) sums.value[i][j] = multiply_add(f.a[i], f.b[j], sums.value[i][j]);
    }
  }

  /// A lane's sums are `runs` times `neighbours` beside each other in a row, from place() on; the same run of `joining`
  /// neighbouring lanes is one too.
  static constexpr int neighbours = pack, runs_across = cols / pack, runs = rows * runs_across, joining = 1;
  KOKKOS_INLINE_FUNCTION static arch::Place place(int lane, int run) {
    return {spread(run / runs_across, lane_row(lane), lanes_down),
            spread(run % runs_across * pack, lane_col(lane), lanes_across)};
  }
  KOKKOS_INLINE_FUNCTION static void values(Sums const& sums, int run, Compute (&to)[neighbours]) {
    PANTILE_UNROLL
    for (int v = 0; v < neighbours; ++v) to[v] = sums.value[run / runs_across][run % runs_across * pack + v];
  }
};

/// A machine's matrix instruction.
template <arch::MatrixInstruction Product, class Tile>
struct MatrixEngine {
  using KPackA = typename Product::KPackA;
  using KPackB = typename Product::KPackB;
  using Sum = typename Product::Sum;
  static constexpr int depth = Product::depth, warp = Product::warp;
  static constexpr int down = Tile::shape.warp_m / Product::m, across = Tile::shape.warp_n / Product::n;
  static_assert(Tile::shape.warp == warp && Tile::shape.warp_m % Product::m == 0 &&
                Tile::shape.warp_n % Product::n == 0);
  static_assert(Tile::shape.k_pack_bytes == sizeof(KPackA) && Tile::shape.k_pack_rows() % depth == 0);
  /// Small matrices beside each other take rows, or columns, alternately: a lane's k-packs of them are neighbours in
  /// scratch.
  static constexpr int interleave_a = tile::smaller(Product::interleave, down),
                       interleave_b = tile::smaller(Product::interleave, across);
  static_assert(down % interleave_a == 0 && across % interleave_b == 0);

  struct Sums {
    Sum value[down][across][Product::sums];
  };
  struct Fragments {
    typename Product::OperandA a[down][Product::a_k_packs];
    typename Product::OperandB b[across][Product::b_k_packs];
  };

  KOKKOS_INLINE_FUNCTION static void clear(Sums& sums) {
    PANTILE_UNROLL
    for (int i = 0; i < down; ++i) {
      PANTILE_UNROLL
      for (int j = 0; j < across; ++j) {
        PANTILE_UNROLL
        for (int v = 0; v < Product::sums; ++v) sums.value[i][j][v] = Sum(0);
      }
    }
  }

  template <class LayoutA, class LayoutB>
  KOKKOS_INLINE_FUNCTION static void read(Fragments& f, KPackA const* a, KPackB const* b, int step, int row, int col,
                                          int lane) {
    PANTILE_UNROLL
    for (int x = 0; x < Product::a_k_packs; x += Product::a_neighbours) {
      arch::Place const at = Product::a_place(lane, x);
      read_edge<interleave_a, Product::a_neighbours>(
          f.a, x, a + LayoutA::place(step * depth + at.col, row + at.row * interleave_a), interleave_a * Product::m);
    }
    PANTILE_UNROLL
    for (int x = 0; x < Product::b_k_packs; ++x) {
      arch::Place const at = Product::b_place(lane, x);
      read_edge<interleave_b, 1>(f.b, x, b + LayoutB::place(step * depth + at.row, col + at.col * interleave_b),
                                 interleave_b * Product::n);
    }
  }

  template <class Operand, int Count, int KPacks>
  KOKKOS_INLINE_FUNCTION static void conjugate_all(Operand (&fragments)[Count][KPacks]) {
    PANTILE_UNROLL
    for (auto& fragment : fragments) {
      PANTILE_UNROLL
      for (Operand& value : fragment) value = conjugate(value);
    }
  }

  KOKKOS_INLINE_FUNCTION static void multiply(Sums& sums, Fragments const& f) {
    PANTILE_UNROLL
    for (int i = 0; i < down; ++i) {
      PANTILE_UNROLL
      for (int j = 0; j < across; ++j) Product::multiply(f.a[i], f.b[j], sums.value[i][j]);
    }
  }

  /// Runs go across first, then through a lane's rows of a small matrix, then down.
  static constexpr int neighbours = Product::neighbours * interleave_b, runs_across = across / interleave_b;
  static constexpr int runs_of_product = Product::sums / Product::neighbours,
                       runs = down * runs_of_product * runs_across;
  static constexpr int joining = Product::joining;
  KOKKOS_INLINE_FUNCTION static arch::Place place(int lane, int run) {
    int const i = run / runs_across / runs_of_product, v = run / runs_across % runs_of_product * Product::neighbours;
    arch::Place const at = Product::sum_place(lane, v);
    return {i / interleave_a * interleave_a * Product::m + at.row * interleave_a + i % interleave_a,
            run % runs_across * interleave_b * Product::n + at.col * interleave_b};
  }
  KOKKOS_INLINE_FUNCTION static void values(Sums const& sums, int run, Sum (&to)[neighbours]) {
    int const i = run / runs_across / runs_of_product, v = run / runs_across % runs_of_product * Product::neighbours;
    PANTILE_UNROLL
    for (int w = 0; w < neighbours; ++w) {
      to[w] = sums.value[i][run % runs_across * interleave_b + w % interleave_b][v + w / interleave_b];
    }
  }

 private:
  /// K-packs x and on of all fragments of an edge, those of Interleave fragments at once.
  template <int Interleave, int Neighbours, class Operand, int Count, int KPacks, class KPack>
  KOKKOS_INLINE_FUNCTION static void read_edge(Operand (&to)[Count][KPacks], int x, KPack const* from, int next) {
    PANTILE_UNROLL
    for (int i = 0; i < Count; i += Interleave, from += next) {
      auto const together = *reinterpret_cast<Pack<KPack, Interleave * Neighbours> const*>(from);
      PANTILE_UNROLL
      for (int w = 0; w < Interleave * Neighbours; ++w)
        to[i + w % Interleave][x + w / Interleave] = Product::prepare(together.value[w]);
    }
  }
};

/// A warp's products of a step, by all of its lanes together: states have members sums and fragments.
template <class Engine, int Which>
struct WarpMultiply {
  template <class State>
  KOKKOS_INLINE_FUNCTION void operator()(int, State& state) const {
    Engine::multiply(state.sums, state.fragments[Which]);
  }
};

/// The engine of a tile: its matrix instruction, where it has one.
template <class Compute, class Tile>
struct EngineOf {
  using type = MultiplyAddEngine<Compute, Tile>;
};
template <class Compute, class Tile>
  requires(Tile::shape.engine != arch::ProductEngine::multiply_add)
struct EngineOf<Compute, Tile> {
  using type = MatrixEngine<typename Tile::Product, Tile>;
};

}  // namespace pantile::impl::matmul
