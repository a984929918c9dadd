// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products that stream a large operand, reading it once where it lies: register tiles of few rows (blocks and
///        copies for policy.hpp's plan), and the plans of kernels without register tiles (skinny, rank_k).

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/host/tuning/matmul.hpp>
#include <pantile/impl/matmul/host/plan.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::matmul {

/// Do lines of an operand so far apart map to one set of a first-level cache?
constexpr bool lines_alias(std::int64_t stride, HostFacts const& facts) {
  return stride * facts.element_bytes % arch::host::alias_bytes == 0;
}

/// Do register tiles of few rows stream a large B along its rows, in blocks of streamed_depth rows?
constexpr bool streams_rows(HostQuery const& q) {
  bool const cached = q.b_bytes() <= arch::host::stays_in_third_level_bytes;
  std::int64_t const tiles = cached ? q.in_place.cached_tiles : q.in_place.streamed_tiles;
  return q.b.unit_cols() && q.m <= tiles * q.panel_rows && q.n > arch::host::few_cols_panels * q.panel_cols &&
         q.b_bytes() > static_cast<double>(q.in_place.b_once_bytes);
}

/// Are B's rows short and of whole lines, so that the hardware fetches them one after another?
constexpr bool has_short_rows(HostQuery const& q) {
  std::int64_t const row_bytes = q.b_row_bytes();
  return row_bytes % 64 == 0 && row_bytes >= arch::host::short_row_least_bytes &&
         row_bytes <= q.in_place.short_row_bytes;
}

/// Do such tiles read a packed A? One row of tiles or two, where a B from memory has short rows: tiles of packed rows
/// prefetch B line by line. Behind a small second-level cache.
constexpr bool copies_few_rows(HostQuery const& q) {
  return has_short_rows(q) && q.m <= 2 * std::int64_t{q.panel_rows} && q.b_bytes() > arch::host::from_memory_bytes &&
         q.second_level_bytes < arch::host::large_second_level_bytes;
}

/// Rows of B in a block of such tiles. From memory long rows lie in a page each: no more than a first-level TLB holds,
/// also for a single row of tiles. Elsewhere no second block of less than half a block: C would be read again for it.
constexpr std::int64_t streamed_depth(HostQuery const& q) {
  bool const pages = q.b_row_bytes() >= arch::host::page_bytes;
  bool const shallow = q.m <= (pages ? 2 : 1) * std::int64_t{q.panel_rows} && !has_short_rows(q);
  if (q.b_bytes() > arch::host::from_memory_bytes && shallow) {
    return lines_alias(q.b.row_stride, q) ? arch::host::aliased_rows : q.in_place.memory_depth;
  }
  std::int64_t const depth = q.in_place.b_depth;
  return 2 * q.k <= 3 * depth ? q.k : depth;
}

/// Do register tiles read all of B, whose rows are contiguous, as fast as it is streamed, because a cache holds it?
/// They are not exchanged: of few columns most of their lanes are empty.
constexpr bool stays_cached(HostQuery const& q) {
  bool const second = q.b_bytes() < arch::host::shared_second_level_bytes;
  if (q.c_along_columns) return second && 2 * q.m > q.lanes;
  if (second) return true;
  bool const is_short = q.n * q.element_bytes <= arch::host::short_b_row_bytes;
  return q.real_products == 1 && (q.b_bytes() < static_cast<double>(q.in_place.b_bytes) ||
                                  (is_short && q.b_bytes() < arch::host::short_rows_bytes));
}

/// Is B rather read once than by register tiles? By rows, for so many numbers of A's rows, or in dot products of its
/// columns: sooner where tiles would be of a copy, or of a single column.
constexpr bool streams_b(HostQuery const& q, bool dots, bool in_tiles) {
  std::int64_t const rows = q.m * q.parts(), n = q.n, k = q.k;
  bool const second = q.b_bytes() < arch::host::shared_second_level_bytes;
  if (!dots) return n >= arch::host::streamed_cols && k >= arch::host::long_sum && (rows <= 2 || !stays_cached(q));
  if (in_tiles) {
    return n >= arch::host::streamed_cols ? k >= arch::host::long_sum && (rows <= 2 || !second)
                                          : k >= arch::host::deep_dots && q.m * n <= q.lanes;
  }
  // Of little work and fewer than long_sum products an element is the same whatever stands beside it: LAPACK's tests
  // ask for that.
  std::int64_t const deep = arch::host::dots_depth * rows, least = std::max(deep, arch::host::long_sum);
  if (n <= arch::host::few_dots_cols) return k >= least;
  return k >= (second ? deep : std::min(deep, arch::host::long_sum));
}

