// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The order in which the threads of an operation take its tiles.

#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/tile_store.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pantile::impl::out_of_core {

/// Tile (i, j) of a matrix of rows x cols.
template <class Plan>
Part tile_at(Plan const& plan, std::int64_t rows, std::int64_t cols, std::int64_t i, std::int64_t j) {
  std::int64_t const row = i * plan.tile_rows, col = j * plan.tile_cols;
  return {row, col, std::min(plan.tile_rows, rows - row), std::min(plan.tile_cols, cols - col)};
}

/// The tile of that number, as a part of A.
inline Part tile_of(TransposePlan const& plan, StoreShape const& a, std::int64_t tile) {
  return tile_at(plan, a.rows, a.cols, tile / plan.col_tiles, tile % plan.col_tiles);
}

/// f(strip) for strips of a part, of so many of its rows or columns each.
template <class F>
void for_each_strip(Part const& part, bool of_rows, std::int64_t edge, F const& f) {
  Part const lines = of_rows ? part : part.transposed();
  for (std::int64_t begin = 0; begin < lines.rows; begin += edge) {
    Part const strip{lines.row + begin, lines.col, std::min(edge, lines.rows - begin), lines.cols};
    f(of_rows ? strip : strip.transposed());
  }
}

/// One step of k for one tile of C.
struct Step {
  std::int64_t tile = 0;
  Part c{};                           ///< the tile
  std::int64_t begin = 0, depth = 0;  ///< of k
  bool first = false, last = false;   ///< step of the tile
  Part a{}, b{};                      ///< the panels, as parts of op(A) and op(B): all of k of one that stays
  bool loads_a = false, loads_b = false;
  bool frees_a = false, frees_b = false;  ///< no later step has them
};

/// The tile of that number.
inline Part tile_of(MatmulPlan const& plan, std::int64_t tile) {
  std::int64_t const fast = plan.down_columns ? plan.row_tiles() : plan.col_tiles();
  std::int64_t i = tile / fast, j = tile % fast;
  if (plan.down_columns) std::swap(i, j);
  return tile_at(plan, plan.m, plan.n, i, j);
}

/// f(Step) for every step, in the order in which all threads take them.
template <class F>
void for_each_step(MatmulPlan const& plan, std::int64_t first_tile, F const& f) {
  std::int64_t const line = plan.down_columns ? plan.row_tiles() : plan.col_tiles();
  for (std::int64_t tile = first_tile; tile < plan.tiles(); ++tile) {
    Part const c = tile_of(plan, tile);
    bool const begins = tile == first_tile || tile % line == 0, ends = (tile + 1) % line == 0;
    for (std::int64_t s = 0; s < plan.steps(); ++s) {
      Step step{.tile = tile, .c = c, .begin = s * plan.depth};
      step.depth = std::min(plan.depth, plan.k - step.begin);
      step.first = s == 0;
      step.last = s + 1 == plan.steps();
      bool const all_of_a = plan.keeps_a, all_of_b = plan.keeps_b;
      step.a = {c.row, all_of_a ? 0 : step.begin, c.rows, all_of_a ? plan.k : step.depth};
      step.b = {all_of_b ? 0 : step.begin, c.col, all_of_b ? plan.k : step.depth, c.cols};
      step.loads_a = step.depth > 0 && (!all_of_a || (begins && step.first));
      step.loads_b = step.depth > 0 && (!all_of_b || (begins && step.first));
      step.frees_a = step.depth > 0 && (!all_of_a || (ends && step.last));
      step.frees_b = step.depth > 0 && (!all_of_b || (ends && step.last));
      f(step);
    }
  }
}

/// Of a tile of C, or a panel beside it.
template <class F>
void for_each_strip(MatmulPlan const& plan, Part const& part, F const& f) {
  for_each_strip(part, plan.strips_of_rows, plan.strip, f);
}

inline std::int64_t strips_of(MatmulPlan const& plan, Part const& tile) {
  return parts_of(plan.strips_of_rows ? tile.rows : tile.cols, plan.strip);
}

/// f(part) for the parts of a panel that are read at a time.
template <class F>
void for_each_part(MatmulPlan const& plan, Part const& panel, bool in_strips, F const& f) {
  if (!in_strips) return f(panel);
  for_each_strip(plan, panel, f);
}

/// A strip that is counted from its tile's first element.
constexpr Part inside(Part const& tile, Part const& strip) {
  return {tile.row + strip.row, tile.col + strip.col, strip.rows, strip.cols};
}

/// The matrices of a product; c_in is null where beta is zero.
struct MatmulStores {
  TileSource& a;
  TileSource& b;
  TileSource* c_in;
  TileSink& c;
  bool a_transposed, b_transposed;  ///< op(A) is its transposed
};

}  // namespace pantile::impl::out_of_core
