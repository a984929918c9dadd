// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How C is partitioned: a part for each group of threads, shared blocks for a part, tasks for a block. None of
///        it changes the order of an element's sums.

#include <pantile/impl/arch/host/tuning/matmul.hpp>
#include <pantile/impl/matmul/host/plan.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::matmul {

/// Blocks of equal size rather than a short one at the end.
constexpr std::int64_t even(std::int64_t extent, std::int64_t block, std::int64_t step) {
  if (extent <= block) return std::max<std::int64_t>(extent, 1);
  std::int64_t const count = tile::ceil_div(extent, block);
  return tile::round_up(tile::ceil_div(extent, count), step);
}

/// The largest of so many parts of an extent.
constexpr std::int64_t largest_part(std::int64_t extent, std::int64_t unit, std::int64_t parts) {
  return std::min(extent, tile::ceil_div(tile::ceil_div(extent, unit), parts) * unit);
}

/// Cycles for a position of packed panels that a thread takes about for its register tiles of so much of C.
constexpr double tile_cycles(std::int64_t rows, std::int64_t cols, HostFacts const& facts) {
  int const parts = facts.real_products == 1 ? 1 : 2;
  return static_cast<double>(rows) * static_cast<double>(cols) * facts.real_products /
         static_cast<double>(facts.lanes * parts * arch::host::products_per_cycle);
}

/// Parts of C, down and across.
struct Cut {
  int rows = 1, cols = 1;
};

/// \brief  Cut C into at most `most` parts of whole register tiles: the largest part soonest done, its rows of A and
///         columns of B brought into a cache included, but rather between rows, which lie in other pages, where that is
///         about the same.
constexpr Cut choose_grid(std::int64_t m, std::int64_t n, int most, HostFacts const& facts) {
  Cut best_cut;
  std::int64_t const down = tile::ceil_div<std::int64_t>(m, facts.panel_rows);
  std::int64_t const across = std::max<std::int64_t>(1, tile::ceil_div<std::int64_t>(n, facts.panel_cols));
  double best = 0;
  for (int rows = 1; rows <= most && rows <= down; ++rows) {
    int const cols = static_cast<int>(std::min<std::int64_t>(most / rows, across));
    std::int64_t const high = largest_part(m, facts.panel_rows, rows), wide = largest_part(n, facts.panel_cols, cols);
    double const edges = static_cast<double>(high) + static_cast<double>(wide);
    double const cost =
        tile_cycles(high, wide, facts) + arch::host::fetch_cycles * static_cast<double>(facts.position_bytes) * edges;
    if (best == 0 || cost < arch::host::equal_cost * best) {
      best = best == 0 ? cost : std::min(cost, best);
      best_cut = {rows, cols};
    }
  }
  return best_cut;
}

/// Cut a block, whose packed B all threads read, into tasks no higher than mc, or than is worth being taken. In
/// register tiles: a task of h by w takes h w, to pack its A a share of h, and to bring its panels of B into a core's
/// cache a share of w. A column of tasks is cut only where there are too few rows for all threads.
constexpr void choose_tasks(std::int64_t rows, std::int64_t cols, HostPlan& plan) {
  std::int64_t const down = std::max<std::int64_t>(1, tile::ceil_div<std::int64_t>(rows, plan.panel_rows));
  std::int64_t const across = std::max<std::int64_t>(1, tile::ceil_div<std::int64_t>(cols, plan.panel_cols));
  std::int64_t const worth =
      arch::host::task_products / (across * plan.panel_cols * plan.block_depth * plan.panel_rows);
  std::int64_t const highest = std::max<std::int64_t>({1, plan.blocks.mc / plan.panel_rows, worth});
  std::int64_t const least = tile::ceil_div(down, highest);
  double best = 0;
  std::int64_t const tried = arch::host::tried_tasks_per_thread * plan.workers;
  for (std::int64_t c = 1; c <= across && c <= tried; c *= 2) {
    for (std::int64_t r = least; r <= down && r <= least + tried; ++r) {
      auto const high = static_cast<double>(tile::ceil_div(down, r)),
                 wide = static_cast<double>(tile::ceil_div(across, c));
      double const rounds = static_cast<double>(tile::ceil_div<std::int64_t>(r * c, plan.workers));
      double const cost =
          rounds * (high * wide + high / arch::host::tiles_of_packed_a + wide / arch::host::tiles_of_moved_b);
      if (best == 0 || cost < best) {
        best = cost;
        plan.task_rows = tile::ceil_div(down, r) * plan.panel_rows;
        plan.task_cols = tile::ceil_div(across, c) * plan.panel_cols;
      }
    }
    if (plan.workers == 1) break;
  }
  std::int64_t const pieces = plan.workers == 1 ? 1 : std::min(across, arch::host::pieces_per_thread * plan.workers);
  plan.pack_cols = tile::ceil_div(across, pieces) * plan.panel_cols;
}

