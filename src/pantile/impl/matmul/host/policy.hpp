// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The choice of how a host computes a product: pure functions from numbers. What the numbers were measured on
///        stands in perf_tests/notes/matmul.md.

#include <pantile/impl/arch/host/tuning.hpp>
#include <pantile/impl/matmul/host/plan.hpp>
#include <pantile/impl/matmul/host/sharing.hpp>
#include <pantile/impl/matmul/host/streaming.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pantile::impl::matmul {

/// Such a product, by its extents. Above tiny_edge few rows or columns have a method of their own.
constexpr bool is_tiny(std::int64_t m, std::int64_t n, std::int64_t k, int real_products) {
  std::int64_t const largest = std::max(m, std::max(n, k));
  if (largest <= arch::host::tiny_edge) return true;
  return largest <= arch::host::most_tiny_edge && std::min(m, n) > 2 &&
         static_cast<double>(m * n * k * real_products) <= arch::host::launch_products;
}

/// Is such a product computed as C^T = B^T A^T? One of C's strides is 1; a single row or column is taken along it.
constexpr bool exchanges_tiny(std::int64_t m, std::int64_t n, std::int64_t c_row_stride, std::int64_t c_col_stride) {
  return c_row_stride == 1 && (c_col_stride != 1 || m > n);
}

/// Is the kernel's call all there is to do for a tiny product, of which nothing is packed and no column is left over?
constexpr bool is_one_call(std::int64_t n, std::int64_t b_col_stride) {
  return n <= arch::host::tiny_edge_cols && (b_col_stride == 1 || n == 1);
}

/// Threads that a product of so many real products has work for.
constexpr int useful_threads(double work, HostFacts const& facts, int threads) {
  double const lanes = static_cast<double>(facts.lanes) * (facts.real_products == 1 ? 1 : 2);
  return static_cast<int>(
      std::clamp(work / std::max(arch::host::launch_products, lanes * arch::host::launch_products_per_lane), 1.0,
                 static_cast<double>(threads)));
}

/// Few columns over a whole number of registers: dot products of A's rows, where they are fewer operations than the
/// products of registers that are mostly empty.
constexpr void plan_edge(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts, HostPlan& plan) {
  std::int64_t const left = n % facts.lanes;
  bool const in_place = facts.as_they_are() && facts.sums_in_c() && !plan.pack_a && facts.a.unit_cols();
  if (!in_place || facts.lanes < 4 || left == 0) return;
  bool const few = n >= facts.lanes && n <= arch::host::most_edge_registers * std::int64_t{facts.lanes};
  if (!few || m < arch::host::edge_rows) return;
  int const parts = facts.real_products == 1 ? 1 : 2;
  // Cycles for a row of A, about: each dot product ends with its lanes added up, and the method has to be prepared.
  std::int64_t const registers = tile::ceil_div<std::int64_t>(parts * k, facts.lanes * parts);
  std::int64_t const dot = registers / arch::host::products_per_cycle + arch::host::edge_end_cycles;
  std::int64_t const dots = arch::host::edge_load_cycles * registers + left * parts * dot + arch::host::edge_row_cycles;
  std::int64_t const tile = parts * k / arch::host::products_per_cycle;
  std::int64_t const bytes = arch::SkinnyBlocks::workspace_bytes(left, m, k, parts, facts.element_bytes / parts);
  if (dots > tile || left * parts > arch::SkinnyBlocks::rows || bytes + 64 > arch::host::stack_packed_bytes) return;
  plan.edge_cols = static_cast<int>(left);
  plan.worker_bytes = tile::round_up<std::int64_t>(bytes, 64);
}

/// What the caller reads of tiles.
constexpr char const* tiles_reason(HostFacts const& facts, HostPlan const& plan, bool little) {
  if (facts.k_pack > 1) return "blocks for every cache, A and B packed in k-packs";
  if (facts.must_pack()) return "blocks for every cache, operands converted while they are packed";
  if (little && plan.on_caller) {
    return plan.pack_b ? "little work: on the calling thread, B packed on its stack"
                       : "little work: on the calling thread, nothing packed";
  }
  if (!plan.in_c()) return "blocks for every cache, sums formed beside C";
  if (plan.pack_a && plan.pack_b) return "blocks for every cache, A and B packed";
  if (plan.pack_a) return "blocks for every cache, A packed, B read where it lies";
  if (plan.pack_b) return "blocks for every cache, B packed, A read where it lies";
  return plan.hints.prefetches ? "A and B go by once, read where they lie, with prefetch"
                               : "A and B read where they lie: too little reuse to pack for";
}

