// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How the blocked matmul is done on a host: pure choices from numbers.

#include <pantile/impl/arch/host/gemm_kernels.hpp>
#include <pantile/impl/arch/host/narrow_kernels.hpp>
#include <pantile/impl/matmul/blocked_plan.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pantile::impl::matmul {

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
  if (!is_tiny(m, n, k, facts.real_products) || !facts.same_elements || !facts.c_unit_cols || facts.a_repeats) return false;
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

/// \brief  Products of a sum from which few rows by few columns, together no more than a register has lanes, are dot products.
///
/// Measured on an AMD EPYC Zen 5 with AVX-512 (one thread, GFLOP/s, as register tiles and as dot products): float 1 x 1 x
/// 1000000 2.2 and 13.9, 2 x 2 x 20000 7.6 and 11.1, 4 x 4 x 1000000 10.8 and 12.8; double 1 x 1 x 1000000 1.6 and 4.8, 2 x 2 x
/// 20000 7.6 and 8.4. More sums lose: double 4 x 4 x 1000000 11.1 and 8.8, 8 x 8 x 100000 85 and 23.
inline constexpr std::int64_t deep_dots = 4096;

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
  bool const few = n < 16 && (facts.b_unit_cols || k < deep_dots || m * n > facts.lanes);
  if (!facts.same_elements || !streams || rows > arch::ThinBlocks::rows || m < 1 || m > n || few || k < 32) return false;
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

/// \brief  Rows of tiles from which B is packed where its registers lie across cache lines, though it stays in a near cache:
///         such loads take twice the time.
///
/// Measured on an Intel Xeon with AVX-512 (two threads, GFLOP/s where it lies and packed; a panel has 8 rows): float 257
/// 253 and 275, 333 294 and 311, one element behind the alignment 256 253 and 287, 160 238 and 250; 96 x 512 x 512 264 and
/// 266, 96 x 333 x 333 290 and 261, 48 x 512 x 512 254 and 222.
inline constexpr int split_panels = 16;

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
  bool const little = plan.direct && !facts.a_repeats && work <= 16 * launch_work;
  // Not where work is little: packing would decide the blocks of k, and with them the bits.
  bool const splits = facts.b_splits && !little && m >= split_panels * facts.panel_rows;
  plan.pack_b = !facts.b_unit_cols || converts || (!few_rows && (splits || !b_near) && !narrow);
  bool const low = m <= 16 * facts.panel_rows;
  double const a_near = static_cast<double>(facts.reach.a);
  plan.pack_a = converts || facts.a_repeats || (facts.a_unit_cols ? n > 8 * facts.panel_cols && a_bytes > a_near
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
  auto const take_workspace = [&] {
    if (!plan.direct) choose_pieces(m, n, most_piece, most_piece, plan);
    std::int64_t const packed = arch::narrow_workspace_bytes(blocks, narrow.panel_rows, narrow.panel_cols, narrow.group);
    plan.workspace_bytes =
        tile::round_up<std::int64_t>(packed, 64) + (plan.direct ? 0 : piece_count(plan) * facts.element_bytes);
  };
  take_workspace();
  double const work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) / narrow.group;
  int const useful = useful_threads(work, facts, threads);
  plan.on_caller = useful == 1 && plan.workspace_bytes + 64 <= caller_workspace_bytes;
  if (!plan.on_caller) {
    choose_grid(m, n, facts, useful, plan);
    take_workspace();
  }
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
  plan.repeats_a = facts.a_repeats;
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