/// \brief  Cycles for a position of packed panels that a thread takes about, where groups of `plan.workers` share C as
///         `plan` says. A's rows are transposed while they are packed; what another thread has packed has to come from
///         its cache.
constexpr double shared_cost(std::int64_t m, std::int64_t n, HostFacts const& facts, HostPlan const& plan) {
  std::int64_t const rows = largest_part(m, plan.panel_rows, plan.grid_rows),
                     cols = largest_part(n, plan.panel_cols, plan.grid_cols);
  std::int64_t const down = tile::ceil_div<std::int64_t>(rows, plan.panel_rows),
                     across = tile::ceil_div<std::int64_t>(cols, plan.panel_cols);
  auto const tiles =
      std::min(static_cast<double>(tile::ceil_div<std::int64_t>(down, plan.workers)) * static_cast<double>(across),
               static_cast<double>(down) * static_cast<double>(tile::ceil_div<std::int64_t>(across, plan.workers)));
  double const bytes = static_cast<double>(facts.position_bytes), of_group = plan.workers;
  double const blocks = static_cast<double>(tile::ceil_div(cols, plan.blocks.nc));
  double cost = tiles * tile_cycles(plan.panel_rows, plan.panel_cols, facts) +
                arch::host::pack_b_cycles * bytes * static_cast<double>(cols) / of_group;
  if (plan.pack_a) cost += arch::host::pack_a_cycles * bytes * blocks * static_cast<double>(rows) / of_group;
  if (plan.workers == 1) return cost;
  return cost + arch::host::fetch_cycles * bytes * static_cast<double>(cols) * (of_group - 1) / of_group +
         arch::host::wait_cycles * blocks * facts.k_pack / static_cast<double>(plan.blocks.kc);
}

/// \brief  Cut C into parts for groups of threads that share a packed B. Groups are as large as pays: few threads pack
///         for themselves sooner than they read from each other's caches. The packed B of all groups of a cache are no
///         more than one of nc columns.
constexpr void choose_groups(std::int64_t m, std::int64_t n, HostFacts const& facts, HostThreads threads,
                             HostPlan& plan) {
  int const together = std::min(threads.count, threads.per_cache);
  if (threads.count == 1) return;
  HostPlan best = plan;
  double least = 0;
  for (int workers = 1; workers <= together; ++workers) {
    if (together % workers != 0) continue;
    HostPlan tried = plan;
    tried.workers = workers;
    tried.blocks.nc = std::max<std::int64_t>(plan.panel_cols, plan.blocks.nc * workers / together);
    Cut const cut = choose_grid(m, n, threads.count / workers, facts);
    tried.grid_rows = cut.rows;
    tried.grid_cols = cut.cols;
    double const cost = shared_cost(m, n, facts, tried);
    if (least == 0 || cost < least) {
      least = cost;
      best = tried;
    }
  }
  plan = best;
}

/// \brief  A block of C, of at most so much, whose sums a group forms beside it. Those of all groups of a cache are no
///         more than one block, but that each of two threads has its own: operands are packed again for each block.
constexpr void choose_sums(std::int64_t rows, std::int64_t cols, HostThreads threads, HostPlan& plan) {
  int const together = std::min(threads.count, threads.per_cache), groups = together > 2 ? together / plan.workers : 1;
  std::int64_t const most = arch::host::most_sums * arch::host::most_sums / groups;
  std::int64_t high = std::min(rows, arch::host::most_sums),
               wide = std::min({cols, arch::host::most_sums, plan.blocks.nc});
  while (high * wide > most) (high > wide ? high : wide) /= 2;
  plan.block_rows = even(rows, std::max<std::int64_t>(high, 1), plan.panel_rows);
  plan.block_cols = even(cols, std::max<std::int64_t>(wide, 1), plan.panel_cols);
}

/// Elements between rows of sums beside C, which are no multiple of 1 KB apart.
constexpr std::int64_t sums_stride(std::int64_t cols) {
  std::int64_t const stride = tile::round_up<std::int64_t>(cols, arch::host::sums_gap) + arch::host::sums_gap;
  return stride % arch::host::aliased_sums == 0 ? stride + arch::host::sums_gap : stride;
}

