// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the choice of a blocked matmul on hosts depends on and what it gives; how C is cut into parts for threads and
///        into pieces for sums that wait in workspace.

#include <pantile/impl/arch/host/gemm_kernels.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::matmul {

using arch::GemmBlocks;

/// Kernels for elements narrower than the numbers they are summed in.
struct NarrowFacts {
  int group = 0;  ///< elements in a packed word; 0: no such kernels
  int panel_rows = 1, panel_cols = 1;
  GemmBlocks blocks{1, 1, 1};
  bool sums_in_c = false;  ///< C is of the sums' type
};

/// What the choice depends on beside m, n and k.
struct BlockedFacts {
  bool available = false;    ///< there are kernels for the type that sums are formed in
  int panel_rows = 1;        ///< of the register tile, in elements
  int panel_cols = 1;
  int lanes = 1;             ///< of a register, in elements
  int element_bytes = 8;     ///< of the type that sums are formed in
  int real_products = 1;     ///< multiplications per product: 4 for complex elements
  GemmBlocks blocks{1, 1, 1};  ///< for real elements
  arch::GemmReach reach{320 * 1024, 32 * 1024, 1 << 30, 10'000'000};
  bool a_unit_rows = false, a_unit_cols = false;  ///< A's rows, columns follow each other in memory
  bool a_repeats = false;  ///< A's columns are one and the same: a stride of zero, which the kernels take packed only
  bool b_unit_rows = false, b_unit_cols = false;
  bool c_unit_cols = false;
  std::int64_t b_row_stride = 0;  ///< in elements
  bool b_splits = false;  ///< rows of B begin within registers, so that loads from it are split between cache lines
  bool same_elements = false;  ///< no operand needs conversion
  NarrowFacts narrow{};        ///< of the kernels for A's and B's narrow elements, if there are such
};

/// How it is done. The sums of an element depend on method, edge_cols and blocks.kc, which follow from m, n and k: same
/// bits however many threads.
struct BlockedPlan {
  bool on_caller = false;  ///< on the calling thread, without a launch
  arch::GemmMethod method = arch::GemmMethod::tiles;
  bool exchange = false;  ///< compute C^T = B^T A^T: few columns become few rows
  bool pack_a = false, pack_b = false;
  bool far = false;  ///< A, and B where it is not packed, come from beyond the second-level cache; A is not packed
  int edge_cols = 0;  ///< columns at the right edge that are computed in dot products
  bool direct = false;  ///< the kernels work on the operands themselves
  bool beside = false;  ///< A and B where they lie, but the sums in workspace: C's columns are not contiguous
  std::int64_t piece_rows = 0, piece_cols = 0;  ///< not direct: of C, whose sums wait in workspace, rows piece_stride apart
  std::int64_t piece_stride = 0;
  bool narrow = false;  ///< kernels for narrow elements; direct: their sums are formed in C
  GemmBlocks blocks{1, 1, 1};
  int grid_rows = 1, grid_cols = 1;  ///< parts of C, each one's work is a team's
  int panel_rows = 1, panel_cols = 1;  ///< parts are whole multiples of these, but for the last ones
  std::int64_t workspace_bytes = 0;  ///< of a part
  char const* reason = "";

  bool repeats_a = false;  ///< A's columns are one and the same: it must be packed

  [[nodiscard]] constexpr int parts() const { return grid_rows * grid_cols; }
};

/// Workspace for parts that convert their operands: a piece of C in sums, and pieces of A and B in compute type.
struct ConvertedBlocks {
  static constexpr std::int64_t rows = 192, cols = 256, depth = 672;
};

/// \brief  Largest piece of C in sums where A and B are taken as they lie: they are packed again for each piece.
///
/// Measured on an AMD EPYC Zen 5 (one thread, double, over contiguous operands in the same run; in three runs A and B copied
/// too, pieces of 192 x 256, and these): C alone spaced, 512: 0.68, 0.81, 0.96; all three spaced, 1024: 0.40, 0.67, 0.93.
inline constexpr std::int64_t most_piece = 1024;

/// Workspace on the stack of the calling thread.
inline constexpr std::int64_t caller_workspace_bytes = 48 * 1024;

/// Workspace on a thread's stack where no other memory is to be had: as much as few rows or columns take.
inline constexpr std::int64_t most_stack_bytes = 324 * 1024;

/// Real products below which a launch costs more than it saves: about 10 microseconds of one core, several launches'
/// worth (OpenMP's takes 1 to 3 on two cores).
inline constexpr double launch_work = 128 * 1024;

/// \brief  The same for wide registers: products in each of their lanes.
///
/// Measured on an AMD EPYC Zen 5 with AVX-512 (two threads, over one): float 64 0.73, 65 0.49, 96 1.37; double 64 1.57.
inline constexpr double launch_work_per_lane = 16 * 1024;

/// \brief  Bytes of operands that stay in a second-level cache, and in the core's part of a third-level one.
///
/// Long rows of B that are in the latter are few enough streams for the hardware's prefetch. Measured on an AMD EPYC Zen 3
/// (one thread, double, a share of BLIS in the same run, without prefetch by hand and with it): 10 x 1000 x 1000 (8 MB) 0.95
/// and 0.85, 12 x 20000 x 30 (7 MB) 0.97 and 0.89, 12 x 10000 x 300 (24 MB) 0.50 and 1.01, 12 x 50000 x 200 0.48 and 0.98.
/// On an AMD EPYC Zen 5 with AVX-512 (GFLOP/s): 10 x 1000 x 1000 100 and 72, but with few rows of B 16 x 65536 x 16 (8 MB) 53
/// and 67 (two threads 87 and 111), 24 x 30000 x 16 (4 MB) 68 and 84, 12 x 20000 x 30 85 and 86, 16 x 20000 x 8 66 and 61.
inline constexpr double near_bytes = 512 * 1024, last_bytes = 10e6;
inline constexpr std::int64_t shallow_depth_least = 12, shallow_depth_most = 24;