/// What the caller reads of a streamed B.
constexpr char const* streams_reason(Path path) {
  bool const dots = path == Path::skinny_dots || path == Path::column_dots;
  return dots ? "few rows or columns: the large operand is streamed once, in dot products"
              : "few rows or columns: the large operand is streamed once, along its rows";
}

/// Have B streamed, in dot products or along its rows.
constexpr void stream(HostQuery const& q, bool dots, int threads, HostPlan& plan) {
  int const parts = q.parts();
  plan.path = dots ? Path::skinny_dots : Path::skinny_rows;
  plan.hints.prefetches = q.b_bytes() > arch::host::stays_in_third_level_bytes;
  plan.reason = streams_reason(plan.path);
  plan.worker_bytes = tile::round_up<std::int64_t>(
      arch::SkinnyBlocks::workspace_bytes(q.m, q.n, q.k, parts, q.element_bytes / parts), 64);
  double const useful =
      std::min(q.b_bytes() / arch::host::streamed_bytes,
               static_cast<double>(q.n) / static_cast<double>(arch::host::streamed_panels_per_thread * q.panel_cols));
  plan.grid_cols = static_cast<int>(std::clamp(useful, 1.0, static_cast<double>(threads)));
  plan.on_caller = plan.grid_cols == 1 && plan.workspace_bytes() <= stack_workspace_bytes;
}

/// \brief  Few rows (or columns, exchanged): B is read once where it lies, along its rows or in dot products, because
///         register tiles of so few sums wait for each other (streams_b). False if this is not such a problem.
/// \param  in_tiles  register tiles would read B, the one before an exchange, where it lies
constexpr bool plan_skinny(HostQuery const& q, int threads, bool in_tiles, HostPlan& plan) {
  int const parts = q.parts();
  std::int64_t const rows = q.m * parts;
  bool const dots = q.b.unit_rows() && (!q.b.unit_cols() || q.n == 1);
  if (!q.as_they_are() || !(dots || q.b.unit_cols()) || rows > arch::SkinnyBlocks::rows || q.m < 1 || q.m > q.n ||
      !streams_b(q, dots, in_tiles)) {
    return false;
  }
  bool const tiles = !q.c_along_columns && parts == 1 && q.b_row_bytes() <= q.in_place.b_row_bytes &&
                     !lines_alias(q.b.row_stride, q) && streams_rows(q);
  if (rows > arch::host::never_tiles_rows && tiles) return false;
  stream(q, dots, threads, plan);
  return true;
}

/// \brief  Few products in a sum: C is written once, and takes the time. Past the cache where operands take more than
///         seven eighths of it, so that C's lines are not read first. False if this is not such a problem.
constexpr bool plan_rank_k(HostQuery const& q, int threads, HostPlan& plan) {
  std::int64_t const row_bytes = q.n * q.element_bytes;
  std::int64_t const most =
      q.b.misaligned_rows || q.c.misaligned_rows ? arch::host::rank_k_split_most : arch::host::rank_k_most;
  if (q.k < 1 || q.k > most || q.real_products > 1 || !q.as_they_are() || q.reads_c) return false;
  if (!q.b.unit_cols() || !q.c.unit_cols()) return false;
  double const bytes = q.a_bytes() + q.b_bytes() + q.c_bytes();
  if (row_bytes < arch::host::rank_k_row_bytes ||
      bytes <= arch::host::rank_k_share * static_cast<double>(q.last_level_bytes))
    return false;
  plan.path = Path::rank_k;
  plan.reason = "few products in a sum: C is streamed once, past the cache that cannot hold it";
  plan.grid_cols = static_cast<int>(std::clamp<std::int64_t>(row_bytes / arch::host::rank_k_row_bytes, 1, threads));
  return true;
}

}  // namespace pantile::impl::matmul
