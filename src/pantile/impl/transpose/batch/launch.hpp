// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of transpositions: which thread moves which matrix, and the launches.

#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/host/tuning/movement.hpp>
#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/transpose/batch/problem.hpp>
#include <pantile/impl/transpose/launch.hpp>
#include <pantile/impl/view/label.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <string>

namespace pantile::impl::transpose {

/// The plan of one matrix for all of them.
struct BatchPlan : Plan {
  int batch_threads = 0;  ///< hosts: that share the matrices, each of which one of them moves; zero: in other ways
  bool past = false;      ///< the caches, which would not keep what is written
  int window_pages = 0;   ///< past them, as arch::transposing::MoveBatch's

  /// Hosts: each of so many matrices, of so many bytes each, by one thread.
  void spread(arch::Machine const& machine, std::int64_t bytes, std::int64_t count) {
    on_caller = launch::is_for_caller(machine, bytes * count);
    batch_threads = on_caller ? 1 : static_cast<int>(std::min<std::int64_t>(count, machine.concurrency));
    path = Path::move;
  }
};

/// \brief  Plan matrices at addresses: element by element where blocks are not for them; small ones, or strided
///         ones, each by one of the host's threads.
inline void plan_addresses(arch::Machine const& machine, Query query, std::int64_t count, BatchPlan& plan) {
  using enum TransposeAlgorithm;
  TransposeAlgorithm const asked = query.options.algorithm;
  if (asked == automatic && asks_tile(query.options)) {
    plan.refusal = "tile and rows_per_thread are for Views: a batch of pointers has no tiles";
  } else if (asked == automatic && (machine.device || plan.algorithm != blocked)) {
    query.options.algorithm = naive;
    plan = {choose_variant(machine, query)};
    plan.reason = "a batch of pointers: element by element";
  } else if (asked == tiled || asked == padded || (machine.device && asked == blocked)) {
    plan.refusal = std::string("algorithm ") + to_string(asked) + " takes no pointers; automatic" +
                   (machine.device ? " and naive do" : ", naive and blocked do");
  }
  std::int64_t const bytes = query.bytes();
  if (!machine.device && (bytes <= arch::host::transposed_bytes || plan.algorithm != blocked)) {
    plan.spread(machine, bytes, count);
  }
}

/// \brief  Choose how the matrices of a batch are moved, from the question about the first of them. Pure.
inline BatchPlan choose(arch::Machine const& machine, Query query, std::int64_t count, bool has_addresses = false) {
  BatchPlan plan{choose_variant(machine, query)};
  bool const automatic = query.options.algorithm == TransposeAlgorithm::automatic;
  bool const blocked = plan.refusal.empty() && plan.algorithm == TransposeAlgorithm::blocked;
  std::int64_t const bytes = query.bytes();
  if (has_addresses) {
    plan_addresses(machine, query, count, plan);
  } else if (blocked && machine.device && automatic) {
    query.options.algorithm = TransposeAlgorithm::padded;
    plan = {choose_variant(machine, query)};
    plan.reason = "a batch: a tile of one of the matrices at a time";
  } else if (blocked && machine.device) {
    plan.refusal = "algorithm blocked on devices takes no batches; automatic, naive, tiled and padded do";
  } else if (blocked && bytes <= arch::host::transposed_bytes) {
    plan.spread(machine, bytes, count);
    bool const large = query.second_level_bytes >= arch::host::large_second_level_bytes;
    plan.window_pages = query.first_level_bytes < arch::host::large_first_level_bytes ? 1 : large ? 0 : 2;
    plan.past = !query.in_place && bytes * count > query.cache_bytes;
    plan.reason = plan.past
                      ? "a batch: blocks are transposed in the registers of this CPU, each matrix by one thread, and "
                        "written past the cache where the results follow each other"
                      : "a batch: blocks are transposed in the registers of this CPU, each matrix by one thread";
  }
  plan.tiles *= plan.algorithm == TransposeAlgorithm::blocked ? 1 : count;
  std::size_t const scratch = launch::host_scratch_bytes(machine, plan.tiles, plan.scratch_bytes);
  launch::plan_workspace(scratch, query.options.workspace, plan);
  return plan;
}

/// Rows, or elements, of all matrices, which follow each other.
template <class T, class Kernel>
struct BatchKernel {
  BatchProblem<T> batch;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index row) const {
    Index const rows = batch.first.source.rows;
    Kernel{batch.strided_at(row / rows)}(j, row % rows);
  }
  KOKKOS_INLINE_FUNCTION void operator()(Index row, Index j, Index count) const {
    Index const rows = batch.first.source.rows;
    Kernel{batch.strided_at(row / rows)}(row % rows, j, count);
  }
};

/// Elements of all matrices at addresses, whose rows follow each other.
template <class T, class Kernel>
struct PointerKernel {
  static constexpr arch::KernelTag tag{"untuned", "any_address"};
  BatchProblem<T> batch;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index row) const {
    Index const rows = batch.first.source.rows;
    Kernel{batch.at(row / rows)}(j, row % rows);
  }
};

