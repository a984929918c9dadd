// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses the kernel of a batch of products: a pure function from numbers to a plan.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/host/tuning/matmul.hpp>
#include <pantile/impl/matmul/policy.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::matmul {

/// Everything that the choice may depend on.
struct BatchQuery {
  Query one;  ///< of the first problem
  std::int64_t count = 0;
  bool has_addresses = false;
  bool interleaved = false;  ///< elements of one place of all C lie side by side, those of A and B too or are common
  bool contiguous = false;   ///< the elements of all C follow each other in the order of their faster direction
};

enum class BatchWay {
  elements,      ///< element by element of all problems
  spread,        ///< hosts: each problem by one thread
  direct,        ///< the same, operands taken as they lie, in one call of the kernels for many problems
  interleaved,   ///< the same, a register of problems at a time
  sequential,    ///< hosts: each problem by all threads, one after the other
  tiles,         ///< devices: a team for each tile of each problem
  scratch_tiles  ///< the same by the tiled matmul, of problems that lie anywhere
};

/// What runs.
struct BatchPlan : Plan {
  BatchWay way = BatchWay::elements;
  int batch_threads = 1;  ///< spread, direct, interleaved: among which the problems are shared
  std::int64_t unit = 1;  ///< of problems, whose multiples threads share
  bool streams = false;   ///< direct: C is written past the cache
  arch::BatchFetch fetch = arch::BatchFetch::none;  ///< direct: what later products read
  std::int64_t tile_rows = 0;                       ///< direct: arch::GemmBatch's

  /// Is each problem computed by one thread of a host?
  [[nodiscard]] bool spreads() const {
    return way == BatchWay::spread || way == BatchWay::direct || way == BatchWay::interleaved;
  }
  /// Bytes of workspace of a thread that computes problems.
  [[nodiscard]] std::int64_t thread_bytes() const {
    return host.on_caller ? 0 : tile::round_up(host.workspace_bytes(), bytes_apart);
  }
};

/// Products that the kernels for tiny ones take as they lie: tiny ones, and such as stay in a second-level cache while
/// the next one's operands come.
constexpr bool is_direct(Query const& q, HostPlan const& plan) {
  auto const bytes = static_cast<double>((q.m * q.k + q.k * q.n + q.m * q.n) * q.host.element_bytes);
  double const near = arch::host::stays_in_second_level * static_cast<double>(q.host.second_level_bytes);
  bool const cached = q.host.real_products == 1 && bytes <= near;
  return plan.path == Path::tiles && plan.on_caller && plan.in_c() && !plan.pack_a && !plan.pack_b &&
         (plan.edge_cols == 0 || cached) && q.host.as_they_are() && q.k <= arch::gemm_chain && (cached || plan.tiny);
}

/// Is C larger than the last-level cache, so that none of it would stay there, and can it be written past the cache?
constexpr bool streams_c(BatchQuery const& query) {
  Query const& q = query.one;
  std::int64_t const row = (q.c_along_columns ? q.m : q.n) * q.host.element_bytes;
  return query.contiguous && !q.host.reads_c && q.host.real_products == 1 &&
         row * arch::host::batch_rows <= arch::host::batch_piece_bytes &&
         q.m * q.n * q.host.element_bytes * query.count > q.host.cache_bytes;
}

/// \brief  How a batch of contiguous products meets memory: one column of register tiles reads B in the order of its
///         addresses, more of them do not, and take a second-level cache for what is to come. Behind a large
///         first-level cache low tiles read A in that order too, and C goes through the caches.
inline void plan_memory(BatchQuery const& query, BatchPlan& plan) {
  HostFacts const& facts = query.one.host;
  std::int64_t const cols = plan.host.exchange ? query.one.m : query.one.n;
  bool const wide = cols > facts.in_place_cols;
  bool const large = facts.second_level_bytes >= arch::host::large_second_level_bytes;
  bool const single = cols <= facts.lanes;
  bool const low = !large && facts.first_level_bytes >= arch::host::large_first_level_bytes;
  bool const ahead = wide || (low && cols > (arch::host::batch_low_fetched - 1) * facts.lanes);
  plan.fetch = ahead ? arch::BatchFetch::with_depth : large ? arch::BatchFetch::with_tiles : arch::BatchFetch::none;
  plan.streams = streams_c(query) && ((wide && !low) || large || single);
  if (low && !single && cols <= facts.panel_cols) plan.tile_rows = arch::host::batch_low_rows;
}

