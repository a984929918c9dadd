// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The choice of how a host computes a product: pure functions from numbers. What the numbers were measured on
///        stands in perf_tests/notes/matmul.md.

#include <pantile/impl/arch/host/tuning/matmul.hpp>
#include <pantile/impl/matmul/host/partition.hpp>
#include <pantile/impl/matmul/host/plan.hpp>
#include <pantile/impl/matmul/host/streaming.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::matmul {

/// Real products that are work for one thread, with elements of which a register has so many.
constexpr double products_of_thread(int lanes, int real_products) {
  double const real_lanes = lanes * (real_products == 1 ? 1.0 : 2.0);
  return std::max(arch::host::launch_products, real_lanes * arch::host::launch_products_per_lane);
}

/// Such a product of short extents.
constexpr bool is_tiny(std::int64_t m, std::int64_t n, std::int64_t k, int lanes, int real_products) {
  std::int64_t const largest = std::max(m, std::max(n, k));
  if (largest <= arch::host::tiny_edge) return true;
  return largest <= arch::host::most_tiny_edge && m * n <= lanes * arch::host::tiny_c_registers &&
         static_cast<double>(m * n * k * real_products) <= products_of_thread(lanes, real_products);
}

/// Threads that a product of so many real products has work for.
constexpr int useful_threads(double work, HostFacts const& facts, int threads) {
  return static_cast<int>(
      std::clamp(work / products_of_thread(facts.lanes, facts.real_products), 1.0, static_cast<double>(threads)));
}

/// \brief  Last columns of a product that are dot products of A's rows: few of them over a whole number of registers,
///         where they are fewer operations than the products of registers that are mostly empty. Else none.
constexpr int edge_columns(std::int64_t m, std::int64_t n, std::int64_t k, int lanes, int real_products) {
  std::int64_t const left = n % lanes;
  if (lanes < 4 || left == 0) return 0;
  bool const few = n >= lanes && n <= arch::host::most_edge_registers * std::int64_t{lanes};
  if (!few || m < arch::host::edge_rows) return 0;
  int const parts = real_products == 1 ? 1 : 2;
  // Cycles for a row of A, about: each dot product ends with its lanes added up, and the method has to be prepared.
  std::int64_t const registers = tile::ceil_div<std::int64_t>(k, lanes);
  std::int64_t const dot = registers / arch::host::products_per_cycle + arch::host::edge_end_cycles;
  std::int64_t const dots = arch::host::edge_load_cycles * registers + left * parts * dot + arch::host::edge_row_cycles;
  std::int64_t const tile = parts * k / arch::host::products_per_cycle;
  return dots > tile || left * parts > arch::SkinnyBlocks::rows ? 0 : static_cast<int>(left);
}

/// Have them computed so where A's rows are read where they lie.
constexpr void plan_edge(HostQuery const& q, HostPlan& plan) {
  if (!q.as_they_are() || !q.sums_in_c() || plan.pack_a || !q.a.unit_cols()) return;
  int const cols = edge_columns(q.m, q.n, q.k, q.lanes, q.real_products);
  if (cols == 0) return;
  std::int64_t const bytes =
      arch::SkinnyBlocks::workspace_bytes(cols, q.m, q.k, q.parts(), q.element_bytes / q.parts());
  if (bytes + 64 > arch::host::stack_packed_bytes) return;
  plan.edge_cols = cols;
  plan.worker_bytes = tile::round_up<std::int64_t>(bytes, 64);
}

/// The same of a tiny product, unless asking costs what they could bring.
constexpr int tiny_edge_columns(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t a_col_stride, int lanes) {
  bool const asks = n > arch::host::tiny_edge_cols || m > arch::host::tiny_edge_rows;
  return asks && a_col_stride == 1 ? edge_columns(m, n, k, lanes, 1) : 0;
}

