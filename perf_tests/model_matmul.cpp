// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  A model, not a measurement: how hosts with many cores would share a product, and the bytes that each level of
///        memory moves for it. Assumptions and tables: perf_tests/notes/matmul.md, which check_model.cmake compares.
///
/// model_matmul [edge]: products of edge x edge x edge (8192) of double with the register tiles and blocks of AVX-512.

#include <pantile/impl/matmul/host/policy.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace pantile::impl::matmul;

HostFacts doubles() {
  HostFacts facts;
  facts.available = true;
  facts.panel_rows = 8;
  facts.panel_cols = 24;
  facts.lanes = 8;
  facts.blocks = {96, 512, 2048};
  facts.in_place = pantile::impl::arch::host::in_place_512_bits;
  facts.last_level_bytes = facts.cache_bytes = 32 << 20;
  facts.a = facts.c = {1001, 1};
  facts.b = {8192, 1};
  return facts;
}

struct Modelled {
  double memory, cache, second_level;  ///< bytes that come from there per floating-point operation, of all threads
  double at_work;                      ///< share of the time that threads compute rather than wait for the slowest task
};

constexpr double first_level_bytes = 32 * 1024;

Modelled model(std::int64_t edge, HostPlan const& plan) {
  auto const n = static_cast<double>(edge), flops = 2 * n * n * n;
  auto const ceil_of = [](std::int64_t extent, std::int64_t step) { return static_cast<double>(steps(extent, step)); };
  double const depths = ceil_of(edge, plan.block_depth), group_cols = n / plan.grid_cols,
               group_rows = n / plan.grid_rows;
  double const blocks = ceil_of(static_cast<std::int64_t>(group_cols), plan.block_cols);
  double const column_tasks = ceil_of(plan.block_cols, plan.task_cols),
               row_tasks = ceil_of(plan.block_rows, plan.task_rows);
  // A for each block of columns, B for each row of groups, C read and written for each depth; packed copies stay in
  // caches.
  double const memory = 8 * n * n * (blocks * plan.grid_cols + plan.grid_rows + 2 * depths);
  // Packed B is written once and read by each row of tasks; A is written for each task and stays in a second-level
  // cache.
  double const cache = 8 * n * n * (plan.grid_rows * (1 + row_tasks) + blocks * plan.grid_cols * column_tasks);
  // Each register tile reads its panels of A and B from a second-level cache, B's but once for a row of tasks where it
  // stays in a first-level one; C passes.
  double const panel_bytes = 8.0 * static_cast<double>(plan.block_depth * plan.panel_cols);
  double const b_reads = panel_bytes > first_level_bytes ? ceil_of(edge, plan.panel_rows) : plan.grid_rows * row_tasks;
  double const second_level = 8 * n * n * (ceil_of(edge, plan.panel_cols) + b_reads + 2 * depths);
  double const tiles =
      ceil_of(static_cast<std::int64_t>(group_rows), plan.panel_rows) * ceil_of(plan.block_cols, plan.panel_cols);
  double const rounds = ceil_of(static_cast<std::int64_t>(row_tasks * column_tasks), plan.workers);
  double const slowest = rounds * static_cast<double>(plan.task_rows / plan.panel_rows) *
                         static_cast<double>(plan.task_cols / plan.panel_cols);
  return {memory / flops, cache / flops, second_level / flops, std::min(1.0, tiles / plan.workers / slowest)};
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t const edge = argc > 1 ? std::atoll(argv[1]) : 8192;
  if (edge <= 0) {
    std::fprintf(stderr, "usage: %s [edge]\n", argv[0]);
    return 2;
  }
  std::printf(
      "| threads | a cache | parts x threads | blocks of B | tasks | MB of workspace | at work | memory B/flop | cache "
      "B/flop | second level B/flop |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  for (HostThreads const& threads :
       {HostThreads{1}, {2}, {8}, {16, 8}, {32, 8}, {64, 8}, {64}, {96, 8}, {128, 8}, {128, 64}, {192, 16}}) {
    HostPlan const plan = plan_on_host(edge, edge, edge, doubles(), threads);
    Modelled const found = model(edge, plan);
    int const sharing = std::min(threads.per_cache, threads.count);
    std::printf("| %d | %d | %dx%d x %d | %lldx%lld | %lldx%lld | %.1f | %.2f | %.4f | %.4f | %.3f |\n", threads.count,
                sharing, plan.grid_rows, plan.grid_cols, plan.workers, static_cast<long long>(plan.block_depth),
                static_cast<long long>(plan.block_cols), static_cast<long long>(plan.task_rows),
                static_cast<long long>(plan.task_cols), static_cast<double>(plan.workspace_bytes()) / 1e6,
                found.at_work, found.memory, found.cache, found.second_level);
  }
}