/// Bytes of B packed for a block, of A packed for a task, and of sums beside C.
constexpr void take_workspace(HostFacts const& facts, HostPlan& plan) {
  auto const packed = [&](std::int64_t lines, int width) {
    return arch::packed_bytes(lines, plan.blocks.kc, width, facts.k_pack, facts.behind, facts.position_bytes);
  };
  plan.b_bytes = plan.pack_b ? packed(plan.block_cols, plan.panel_cols) : 0;
  std::int64_t const a_bytes = plan.pack_a ? packed(plan.blocks.mc, plan.panel_rows) : 0;
  plan.worker_bytes = std::max(plan.worker_bytes, tile::round_up<std::int64_t>(a_bytes, 64));
  plan.sums_bytes = tile::round_up<std::int64_t>(plan.block_rows * plan.sums_stride * facts.element_bytes, 64);
}

/// \brief  Threads of a group that has so many tasks: no more than these, but for groups that would then be spread over
///         caches. Threads are bound along caches, and groups take them in their order.
constexpr int busy_workers(std::int64_t tasks, HostThreads threads, HostPlan const& plan) {
  auto workers = static_cast<int>(std::min<std::int64_t>(plan.workers, tasks));
  if (plan.groups() == 1) return workers;
  while (plan.groups() * workers > threads.per_cache && threads.per_cache % workers != 0) ++workers;
  return workers;
}

/// Share C among at most this many threads; blocks are set.
constexpr void share_out(HostQuery const& q, HostThreads threads, HostPlan& plan) {
  std::int64_t const cols = q.n - plan.edge_cols;
  plan.blocks.kc = even(q.k, plan.blocks.kc, q.k_pack);
  // Threads that share nothing packed need no groups: each takes a part of C.
  plan.workers = threads.count;
  if (plan.pack_b || !q.sums_in_c()) choose_groups(q.m, cols, q, threads, plan);
  plan.blocks.nc = std::min(plan.blocks.nc, arch::host::most_shallow_width * q.blocks.nc);
  std::int64_t const rows = plan.grid_rows == 1 ? q.m : largest_part(q.m, plan.panel_rows, plan.grid_rows);
  std::int64_t const wide = plan.grid_cols == 1 ? cols : largest_part(cols, plan.panel_cols, plan.grid_cols);
  if (!q.sums_in_c()) {
    choose_sums(rows, wide, threads, plan);
    plan.sums_stride = sums_stride(plan.block_cols);
  } else {
    plan.block_rows = std::max<std::int64_t>(rows, 1);
    plan.block_cols = plan.pack_b ? even(wide, plan.blocks.nc, plan.panel_cols) : std::max<std::int64_t>(wide, 1);
  }
  plan.block_depth = plan.pack_b ? plan.blocks.kc : std::max<std::int64_t>(q.k, 1);
  if (plan.pack_b) {
    choose_tasks(plan.block_rows, plan.block_cols, plan);
  } else {
    plan.task_rows = plan.block_rows;
    plan.task_cols = plan.block_cols;
    if (plan.workers > 1) {
      Cut const parts = choose_grid(plan.block_rows, plan.block_cols, plan.workers, q);
      plan.task_rows = std::max<std::int64_t>(1, largest_part(plan.block_rows, plan.panel_rows, parts.rows));
      plan.task_cols = std::max<std::int64_t>(1, largest_part(plan.block_cols, plan.panel_cols, parts.cols));
    }
  }
  plan.blocks.mc = even(plan.task_rows, plan.blocks.mc, plan.panel_rows);
  std::int64_t const tasks = steps(plan.block_rows, plan.task_rows) * steps(plan.block_cols, plan.task_cols);
  plan.workers = busy_workers(tasks, threads, plan);
  plan.blocks.nc = even(plan.task_cols, plan.blocks.nc, plan.panel_cols);
  take_workspace(q, plan);
}

/// Lay out the sums of slices: C in blocks of so much, one after the other.
constexpr void take_sums(std::int64_t rows, std::int64_t cols, HostFacts const& facts, HostSlices& slices) {
  slices.block_rows = rows;
  slices.block_cols = cols;
  slices.row_stride = tile::round_up(cols, elements_of_lines);
  slices.bytes = tile::round_up(rows * slices.row_stride * facts.element_bytes, bytes_apart);
}