template <class Exec, class T>
void copy_batch(Exec const& exec, BatchProblem<T> const& p, std::string const& name) {
  Index const rows = p.count * p.first.source.rows, cols = p.first.source.cols;
  if constexpr (arch::Current<Exec>::device) {
    launch::per_element(exec, rows, cols, BatchKernel<T, ElementKernel<T>>{p}, name);
  } else {
    Extent2 const tile = launch::row_tile(rows, cols, false);
    bool const on_caller = launch::is_for_caller(arch::machine(exec), 2 * rows * cols * static_cast<Index>(sizeof(T)));
    if (p.first.source.col_stride == 1 && p.first.target.col_stride == 1) {
      launch::row_blocks(exec, rows, cols, tile, on_caller, BatchKernel<T, RowKernel<T, true>>{p}, name);
    } else {
      launch::row_blocks(exec, rows, cols, tile, on_caller, BatchKernel<T, RowKernel<T, false>>{p}, name);
    }
  }
}

/// Each matrix by one of the host's threads.
template <class Exec, class T>
void move_batch(Exec const& exec, BatchProblem<T> const& p, BatchPlan const& plan, std::string const& name) {
  arch::TransposeKernel const kernel = *host_kernel<T>(p.first.conjugates);
  constexpr Index size = sizeof(T);
  auto const share = [=](Index thread) {
    Index const begin = p.count * thread / plan.batch_threads, end = p.count * (thread + 1) / plan.batch_threads;
    if (p.first.in_place) {
      for (Index i = begin; i < end; ++i) exchange_alone(p.at(i), plan);
      return;
    }
    kernel.move_batch(whole_move(p.at(begin)),
                      {end - begin, p.source.stride * size, p.target.stride * size, plan.past, plan.window_pages});
  };
  launch::units(exec, plan.batch_threads, plan.on_caller, share, name);
}

/// One matrix by the calling thread.
template <class T>
void move_one(Problem<T> const& p, BatchPlan const& plan) {
  if (plan.algorithm == TransposeAlgorithm::blocked && p.in_place) {
    exchange_alone(p, plan);
  } else if (plan.algorithm == TransposeAlgorithm::blocked) {
    host_kernel<T>(p.conjugates)->move_batch(whole_move(p), {1, 0, 0, false});
  } else {
    for (Index i = 0; i < p.source.rows; ++i) {
      for (Index j = 0; j < p.source.cols; ++j) {
        if (p.in_place) {
          ElementPairKernel<T>{p}(j, i);
        } else {
          ElementKernel<T>{p}(j, i);
        }
      }
    }
  }
}

/// Matrices at addresses.
template <class Exec, class T>
void run_addresses(Exec const& exec, BatchProblem<T> const& p, BatchPlan const& plan, std::string const& name) {
  if constexpr (arch::Current<Exec>::device) {
    Index const rows = p.count * p.first.source.rows, cols = p.first.source.cols;
    if (p.first.in_place) return launch::per_element(exec, rows, cols, PointerKernel<T, ElementPairKernel<T>>{p}, name);
    launch::per_element(exec, rows, cols, PointerKernel<T, ElementKernel<T>>{p}, name);
  } else if (plan.batch_threads > 0) {
    auto const share = [=](Index thread) {
      Index const end = p.count * (thread + 1) / plan.batch_threads;
      for (Index i = p.count * thread / plan.batch_threads; i < end; ++i) move_one(p.at(i), plan);
    };
    launch::units(exec, plan.batch_threads, plan.on_caller, share, name);
  } else {
    for (Index i = 0; i < p.count; ++i) run_blocked(exec, p.at(i), plan, name);  // large ones
  }
}

/// Run the plan. Everything that is instantiated per element type and space is behind this function.
template <class Exec, class T>
void run(Exec const& exec, BatchProblem<T> const& p, BatchPlan const& plan) {
  std::string const& name = label<Exec, T>(plan, p.first.in_place);
  static std::string const call = region_label("transpose");
  Kokkos::Profiling::ScopedRegion const region(call);
  if (p.has_addresses()) {
    run_addresses(exec, p, plan, name);
  } else if (plan.copy) {
    copy_batch(exec, p, name);
  } else if (plan.algorithm == TransposeAlgorithm::naive) {
    Index const rows = p.count * p.first.source.rows, cols = p.first.source.cols;
    if (p.first.in_place) return launch::per_element(exec, rows, cols, BatchKernel<T, ElementPairKernel<T>>{p}, name);
    launch::per_element(exec, rows, cols, BatchKernel<T, ElementKernel<T>>{p}, name);
  } else if (plan.algorithm != TransposeAlgorithm::blocked) {
    run_tiled(exec, p, plan, name);
  } else if constexpr (!arch::Current<Exec>::device) {
    if (plan.batch_threads > 0) return move_batch(exec, p, plan, name);
    for (Index i = 0; i < p.count; ++i) run_blocked(exec, p.at(i), plan, name);  // large ones
  }
}

}  // namespace pantile::impl::transpose