/// A and B read where they lie, on the calling thread; B packed where the kernels cannot read it.
constexpr bool plan_tiny(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts, HostPlan& plan) {
  bool const unit = facts.as_they_are() && facts.sums_in_c() && !facts.a.repeats();
  if (!unit || !is_tiny(m, n, k, facts.real_products)) return false;
  plan.on_caller = true;
  plan.pack_b = !facts.b.unit_cols();
  plan.blocks = {arch::host::most_tiny_edge, arch::host::most_tiny_edge, arch::host::most_tiny_edge};
  if (n > arch::host::tiny_edge_cols) plan_edge(m, n, k, facts, plan);
  share_out(m, n, k, facts, {}, plan);
  plan.reason = tiles_reason(facts, plan, true);
  return true;
}

/// Do more than two rows of tiles read a B that no cache holds faster from a copy, because its registers lie across
/// lines, and those meet? Behind a large second-level cache.
constexpr bool crosses(std::int64_t m, HostFacts const& facts, double b_bytes) {
  return facts.second_level_bytes >= arch::host::large_second_level_bytes && m > 2 * std::int64_t{facts.panel_rows} &&
         b_bytes > arch::host::stays_in_third_level_bytes && facts.b.rows_split &&
         lines_meet(facts.b.row_stride, facts);
}

/// What register tiles stream where one extent is small.
enum class Streamed {
  neither,
  a,  ///< few columns
  b   ///< few rows: streams_rows
};

/// What copies and blocks depend on beside extents.
struct BlockedShape {
  double a_bytes, b_bytes;
  Streamed streamed;
  bool little;   ///< work: B's copy lies on a stack
  bool shallow;  ///< few terms and no wide C, which takes much of the time
};

/// Is B copied into panels? Reading it where it lies costs little for few rows of tiles, and most of a copy's time is
/// making it.
constexpr bool copies_b(std::int64_t m, std::int64_t k, HostFacts const& facts, BlockedShape const& shape) {
  if (facts.must_pack() || !facts.b.unit_cols()) return true;
  if (shape.streamed == Streamed::b) return crosses(m, facts, shape.b_bytes);
  bool const once = shape.b_bytes <= static_cast<double>(facts.in_place.b_once_bytes);
  std::int64_t const few = std::max(arch::host::in_place_panels, once ? facts.in_place.cached_tiles : 0);
  if (shape.streamed == Streamed::a || m <= few * facts.panel_rows) return false;
  double const row_bytes = static_cast<double>(facts.b.row_stride) * facts.element_bytes;
  bool const is_short = row_bytes < static_cast<double>(facts.in_place.b_stride_bytes);
  bool const cached = is_short && shape.b_bytes <= static_cast<double>(facts.in_place.b_bytes);
  // Not where work is little: packing would decide the blocks of k, and with them the bits.
  bool const splits = facts.b.rows_split && !shape.little && m >= arch::host::split_panels * facts.panel_rows;
  if (cached) return splits;
  // What goes by once in blocks of short rows, which come into a cache with their first tiles.
  std::int64_t const most = facts.b.rows_split ? arch::host::split_once_panels : arch::host::once_panels;
  double const block_bytes = row_bytes * static_cast<double>(std::min(k, facts.blocks.kc));
  return !(is_short && m <= most * facts.panel_rows &&
           block_bytes <= static_cast<double>(facts.in_place.b_block_bytes));
}

/// Is A copied, and not only where it must be?
constexpr bool copies_a(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts,
                        BlockedShape const& shape, bool copied_b) {
  if (shape.streamed == Streamed::b) return copies_few_rows(m, facts, shape.b_bytes);
  if (!facts.a.unit_cols()) {
    if (n > arch::host::few_cols_panels * facts.panel_cols) return shape.a_bytes > arch::host::first_level_a_bytes;
    // Few columns: where a tile would read a part of each line, and from beyond a second-level cache.
    return k >= arch::host::gathered_depth && m * facts.element_bytes > arch::host::gathered_bytes &&
           shape.a_bytes > arch::host::gathered_ratio * static_cast<double>(facts.in_place.a_bytes);
  }
  std::int64_t const least =
      lines_meet(facts.a.row_stride, facts) ? arch::host::meeting_pack_a_least : arch::host::pack_a_least;
  return (n > least * facts.panel_cols && shape.a_bytes > static_cast<double>(facts.in_place.a_bytes)) ||
         (copied_b && n > arch::host::pack_a_panels * facts.panel_cols);
}