/// Each problem by a thread of its own, unless there are so few large ones that all threads should share each. Who
/// computes a problem changes none of its bits: see HostPlan.
inline void spread_on_host(arch::Machine const& machine, BatchQuery const& query, BatchPlan& plan) {
  Query const& q = query.one;
  HostThreads const all{machine.concurrency, machine.threads_per_cache};
  double const work =
      static_cast<double>(q.m) * static_cast<double>(q.n) * static_cast<double>(q.k) * q.host.real_products;
  auto const count = static_cast<double>(query.count);
  plan.batch_threads =
      static_cast<int>(std::min<std::int64_t>(query.count, useful_threads(work * count, q.host, all.count)));
  int const of_each = useful_threads(work, q.host, all.count);
  auto const rounds = static_cast<double>(tile::ceil_div<std::int64_t>(query.count, plan.batch_threads));
  bool const sequential = rounds > count / of_each;
  plan.way = sequential ? BatchWay::sequential : BatchWay::spread;
  plan.host = plan_on_host(q.m, q.n, q.k, q.host, sequential ? all : HostThreads{});
  plan.reason =
      sequential ? "a batch of few large products: all threads share each" : "a batch: each product by one thread";
  if (query.interleaved && q.host.as_they_are() && q.host.real_products == 1 && q.k <= arch::gemm_chain) {
    plan.way = BatchWay::interleaved;
    plan.reason = "a batch of products whose elements lie side by side: a register of products at a time";
    plan.unit = arch::host::interleaved_unit;
    plan.host.on_caller = true;
  } else if (!sequential && is_direct(q, plan.host) && !(query.has_addresses && plan.host.edge_cols > 0)) {
    plan.way = BatchWay::direct;
    plan_memory(query, plan);
  }
}

/// On devices, problems that lie anywhere.
inline BatchPlan plan_anywhere(arch::Machine const& machine, BatchQuery const& query, BatchPlan const& elements) {
  Query one = query.one;
  one.options.algorithm = MatmulAlgorithm::tiled;
  BatchPlan tiled{choose_variant(machine, one)};
  if (!tiled.refusal.empty() || tiled.team_size < arch::device::least_batch_team) return elements;
  tiled.way = BatchWay::scratch_tiles;
  tiled.reason = "a batch at addresses of its own: a team for each tile of each product, through scratch";
  return tiled;
}

/// Choose how a batch is computed.
inline BatchPlan choose(arch::Machine const& machine, BatchQuery const& query) {
  MatmulOptions const& options = query.one.options;
  BatchPlan plan{choose_variant(machine, query.one)};
  std::size_t bytes = 0;
  bool const blocked = plan.algorithm == MatmulAlgorithm::blocked;
  if (!plan.refusal.empty() || plan.scales_only || query.count == 0) {
    // Nothing to choose.
  } else if (blocked && !machine.device) {
    spread_on_host(machine, query, plan);
    bytes = plan.spreads() ? static_cast<std::size_t>(plan.batch_threads * plan.thread_bytes())
                           : working_bytes(machine, plan);
  } else if (blocked && !query.has_addresses) {
    plan.way = BatchWay::tiles;
    plan.reason = "a batch: a team for each tile of each product";
  } else if (blocked && options.algorithm == MatmulAlgorithm::blocked) {
    plan.refusal = "algorithm blocked on devices is for batches a stride apart, not for MatrixPointers";
  } else {
    plan.algorithm = MatmulAlgorithm::naive;
    if (options.algorithm == MatmulAlgorithm::automatic) {
      plan.reason = "a batch: an element of a product at a time";
      if (blocked) plan = plan_anywhere(machine, query, plan);
    }
  }
  launch::plan_workspace(bytes, options.workspace, plan);
  return plan;
}

}  // namespace pantile::impl::matmul