/// \brief  The plan of a tiny product whose C lies along its rows, in elements of `parts` numbers. Inlined: strides
///         that were just stored, read in pairs, wait for their stores.
[[gnu::always_inline]] constexpr TinyPlan plan_tiny_rows(std::int64_t m, std::int64_t n, std::int64_t k,
                                                         OperandFacts const& a, OperandFacts const& b, int lanes,
                                                         int parts) {
  using namespace arch::host;
  bool const unit = b.unit_cols() || n == 1, half_empty = 2 * n <= lanes;
  if (k >= tiny_dots_depth && m > 0 && n > 0) {
    // More of them where both operands are read as they lie and tiles would be of a copy, columns that fill no more
    // than half a register.
    bool const deep = parts == 1 && a.unit_cols() && !unit && k >= tiny_deep_dots;
    std::int64_t const rows = deep ? 2 * tiny_dots_rows : tiny_dots_rows;
    if (m <= n && m * parts <= rows && b.unit_rows() && !unit) return {.path = Path::skinny_dots};
    bool const few = n * parts <= (half_empty ? rows : tiny_dots_rows);
    if (few && n <= m && a.unit_cols()) return {.path = Path::column_dots};
    if (n <= 2 && a.unit_rows() && m >= tiny_transposed_rows) return {.path = Path::column_rows};
  }
  bool const high = m > n && m >= (unit ? tiny_transposed_rows : tiny_transposed_rows_of_copy);
  bool const few = n <= tiny_dots_rows || half_empty || 2 * n < k;
  if (parts == 1 && n > 1 && high && few && a.unit_rows() && !a.unit_cols()) return {.path = Path::transposed_tiles};
  return {.pack_b = !unit, .edge_cols = parts == 1 ? tiny_edge_columns(m, n, k, a.col_stride, lanes) : 0};
}
/// Is it surely one call of the kernels for operands where they lie, a TinyPlan of defaults?
constexpr bool is_one_call(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t a_row_stride,
                           std::int64_t b_col_stride) {
  return m <= arch::host::tiny_edge_rows && n <= arch::host::tiny_edge_cols && (b_col_stride == 1 || n == 1) &&
         (n > arch::host::tiny_dots_rows || k < arch::host::tiny_dots_depth) &&
         (a_row_stride != 1 || m < arch::host::tiny_transposed_rows);
}

/// Is such a C computed as C^T? One of its strides is 1; a single row or column is taken along it.
constexpr bool exchanges_tiny(std::int64_t m, std::int64_t n, std::int64_t c_row_stride, std::int64_t c_col_stride) {
  return (c_col_stride != 1 || m > n) && (c_row_stride == 1 || m == 1);
}