/// The blocks of register tiles of operands of which is known what is packed, for so many threads.
constexpr void plan_blocks(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts, int useful,
                           BlockedShape const& shape, HostPlan& plan) {
  // Long runs along rows of A; few columns of B stay in a second-level cache for so many positions.
  bool const few_cols = shape.streamed == Streamed::a && !plan.pack_a;
  if (few_cols) plan.blocks.kc = arch::host::skinny_chains * arch::gemm_chain;
  if (shape.streamed == Streamed::b) plan.blocks.kc = streamed_depth(m, k, facts, shape.b_bytes);
  // Few columns: rows of A go by once for all of them, while they are in the first-level cache, or soon after they are
  // packed.
  if (few_cols && n > facts.panel_cols) plan.blocks.mc = 2 * std::int64_t{facts.panel_rows};
  std::int64_t const low = arch::host::low_panels * facts.panel_rows;
  bool const copies = !facts.must_pack();
  if (n <= arch::host::few_cols_panels * facts.panel_cols && plan.pack_a && copies) plan.blocks.mc = low;
  // A large C whose rows are written in few steps: their lines stay cached until the next column of tiles comes, in a
  // large second-level cache. Behind a small one higher blocks are faster.
  if (plan.hints.large_c && shape.shallow && copies) {
    bool const stay = facts.second_level_bytes >= arch::host::large_second_level_bytes;
    plan.blocks.mc = stay ? std::min(plan.blocks.mc, low) : arch::host::high_panels * facts.panel_rows;
  }
  // As many bytes of a shallow B as of a deep one; share_out bounds it.
  if (plan.pack_b) plan.blocks.nc = plan.blocks.nc * plan.blocks.kc / std::clamp<std::int64_t>(k, 1, plan.blocks.kc);
  // Few rows: a block of B is soon done with, so it should not leave the second-level cache in between.
  if (plan.pack_b && m <= arch::host::soon_panels * facts.panel_rows && copies) {
    plan.blocks.nc = std::max<std::int64_t>(
        facts.panel_cols, plan.blocks.nc / arch::host::soon_parts * std::min(useful, arch::host::soon_parts));
  }
}

/// Register tiles over packed or unpacked operands. Packing pays where an operand is read often and does not stay in a
/// cache as it lies.
constexpr void plan_tiles(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts, HostThreads threads,
                          HostPlan& plan) {
  bool const in_c = facts.sums_in_c(), must_pack_a = facts.must_pack_a();
  plan.blocks = facts.blocks;
  double const rows = static_cast<double>(m), cols = static_cast<double>(n), depth = static_cast<double>(k);
  double const work = rows * cols * depth * facts.real_products / facts.k_pack;
  double const a_bytes = rows * depth * facts.element_bytes, b_bytes = cols * depth * facts.element_bytes;
  bool const little = in_c && !must_pack_a && work <= arch::host::little_products;
  bool const by_rows = in_c && !facts.must_pack() && streams_rows(m, n, facts, b_bytes);
  plan.hints.wide = by_rows || n > arch::host::wide_panels * facts.panel_cols;
  plan.hints.few_rows = m <= arch::host::few_panels * facts.panel_rows;
  bool const few_cols = n <= arch::host::few_cols_panels * facts.panel_cols &&
                        facts.b.row_stride <= arch::host::close_row_panels * facts.panel_cols;
  BlockedShape const shape{.a_bytes = a_bytes,
                           .b_bytes = b_bytes,
                           .streamed = by_rows    ? Streamed::b
                                       : few_cols ? Streamed::a
                                                  : Streamed::neither,
                           .little = little,
                           .shallow = !plan.hints.wide && depth * facts.element_bytes <= arch::host::shallow_row_bytes};
  double const share = shape.shallow ? arch::host::shallow_c_share : arch::host::c_share_of_second_level;
  // Few columns: asking for C's lines pays where the third level answers late, as behind a large second one.
  bool const pays = n > facts.panel_cols || facts.second_level_bytes >= arch::host::large_second_level_bytes;
  plan.hints.large_c =
      pays && rows * cols * facts.element_bytes > share * static_cast<double>(facts.second_level_bytes);
  plan.pack_b = copies_b(m, k, facts, shape);
  plan.pack_a = must_pack_a || copies_a(m, n, k, facts, shape, plan.pack_b);
  bool const streams = plan.hints.wide && b_bytes > static_cast<double>(facts.in_place.b_once_bytes);
  bool const long_rows = facts.a.unit_cols() && k >= arch::host::long_sum &&
                         n <= arch::host::long_rows_panels * facts.panel_cols &&
                         a_bytes > arch::host::stays_in_second_level_bytes;
  plan.hints.prefetches = in_c && !plan.pack_a && (long_rows || (streams && !plan.pack_b));
  double const written = rows * cols * arch::host::products_of_a_sum * facts.real_products / facts.k_pack;
  int const useful = useful_threads(work + written, facts, threads.count);
  plan_blocks(m, n, k, facts, useful, shape, plan);
  // A panel of B fits the calling thread's stack: of little work always, of more where no other memory is to be had.
  // Whoever computes, and wherever: blocks of k decide the bits.
  std::int64_t const stack = arch::host::stack_packed_bytes - 64;
  if (plan.pack_b) {
    std::int64_t const fit = (little ? stack : most_panel_bytes) / (facts.panel_cols * facts.position_bytes);
    plan.blocks.kc = std::min(plan.blocks.kc, fit * facts.k_pack);
  }
  plan_edge(m, n, k, facts, plan);
  plan.on_caller = little && (useful == 1 || threads.count == 1);
  if (plan.on_caller) {
    plan.pack_a = false;
    if (plan.pack_b) {
      std::int64_t const row_bytes = std::clamp<std::int64_t>(k, 1, plan.blocks.kc) * facts.element_bytes;
      std::int64_t const fit = stack / row_bytes / facts.panel_cols * facts.panel_cols;
      plan.blocks.nc = std::clamp<std::int64_t>(fit, facts.panel_cols, plan.blocks.nc);
    }
  }
  share_out(m, n, k, facts, {plan.on_caller ? 1 : useful, threads.per_cache}, plan);
  if (useful == 1 && plan.workspace_bytes() <= stack_workspace_bytes) plan.on_caller = true;
  plan.reason = tiles_reason(facts, plan, little);
}