/// Threads that a product of so many real products has work for.
constexpr int useful_threads(double work, BlockedFacts const& facts, int threads) {
  double const lanes = static_cast<double>(facts.lanes) * (facts.real_products == 1 ? 1 : 2);
  return static_cast<int>(
      std::clamp(work / std::max(launch_work, lanes * launch_work_per_lane), 1.0, static_cast<double>(threads)));
}

constexpr std::int64_t part_begin(std::int64_t extent, std::int64_t unit, int part, int parts) {
  std::int64_t const units = tile::ceil_div(extent, unit);
  return std::min(extent, units * part / parts * unit);
}

/// Cut C into at most `threads` parts of whole register tiles: the largest part smallest, then the least to pack.
constexpr void choose_grid(std::int64_t m, std::int64_t n, BlockedFacts const& facts, int threads, BlockedPlan& plan) {
  std::int64_t const down = tile::ceil_div<std::int64_t>(m, facts.panel_rows);
  std::int64_t const across = std::max<std::int64_t>(1, tile::ceil_div<std::int64_t>(n, facts.panel_cols));
  double best_tiles = 0, best_edges = 0;  // products of extents that may not fit 64 bits
  for (int rows = 1; rows <= threads && rows <= down; ++rows) {
    int const cols = static_cast<int>(std::min<std::int64_t>(threads / rows, across));
    std::int64_t const high = tile::ceil_div<std::int64_t>(down, rows), wide = tile::ceil_div<std::int64_t>(across, cols);
    double const tiles = static_cast<double>(high) * static_cast<double>(wide);
    double const edges = static_cast<double>(high) * facts.panel_rows + static_cast<double>(wide) * facts.panel_cols;
    if (best_tiles == 0 || tiles < best_tiles || (tiles == best_tiles && edges < best_edges)) {
      best_tiles = tiles;
      best_edges = edges;
      plan.grid_rows = rows;
      plan.grid_cols = cols;
    }
  }
}

/// Cut each part of C into pieces of at most these extents. Rows of sums are no multiple of 1 KB apart.
constexpr void choose_pieces(std::int64_t m, std::int64_t n, std::int64_t rows, std::int64_t cols, BlockedPlan& plan) {
  auto const largest_part = [](std::int64_t extent, std::int64_t unit, std::int64_t parts) {
    return std::min(extent, tile::ceil_div(tile::ceil_div(extent, unit), parts) * unit);
  };
  plan.piece_rows = std::clamp<std::int64_t>(largest_part(m, plan.panel_rows, plan.grid_rows), 1, rows);
  plan.piece_cols = std::clamp<std::int64_t>(largest_part(n, plan.panel_cols, plan.grid_cols), 1, cols);
  plan.piece_stride = tile::round_up<std::int64_t>(plan.piece_cols, 16) + 16;
  if (plan.piece_stride % 256 == 0) plan.piece_stride += 16;
}

/// Sums of a piece, in whole cache lines.
constexpr std::int64_t piece_count(BlockedPlan const& plan) { return plan.piece_rows * plan.piece_stride; }

/// Bytes of workspace of a part of the chosen size.
constexpr std::int64_t tiles_workspace_bytes(BlockedFacts const& facts, BlockedPlan const& plan) {
  std::int64_t const packed = arch::gemm_workspace_bytes(plan.blocks, facts.panel_rows, facts.panel_cols,
                                                         facts.element_bytes, plan.pack_a, plan.pack_b);
  using C = ConvertedBlocks;
  std::int64_t const sums = piece_count(plan), pieces = C::rows * C::depth + C::depth * C::cols;
  std::int64_t const more = plan.direct ? 0 : plan.beside ? sums : sums + pieces;
  return tile::round_up<std::int64_t>(packed, 64) + more * facts.element_bytes;
}

/// \brief  The same sums in no more than most_stack_bytes: smaller blocks of C, the same blocks of k. False where more
///         than packed operands waits in workspace.
constexpr bool shrink_workspace(std::int64_t element_bytes, BlockedPlan& plan) {
  if (plan.workspace_bytes <= most_stack_bytes) return true;
  if (!plan.direct || plan.narrow) return false;
  plan.pack_a = plan.repeats_a;
  plan.blocks.mc = std::min<std::int64_t>(plan.blocks.mc, plan.panel_rows);
  auto const bytes = [&] {
    return arch::gemm_workspace_bytes(plan.blocks, plan.panel_rows, plan.panel_cols, static_cast<int>(element_bytes),
                                      plan.pack_a, plan.pack_b);
  };
  while (bytes() > most_stack_bytes && plan.blocks.nc > plan.panel_cols) {
    plan.blocks.nc = std::max<std::int64_t>(plan.panel_cols, plan.blocks.nc / 2 / plan.panel_cols * plan.panel_cols);
  }
  plan.workspace_bytes = bytes();
  return plan.workspace_bytes <= most_stack_bytes;
}

}  // namespace pantile::impl::matmul