/// The plan of a tiny product, operands and C as the caller has them.
constexpr TinyPlan plan_tiny(std::int64_t m, std::int64_t n, std::int64_t k, OperandFacts const& a,
                             OperandFacts const& b, OperandFacts const& c, int lanes, int parts) {
  bool const exchange = exchanges_tiny(m, n, c.row_stride, c.col_stride);
  TinyPlan plan = exchange ? plan_tiny_rows(n, m, k, b.transposed(), a.transposed(), lanes, parts)
                           : plan_tiny_rows(m, n, k, a, b, lanes, parts);
  plan.exchange = exchange;
  return plan;
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

/// \brief  A tiny product of operands as they lie, C along its rows or its columns: on the calling thread. False if
///         this is none.
constexpr bool plan_tiny(HostQuery const& q, HostPlan& plan) {
  bool const along = q.c.unit_cols() || q.c.unit_rows() || q.m == 1 || q.n == 1;
  bool const distinct = !q.a.repeats() && !q.b.transposed().repeats();
  if (!q.as_they_are() || !along || !distinct || !is_tiny(q.m, q.n, q.k, q.lanes, q.real_products)) return false;
  static_cast<TinyPlan&>(plan) = plan_tiny(q.m, q.n, q.k, q.a, q.b, q.c, q.lanes, q.parts());
  plan.tiny = plan.on_caller = true;
  plan.reason = plan.path == Path::transposed_tiles ? "little work: on the calling thread, C transposed in registers"
                : plan.path == Path::tiles          ? tiles_reason(q, plan, true)
                                                    : streams_reason(plan.path);
  return true;
}

/// Do more than two rows of tiles read a B that no cache holds faster from a copy, because loads of it are split across
/// lines, and these map to one set? Behind a large second-level cache.
constexpr bool crosses(HostQuery const& q) {
  return q.second_level_bytes >= arch::host::large_second_level_bytes && q.m > 2 * std::int64_t{q.panel_rows} &&
         q.b_bytes() > arch::host::stays_in_third_level_bytes && q.b.misaligned_rows && lines_alias(q.b.row_stride, q);
}

/// What copies, blocks and hints depend on.
struct BlockedShape {
  bool streams_b;  ///< few rows: streams_rows
  bool streams_a;  ///< few columns
  bool wide;       ///< GemmHints'
  bool little;     ///< work: B's copy lies on a stack
  bool shallow;    ///< few terms and no wide C, which takes much of the time
};

constexpr BlockedShape shape_of(HostQuery const& q) {
  bool const in_c = q.sums_in_c(), by_rows = in_c && !q.must_pack() && streams_rows(q);
  bool const few_cols = q.n <= arch::host::few_cols_panels * q.panel_cols &&
                        q.b.row_stride <= arch::host::close_row_panels * q.panel_cols;
  bool const wide = by_rows || q.n > arch::host::wide_panels * q.panel_cols;
  return {.streams_b = by_rows,
          .streams_a = few_cols && !by_rows,
          .wide = wide,
          .little = in_c && !q.must_pack_a() && q.work() <= arch::host::little_products,
          .shallow = !wide && static_cast<double>(q.k) * q.element_bytes <= arch::host::shallow_row_bytes};
}

/// Is B copied into panels? Reading it where it lies costs little for few rows of tiles, and most of a copy's time is
/// making it.
constexpr bool copies_b(HostQuery const& q, BlockedShape const& shape) {
  if (q.must_pack() || !q.b.unit_cols()) return true;
  if (shape.streams_b) return crosses(q);
  bool const once = q.b_bytes() <= static_cast<double>(q.in_place.b_once_bytes);
  std::int64_t const few = std::max(arch::host::in_place_panels, once ? q.in_place.cached_tiles : 0);
  if (shape.streams_a || q.m <= few * q.panel_rows) return false;
  double const row_bytes = static_cast<double>(q.b.row_stride) * q.element_bytes;
  bool const is_short = row_bytes < static_cast<double>(q.in_place.b_stride_bytes);
  bool const cached = is_short && q.b_bytes() <= static_cast<double>(q.in_place.b_bytes);
  // Not where work is little: packing would decide the blocks of k, and with them the bits.
  bool const splits = q.b.misaligned_rows && !shape.little && q.m >= arch::host::split_panels * q.panel_rows;
  if (cached) return splits;
  // What goes by once in blocks of short rows, which come into a cache with their first tiles.
  std::int64_t const most = q.b.misaligned_rows ? arch::host::split_once_panels : arch::host::once_panels;
  double const block_bytes = row_bytes * static_cast<double>(std::min(q.k, q.blocks.kc));
  return !(is_short && q.m <= most * q.panel_rows && block_bytes <= static_cast<double>(q.in_place.b_block_bytes));
}

/// Is A copied, and not only where it must be?
constexpr bool copies_a(HostQuery const& q, BlockedShape const& shape, bool copied_b) {
  if (shape.streams_b) return copies_few_rows(q);
  if (!q.a.unit_cols()) {
    if (q.n > arch::host::few_cols_panels * q.panel_cols) return q.a_bytes() > arch::host::first_level_a_bytes;
    // Few columns: where a tile would read a part of each line, and from beyond a second-level cache.
    return q.k >= arch::host::gathered_depth && q.m * q.element_bytes > arch::host::gathered_bytes &&
           q.a_bytes() > arch::host::gathered_ratio * static_cast<double>(q.in_place.a_bytes);
  }
  std::int64_t const least =
      lines_alias(q.a.row_stride, q) ? arch::host::aliased_pack_a_least : arch::host::pack_a_least;
  return (q.n > least * q.panel_cols && q.a_bytes() > static_cast<double>(q.in_place.a_bytes)) ||
         (copied_b && q.n > arch::host::pack_a_panels * q.panel_cols);
}

/// Are C's lines worth asking for? Of few columns where the third level answers late, as behind a large second one.
constexpr bool has_large_c(HostQuery const& q, BlockedShape const& shape) {
  double const share = shape.shallow ? arch::host::shallow_c_share : arch::host::c_share_of_second_level;
  bool const pays = q.n > q.panel_cols || q.second_level_bytes >= arch::host::large_second_level_bytes;
  return pays && q.c_bytes() > share * static_cast<double>(q.second_level_bytes);
}

/// Is what is not packed prefetched? Long rows of A by few columns, and a B that is streamed.
constexpr bool prefetches(HostQuery const& q, HostPlan const& plan) {
  bool const streams = plan.hints.wide && q.b_bytes() > static_cast<double>(q.in_place.b_once_bytes);
  bool const long_rows = q.a.unit_cols() && q.k >= arch::host::long_sum &&
                         q.n <= arch::host::long_rows_panels * q.panel_cols &&
                         q.a_bytes() > arch::host::stays_in_second_level * static_cast<double>(q.second_level_bytes);
  return q.sums_in_c() && !plan.pack_a && (long_rows || (streams && !plan.pack_b));
}

/// The blocks of register tiles of operands of which is known what is packed, for so many threads.
constexpr void plan_blocks(HostQuery const& q, int useful, BlockedShape const& shape, HostPlan& plan) {
  // Long runs along rows of A; few columns of B stay in a second-level cache for so many positions.
  bool const few_cols = shape.streams_a && !plan.pack_a;
  if (few_cols) plan.blocks.kc = arch::host::skinny_chains * arch::gemm_chain;
  if (shape.streams_b) plan.blocks.kc = streamed_depth(q);
  // Few columns: rows of A go by once for all of them, while they are in the first-level cache, or soon after they are
  // packed.
  if (few_cols && q.n > q.panel_cols) plan.blocks.mc = 2 * std::int64_t{q.panel_rows};
  std::int64_t const low = arch::host::low_panels * q.panel_rows;
  bool const copies = !q.must_pack();
  if (q.n <= arch::host::few_cols_panels * q.panel_cols && plan.pack_a && copies) plan.blocks.mc = low;
  // A large C whose rows are written in few steps: their lines stay cached until the next column of tiles comes, in a
  // large second-level cache. Behind a small one higher blocks are faster.
  if (plan.hints.large_c && shape.shallow && copies) {
    bool const stay = q.second_level_bytes >= arch::host::large_second_level_bytes;
    plan.blocks.mc = stay ? std::min(plan.blocks.mc, low) : arch::host::high_panels * q.panel_rows;
  }
  // As many bytes of a shallow B as of a deep one; share_out bounds it.
  if (plan.pack_b) plan.blocks.nc = plan.blocks.nc * plan.blocks.kc / std::clamp<std::int64_t>(q.k, 1, plan.blocks.kc);
  // Few rows: a block of B is soon done with, so it should not leave the second-level cache in between.
  if (plan.pack_b && q.m <= arch::host::soon_panels * q.panel_rows && copies) {
    plan.blocks.nc = std::max<std::int64_t>(
        q.panel_cols, plan.blocks.nc / arch::host::soon_parts * std::min(useful, arch::host::soon_parts));
  }
}

/// Register tiles over packed or unpacked operands. Packing pays where an operand is read often and does not stay in a
/// cache as it lies.
constexpr void plan_tiles(HostQuery const& q, HostThreads threads, HostPlan& plan) {
  plan.blocks = q.blocks;
  BlockedShape const shape = shape_of(q);
  plan.hints.wide = shape.wide;
  plan.hints.few_rows = q.m <= arch::host::few_panels * q.panel_rows;
  plan.hints.large_c = has_large_c(q, shape);
  plan.pack_b = copies_b(q, shape);
  plan.pack_a = q.must_pack_a() || copies_a(q, shape, plan.pack_b);
  plan.hints.prefetches = prefetches(q, plan);
  double const written =
      static_cast<double>(q.m) * static_cast<double>(q.n) * arch::host::products_of_a_sum * q.real_products / q.k_pack;
  int const useful = useful_threads(q.work() + written, q, threads.count);
  plan_blocks(q, useful, shape, plan);
  // A panel of B fits the calling thread's stack: of little work always, of more where no memory can be allocated.
  // Independent of the thread count: kc decides the bits.
  std::int64_t const stack = arch::host::stack_packed_bytes - 64;
  if (plan.pack_b) {
    std::int64_t const fit = (shape.little ? stack : most_panel_bytes) / (q.panel_cols * q.position_bytes);
    plan.blocks.kc = std::min(plan.blocks.kc, fit * q.k_pack);
  }
  plan_edge(q, plan);
  plan.on_caller = shape.little && (useful == 1 || threads.count == 1);
  if (plan.on_caller) {
    plan.pack_a = false;
    if (plan.pack_b) {
      std::int64_t const row_bytes = std::clamp<std::int64_t>(q.k, 1, plan.blocks.kc) * q.element_bytes;
      std::int64_t const fit = stack / row_bytes / q.panel_cols * q.panel_cols;
      plan.blocks.nc = std::clamp<std::int64_t>(fit, q.panel_cols, plan.blocks.nc);
    }
  }
  share_out(q, {plan.on_caller ? 1 : useful, threads.per_cache}, plan);
  if (useful == 1 && plan.workspace_bytes() <= stack_workspace_bytes) plan.on_caller = true;
  plan.reason = tiles_reason(q, plan, shape.little);
}

/// The plan of a product whose k is in one.
constexpr HostPlan plan_unsliced(HostQuery const& q, HostThreads threads) {
  HostPlan plan{q, {}};
  bool const in_tiles = q.b.unit_cols() && q.n > 1;
  if (plan_skinny(q, threads.count, in_tiles, plan)) return plan;
  if (q.n <= arch::SkinnyBlocks::rows && plan_skinny(q.transposed(), threads.count, in_tiles, plan)) {
    plan.exchange = true;
    return plan;
  }
  if (!plan_rank_k(q, threads.count, plan)) plan_tiles(q, threads, plan);
  return plan;
}

/// Slices of k that so small a C is worth, so much of it.
constexpr std::int64_t useful_slices(HostQuery const& q) {
  bool const small = q.c_bytes() <= static_cast<double>(arch::host::sliced_bytes);
  bool const deep = q.k / arch::host::sliced_depth_ratio >= std::max(q.m, q.n);
  if (!small || !deep || q.work() <= arch::host::little_products) return 1;
  return std::clamp<std::int64_t>(q.k / arch::host::slice_depth, 1, arch::host::most_slices);
}

/// The host's plan for C (m x n) = A (m x k) B (k x n), C fast along its rows.
constexpr HostPlan plan_along_rows(HostQuery const& q, HostThreads threads) {
  std::int64_t const most = useful_slices(q);
  if (most == 1) return plan_unsliced(q, threads);
  HostQuery of_sums = q;  // beside C, wherever that lies
  of_sums.c_is_sum = true;
  of_sums.c = {};
  of_sums.reads_c = false;
  HostPlan plan = plan_unsliced(of_sums, {});
  plan.on_caller = false;
  plan.slices.depth =
      tile::round_up(tile::ceil_div(q.k, most), plan.path == Path::tiles ? plan.blocks.kc : arch::host::slice_depth);
  plan.slices.count = static_cast<int>(tile::ceil_div(q.k, plan.slices.depth));
  share_slices(plan.exchange ? q.transposed() : q, {useful_threads(q.work(), q, threads.count), threads.per_cache},
               plan);
  return plan;
}

/// \brief  The host's plan, C as it lies. Nothing but `exchange` says which way round a product is computed.
constexpr HostPlan plan_on_host(std::int64_t m, std::int64_t n, std::int64_t k, HostFacts const& facts,
                                HostThreads threads) {
  HostQuery const asked{facts, m, n, k};
  if (HostPlan plan{asked, {}}; plan_tiny(asked, plan)) return plan;
  HostQuery seen = facts.c_along_columns ? asked.transposed() : asked;
  if (seen.n == 1) seen.b.col_stride = seen.c.col_stride = 1;  // a single column has no stride between columns
  HostPlan plan = plan_along_rows(seen, threads);
  plan.exchange = plan.exchange != facts.c_along_columns;
  return plan;
}

}  // namespace pantile::impl::matmul