/// The plan of a product whose k is in one.
constexpr HostPlan plan_unsliced(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts,
                                 HostThreads threads) {
  HostPlan plan{facts};
  bool const in_tiles = facts.b.unit_cols() && n > 1;
  if (plan_tiny(m, n, k, facts, plan) || plan_skinny(m, n, k, facts, threads.count, in_tiles, plan)) return plan;
  HostFacts const transposed = facts.transposed();
  if (plan_skinny(n, m, k, transposed, threads.count, in_tiles, plan)) {
    plan.exchange = true;
    return plan;
  }
  if (plan_rank_k(m, n, k, facts, threads.count, plan)) return plan;
  plan_tiles(m, n, k, facts, threads, plan);
  return plan;
}

/// Slices of k that so small a C is worth, so much of it.
constexpr std::int64_t useful_slices(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts) {
  double const sums = static_cast<double>(m) * static_cast<double>(n);
  double const work = sums * static_cast<double>(k) * facts.real_products / facts.k_pack;
  bool const small = sums * facts.element_bytes <= static_cast<double>(arch::host::sliced_bytes);
  if (!small || work <= arch::host::little_products || k / arch::host::sliced_depth_ratio < std::max(m, n)) return 1;
  return std::clamp<std::int64_t>(k / arch::host::slice_depth, 1, arch::host::most_slices);
}

/// The host's plan for C (m x n) = A (m x k) B (k x n), C fast along its rows.
constexpr HostPlan plan_along_rows(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts,
                                   HostThreads threads) {
  std::int64_t const most = useful_slices(m, n, k, facts);
  if (most == 1) return plan_unsliced(m, n, k, facts, threads);
  HostFacts of_sums = facts;  // beside C, wherever that lies
  of_sums.c_is_sum = true;
  of_sums.c = {};
  of_sums.reads_c = false;
  HostPlan plan = plan_unsliced(m, n, k, of_sums, {});
  plan.on_caller = false;
  if (plan.exchange) std::swap(m, n);
  plan.slices.depth =
      tile::round_up(tile::ceil_div(k, most), plan.path == Path::tiles ? plan.blocks.kc : arch::host::slice_depth);
  plan.slices.count = static_cast<int>(tile::ceil_div(k, plan.slices.depth));
  double const work = static_cast<double>(m * n) * static_cast<double>(k) * facts.real_products / facts.k_pack;
  share_slices(m, n, facts, useful_threads(work, facts, threads.count), plan);
  bound_own_b(n, facts, threads.per_cache, plan);
  take_sums(m, n, facts, plan.slices);
  return plan;
}

/// \brief  The host's plan, C as it lies. Nothing but `exchange` says which way round a product is computed.
constexpr HostPlan plan_on_host(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts,
                                HostThreads threads) {
  HostFacts seen = facts.c_along_columns ? facts.transposed() : facts;
  if (facts.c_along_columns) std::swap(m, n);
  if (n == 1) seen.b.col_stride = seen.c.col_stride = 1;  // a single column has no stride between columns
  HostPlan plan = plan_along_rows(m, n, k, seen, threads);
  plan.exchange = plan.exchange != facts.c_along_columns;
  return plan;
}

}  // namespace pantile::impl::matmul