/// \brief  Bound what each thread packs for itself of the B of slices by its share of the last-level cache, and of one
///         B of nc columns, where that is more than a second-level cache holds. It decides no bits.
constexpr void bound_own_b(HostQuery const& q, int per_cache, HostPlan& plan) {
  if (!plan.pack_b) return;
  auto const packed = [&](std::int64_t cols, std::int64_t depth) {
    return arch::packed_bytes(cols, depth, plan.panel_cols, q.k_pack, q.behind, q.position_bytes);
  };
  int const together = std::min(plan.slices.threads, per_cache);
  std::int64_t const of_nc = packed(q.blocks.nc, q.blocks.kc) / together;
  std::int64_t const most = std::min(q.cache_bytes / together, std::max(of_nc, q.second_level_bytes));
  std::int64_t const panels = std::max<std::int64_t>(1, most / packed(plan.panel_cols, plan.blocks.kc));
  std::int64_t const cols = even(largest_part(q.n - plan.edge_cols, plan.panel_cols, plan.slices.grid_cols),
                                 std::min(plan.block_cols, panels * plan.panel_cols), plan.panel_cols);
  if (cols >= plan.block_cols) return;
  plan.block_cols = cols;
  plan.task_cols = plan.pack_cols = plan.blocks.nc = tile::round_up<std::int64_t>(cols, plan.panel_cols);
  take_workspace(q, plan);
}

/// \brief  Share slices of a product among at most so many threads, each of which takes as many parts as any other;
///         parts of C too where slices alone are too few for that. Columns at the right edge are one part's: which they
///         are decides their bits.
constexpr void share_slices(HostQuery const& q, HostThreads threads, HostPlan& plan) {
  HostSlices& slices = plan.slices;
  std::int64_t const cols = plan.edge_cols > 0 ? 1 : q.n;
  int const most = std::max(arch::host::tried_cuts, tile::ceil_div(threads.count, slices.count));
  double best = 0;
  for (int pieces = 1; threads.count > 1 && pieces <= most; ++pieces) {
    Cut const tried = choose_grid(q.m, cols, pieces, q);
    int const of_slice = tried.rows * tried.cols;
    auto const rounds = static_cast<double>(tile::ceil_div(slices.count * of_slice, threads.count));
    // Each cut has operands read, and packed, once more.
    double const cost = rounds / of_slice * (1 + arch::host::cut_cost * (tried.rows + tried.cols - 2));
    if (best == 0 || cost < best) {
      best = cost;
      slices.grid_rows = tried.rows;
      slices.grid_cols = tried.cols;
    }
  }
  slices.threads = std::min(threads.count, slices.parts());
  bound_own_b(q, threads.per_cache, plan);
  take_sums(q.m, q.n, q, slices);
}

/// \brief  The same sums on the calling thread in no more than most_stack_bytes: smaller blocks of C, the same blocks
///         of k. Extents and facts are those of the product that is computed, exchanged or not.
constexpr HostPlan in_little_memory(std::int64_t m, std::int64_t n, HostFacts const& facts, HostPlan plan) {
  plan.on_caller = true;
  if (HostSlices slices = plan.slices; slices.count > 1) {
    m = std::min<std::int64_t>(m, plan.panel_rows);
    if (plan.edge_cols == 0) n = std::min<std::int64_t>(n, plan.panel_cols);
    slices.threads = slices.grid_rows = slices.grid_cols = 1;
    take_sums(m, n, facts, slices);
    plan = in_little_memory(m, n, facts, plan.of_slice());
    plan.slices = slices;
    return plan;
  }
  if (plan.path != Path::tiles) {
    plan.grid_rows = plan.grid_cols = 1;
    return plan;
  }
  plan.pack_a = facts.must_pack_a();
  plan.grid_rows = plan.grid_cols = plan.workers = 1;
  plan.block_rows = plan.in_c() ? std::max<std::int64_t>(m, 1) : arch::host::little_sums_panels * plan.panel_rows;
  plan.blocks.mc = plan.pack_a ? plan.panel_rows : plan.block_rows;
  std::int64_t cols = tile::round_up<std::int64_t>(std::max<std::int64_t>(n - plan.edge_cols, 1), plan.panel_cols);
  std::int64_t const edge_bytes = plan.edge_cols > 0 ? plan.worker_bytes : 0;
  for (;; cols = std::max<std::int64_t>(plan.panel_cols, cols / 2 / plan.panel_cols * plan.panel_cols)) {
    plan.block_cols = plan.task_cols = plan.blocks.nc = plan.pack_cols = cols;
    plan.task_rows = plan.pack_b ? plan.blocks.mc : plan.block_rows;
    plan.worker_bytes = edge_bytes;
    if (!plan.in_c()) plan.sums_stride = sums_stride(cols);
    take_workspace(facts, plan);
    if (plan.workspace_bytes() <= arch::host::most_stack_bytes || cols <= plan.panel_cols) return plan;
  }
}

}  // namespace pantile::impl::matmul
