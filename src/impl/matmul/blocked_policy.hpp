// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How the blocked matmul is done on a host: pure choices from numbers.

#include <pantile/impl/arch/host/gemm_kernels.hpp>
#include <pantile/impl/arch/host/narrow_kernels.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

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
  bool b_unit_rows = false, b_unit_cols = false;
  bool c_unit_cols = false;
  std::int64_t b_row_stride = 0;  ///< in elements
  bool same_elements = false;  ///< no operand needs conversion
  NarrowFacts narrow{};        ///< of the kernels for A's and B's narrow elements, if there are such
};

/// How it is done. The sums of an element depend on blocks.kc only, which follows from k: same bits however many threads.
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

/// Cut C into pieces of at most these extents. Rows of sums are not a multiple of 4 KB apart.
constexpr void choose_pieces(std::int64_t m, std::int64_t n, std::int64_t rows, std::int64_t cols, BlockedPlan& plan) {
  plan.piece_rows = std::clamp<std::int64_t>(m, 1, rows);
  plan.piece_cols = std::clamp<std::int64_t>(n, 1, cols);
  plan.piece_stride = tile::round_up<std::int64_t>(plan.piece_cols, 16) + 16;
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

/// Extents of products that are so little work that choosing counts: always, and at most.
inline constexpr std::int64_t tiny_edge = 16, most_tiny_edge = 48;

/// Columns from which such a product looks at the last of them by themselves: below, asking costs what it could bring.
inline constexpr std::int64_t tiny_edge_cols = 32;

/// Such a product, by its extents. Above tiny_edge few rows or columns have a method of their own.
constexpr bool is_tiny(std::int64_t m, std::int64_t n, std::int64_t k, int real_products) {
  std::int64_t const largest = std::max({m, n, k});
  if (largest <= tiny_edge) return true;
  return largest <= most_tiny_edge && std::min(m, n) > 2 && static_cast<double>(m * n * k * real_products) <= launch_work;
}

/// \brief  Few columns over a whole number of registers: dot products of A's rows, where they are fewer operations than the
///         products of registers that are mostly empty.
///
/// Measured on an AMD EPYC Zen 5 with AVX-512 (one thread, squares, GFLOP/s). Without, and with dot products whose lanes were
/// added up one after the other: float 65: 169 and 176, 129: 199 and 212; double 65: 95 and 97. With those, and as they are
/// (eight columns at a time, lanes added up in halves): float 49: 155 and 179, 65: 178 and 195, 66: 180 and 194, 98: 194 and
/// 208; double 65: 101 and 101.
constexpr void plan_edge(std::int64_t m, std::int64_t n, std::int64_t k, BlockedFacts const& facts, BlockedPlan& plan) {
  std::int64_t const left = n % facts.lanes;
  if (!plan.direct || plan.pack_a || !facts.a_unit_cols || facts.lanes < 4 || left == 0) return;
  if (n < facts.lanes || n > 28 * std::int64_t{facts.lanes} || m < 8) return;
  int const parts = facts.real_products == 1 ? 1 : 2;
  // Cycles for a row of A, about: each dot product ends with its lanes added up, and the method has to be prepared.
  std::int64_t const registers = tile::ceil_div<std::int64_t>(parts * k, facts.lanes * parts);
  std::int64_t const dots = 2 * registers + left * parts * (registers / 2 + 5) + 3, tile = parts * k / 2;
  std::int64_t const bytes = arch::ThinBlocks::workspace_bytes(left, m, k, parts, facts.element_bytes / parts);
  if (dots > tile || left * parts > arch::ThinBlocks::rows || bytes + 64 > caller_workspace_bytes) return;
  plan.edge_cols = static_cast<int>(left);
  plan.workspace_bytes = bytes;
}

/// A and B read where they lie, on the calling thread; B packed where the kernels cannot read it.
constexpr bool plan_tiny(std::int64_t m, std::int64_t n, std::int64_t k, BlockedFacts const& facts, BlockedPlan& plan) {
  if (!is_tiny(m, n, k, facts.real_products) || !facts.same_elements || !facts.c_unit_cols) return false;
  plan.direct = true;
  plan.on_caller = true;
  plan.pack_b = !facts.b_unit_cols;
  plan.blocks = {most_tiny_edge, most_tiny_edge, most_tiny_edge};
  if (n > tiny_edge_cols) plan_edge(m, n, k, facts, plan);
  plan.reason = plan.pack_b ? "little work: on the calling thread, B packed on its stack"
                            : "little work: on the calling thread, nothing packed";
  return true;
}

/// The same problem seen as C^T = B^T A^T.
constexpr BlockedFacts exchanged(BlockedFacts facts) {
  std::swap(facts.a_unit_rows, facts.b_unit_cols);
  std::swap(facts.a_unit_cols, facts.b_unit_rows);
  return facts;
}

/// \brief  Few rows (or columns, exchanged): B is read once where it lies. False if this is not such a problem.
///
/// For one or two rows always, since register tiles of so few sums wait for each other; for up to eight where B does not
/// stay in a second-level cache.
constexpr bool plan_thin(std::int64_t m, std::int64_t n, std::int64_t k, BlockedFacts const& facts, int threads,
                         BlockedPlan& plan) {
  int const parts = facts.real_products == 1 ? 1 : 2;
  std::int64_t const rows = m * parts;
  bool const streams = facts.b_unit_cols || facts.b_unit_rows;
  double const b_bytes = static_cast<double>(k) * static_cast<double>(n) * facts.element_bytes;
  if (!facts.same_elements || !streams || rows > arch::ThinBlocks::rows || m < 1 || m > n || n < 16 || k < 32) return false;
  if (rows > 2 && b_bytes < 256.0 * 1024) return false;
  plan.direct = true;
  plan.method = facts.b_unit_cols ? arch::GemmMethod::rows : arch::GemmMethod::dots;
  plan.reason = facts.b_unit_cols ? "few rows or columns: the large operand is streamed once, along its rows"
                                  : "few rows or columns: the large operand is streamed once, in dot products";
  plan.workspace_bytes = arch::ThinBlocks::workspace_bytes(m, n, k, parts, facts.element_bytes / parts);
  double const useful = std::min(b_bytes / (128 * 1024), static_cast<double>(n) / (4 * facts.panel_cols));
  plan.grid_cols = static_cast<int>(std::clamp(useful, 1.0, static_cast<double>(threads)));
  plan.on_caller = plan.grid_cols == 1 && plan.workspace_bytes + 64 <= caller_workspace_bytes;
  return true;
}

/// Register tiles over packed or unpacked operands.
///
/// Packing pays where an operand is read often and does not stay in a near cache as it lies. Measured on an AMD EPYC
/// Zen 3 core (double, GFLOP/s; neither, B, both packed): n = 64: 46, 42, 40; 128: 40, 46, 43; 256: 36, 45, 46.
inline void plan_tiles(std::int64_t m, std::int64_t n, std::int64_t k, BlockedFacts const& facts, int threads,
                       BlockedPlan& plan) {
  plan.direct = facts.same_elements && facts.c_unit_cols;
  plan.beside = facts.same_elements && !facts.c_unit_cols;
  bool const converts = !facts.same_elements;
  plan.blocks = facts.blocks;
  double const rows = static_cast<double>(m), cols = static_cast<double>(n), depth = static_cast<double>(k);
  double const work = rows * cols * depth * facts.real_products;
  double const a_bytes = rows * depth * facts.element_bytes, b_bytes = cols * depth * facts.element_bytes;
  bool const narrow = n <= 2 * facts.panel_cols && facts.b_row_stride <= 4 * facts.panel_cols;
  bool const shallow = k >= shallow_depth_least && k <= shallow_depth_most;
  double const far_bytes = shallow ? static_cast<double>(facts.reach.b_shallow) : last_bytes;
  bool const wide = n > 16 * facts.panel_cols, streams = wide && b_bytes > far_bytes;
  // Reading B where it lies costs little for so few rows of tiles, and most of a packed copy's time is making it.
  bool const few_rows = m <= (streams || narrow ? 4 : 2) * facts.panel_rows;
  bool const b_near = b_bytes <= static_cast<double>(facts.reach.b) &&
                      static_cast<double>(facts.b_row_stride) * facts.element_bytes < static_cast<double>(facts.reach.b_stride);
  plan.pack_b = !facts.b_unit_cols || converts || (!few_rows && !b_near && !narrow);
  bool const low = m <= 16 * facts.panel_rows;
  double const a_near = static_cast<double>(facts.reach.a);
  plan.pack_a = converts || (facts.a_unit_cols ? n > 8 * facts.panel_cols && a_bytes > a_near
                                                   : n > 2 * facts.panel_cols && a_bytes > 32 * 1024);
  bool const long_rows = facts.a_unit_cols && k >= 32 && n <= 8 * facts.panel_cols && a_bytes > near_bytes;
  plan.far = plan.direct && !plan.pack_a && (long_rows || (streams && !plan.pack_b));
  // What goes by once gains nothing from short blocks; few columns of B stay in a first-level cache.
  bool const once = plan.far && few_rows && !plan.pack_b;
  if (narrow && !plan.pack_a) plan.blocks.kc = (once ? 4 : 1) * arch::gemm_chain;
  // Few columns: rows of A go by once for all of them, while they are in the first-level cache.
  if (narrow && !plan.pack_a && n > facts.panel_cols) plan.blocks.mc = 2 * std::int64_t{facts.panel_rows};
  // Few rows: a block of B is soon done with, so it should not leave the second-level cache in between.
  if (plan.pack_b && low) plan.blocks.nc = std::max<std::int64_t>(facts.panel_cols, plan.blocks.nc / 8);
  int const useful = useful_threads(work, facts, threads);
  bool const little = plan.direct && work <= 16 * launch_work;
  // A panel of B fits the calling thread's stack, whether or not other threads take part: blocks of k decide the bits.
  if (little && plan.pack_b) {
    plan.blocks.kc = std::min(plan.blocks.kc, (caller_workspace_bytes - 64) / (facts.panel_cols * facts.element_bytes));
  }
  plan_edge(m, n, k, facts, plan);
  if (little && (useful == 1 || threads == 1)) {
    plan.on_caller = true;
    plan.pack_a = false;
    if (plan.pack_b) {
      std::int64_t const row_bytes = std::clamp<std::int64_t>(k, 1, plan.blocks.kc) * facts.element_bytes;
      std::int64_t const fit = (caller_workspace_bytes - 64) / row_bytes / facts.panel_cols * facts.panel_cols;
      plan.blocks.nc = std::clamp<std::int64_t>(fit, facts.panel_cols, plan.blocks.nc);
    }
    plan.reason = plan.pack_b ? "little work: on the calling thread, B packed on its stack"
                              : "little work: on the calling thread, nothing packed";
  } else {
    choose_grid(m, n, facts, useful, plan);
    plan.reason = converts       ? "blocks for every cache, operands converted on the way"
                  : plan.beside ? "blocks for every cache, sums formed beside C, whose neighbours are apart"
                  : plan.pack_a ? "blocks for every cache, A and B packed"
                  : plan.pack_b ? "blocks for every cache, B packed, A read where it lies"
                  : plan.far    ? "A and B go by once, read where they lie, with prefetch"
                                : "A and B read where they lie: too little reuse to pack for";
  }
  GemmBlocks& blocks = plan.blocks;
  if (plan.beside) {
    choose_pieces(m, n, most_piece, most_piece, plan);
  } else if (converts) {
    choose_pieces(m, n, ConvertedBlocks::rows, ConvertedBlocks::cols, plan);
  }
  if (!converts) {
    blocks = {std::min(blocks.mc, std::max<std::int64_t>(m, 1)), std::min(blocks.kc, std::max<std::int64_t>(k, 1)),
              std::min(blocks.nc, std::max<std::int64_t>(n, 1))};
  }
  if (!plan.on_caller) plan.workspace_bytes = std::max(plan.workspace_bytes, tiles_workspace_bytes(facts, plan));
}

/// Narrow elements: register tiles over words of them, into which both operands are packed.
inline void plan_narrow(std::int64_t m, std::int64_t n, std::int64_t k, BlockedFacts facts, int threads, BlockedPlan& plan) {
  NarrowFacts const& narrow = facts.narrow;
  facts.panel_rows = plan.panel_rows = narrow.panel_rows;
  facts.panel_cols = plan.panel_cols = narrow.panel_cols;
  plan.narrow = plan.pack_a = plan.pack_b = true;
  plan.direct = narrow.sums_in_c && facts.c_unit_cols;
  GemmBlocks& blocks = plan.blocks;
  blocks = narrow.blocks;
  blocks = {std::min(blocks.mc, std::max<std::int64_t>(m, 1)), std::min(blocks.kc, std::max<std::int64_t>(k, 1)),
            std::min(blocks.nc, std::max<std::int64_t>(n, 1))};
  if (!plan.direct) choose_pieces(m, n, most_piece, most_piece, plan);
  plan.workspace_bytes =
      tile::round_up<std::int64_t>(
          arch::narrow_workspace_bytes(blocks, narrow.panel_rows, narrow.panel_cols, narrow.group), 64) +
      (plan.direct ? 0 : piece_count(plan) * facts.element_bytes);
  double const work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) / narrow.group;
  int const useful = useful_threads(work, facts, threads);
  plan.on_caller = useful == 1 && plan.workspace_bytes + 64 <= caller_workspace_bytes;
  if (!plan.on_caller) choose_grid(m, n, facts, useful, plan);
  plan.reason = plan.on_caller ? "little work: on the calling thread, narrow elements packed on its stack"
                : narrow.group > 1 ? "blocks for every cache, narrow elements packed in groups for products of groups"
                                   : "blocks for every cache, narrow elements converted while they are packed";
}

/// \brief  The host's plan for C (m x n) = A (m x k) B (k x n), C fast along its rows.
/// \param  threads  that may work at once
inline BlockedPlan plan_blocked(std::int64_t m, std::int64_t n, std::int64_t k, BlockedFacts const& facts, int threads) {
  BlockedPlan plan;
  plan.panel_rows = facts.panel_rows;
  plan.panel_cols = facts.panel_cols;
  if (facts.narrow.group > 0) {
    plan_narrow(m, n, k, facts, threads, plan);
    return plan;
  }
  if (plan_tiny(m, n, k, facts, plan) || plan_thin(m, n, k, facts, threads, plan)) return plan;
  if (plan_thin(n, m, k, exchanged(facts), threads, plan)) {
    plan.exchange = true;
    return plan;
  }
  plan_tiles(m, n, k, facts, threads, plan);
  return plan;
}

}  // namespace pantile::impl::matmul
