// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the plan of a batch to kernels on the caller's instance: one launch for all problems, or one for each
///        where they are large.

#include <pantile/impl/arch/host/tuning/matmul.hpp>
#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/matmul/batch/policy.hpp>
#include <pantile/impl/matmul/batch/problem.hpp>
#include <pantile/impl/matmul/batch/tiled.hpp>
#include <pantile/impl/matmul/launch.hpp>
#include <pantile/impl/view/label.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace pantile::impl::matmul {

/// The question to the pure policy.
template <class Arch, class TA, class TB, class TC, class Accumulator>
BatchQuery make_query(BatchProblem<TA, TB, TC, Accumulator> const& p, MatmulOptions const& options) {
  auto const beside = [](auto const& place) { return place.is_common() || place.stride == 1; };
  bool const interleaved = !p.has_addresses() && p.c.stride == 1 && beside(p.a) && beside(p.b);
  auto const c = p.first.c.fast_along_row() ? p.first.c : p.first.c.transposed();
  bool const contiguous =
      !p.has_addresses() && c.col_stride == 1 && c.row_stride == c.cols && p.c.stride == c.rows * c.cols;
  BatchQuery query{make_query<Arch>(p.first, options), p.count, p.has_addresses(), interleaved, contiguous};
  query.one.batch = p.count;
  return query;
}

/// An element of one of the problems, whose rows follow each other.
template <class TA, class TB, class TC, class Accumulator>
struct BatchElementKernel {
  static constexpr arch::KernelTag tag{"untuned", "any_address"};
  BatchProblem<TA, TB, TC, Accumulator> batch;
  Epilogue<TC, Accumulator> epilogue;
  bool scales_only;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index row) const {
    Index const rows = batch.first.c.rows;
    auto const p = batch.at(row / rows);
    if (scales_only) {
      ScaleKernel<TC, Accumulator>{p.c, epilogue}(j, row % rows);
    } else {
      ElementKernel<TA, TB, TC, Accumulator>{{p.a, p.b, p.conj_a, p.conj_b}, p.c, epilogue}(j, row % rows);
    }
  }
};

/// f(product) for the problems from begin to end, one after the other.
template <class TA, class TB, class TC, class Accumulator, class F>
void for_each_product(BatchProblem<TA, TB, TC, Accumulator> const& batch, HostPlan const& plan, Range const& problems,
                      F const& f) {
  auto product = host_product(batch.first, plan);
  for (Index i = problems.begin; i < problems.end; ++i) {
    auto const one = batch.at(i);
    product.move_to(one.a.data, one.b.data, one.c.data);
    f(product);
  }
}

/// Those that kernels take as they lie, who go from problem to problem by themselves where these are a stride apart.
template <class TA, class TB, class TC, class Accumulator>
void run_direct_problems(BatchProblem<TA, TB, TC, Accumulator> const& batch, BatchPlan const& plan,
                         Range const& problems) {
  auto const& kernels = kernels_of<TA, TB, compute_t<Accumulator>>();
  auto const product = host_product(batch.at(problems.begin), plan.host);
  arch::GemmBatch steps{problems.size(), batch.a.stride,      batch.b.stride, batch.c.stride,
                        plan.streams,    plan.host.edge_cols, plan.fetch,     plan.tile_rows};
  if (plan.host.exchange) std::swap(steps.a_step, steps.b_step);
  if (plan.way == BatchWay::interleaved) return kernels.interleaved(product.whole, steps);
  if (!batch.has_addresses()) return kernels.tiny_batch(product.whole, steps);
  for_each_product(batch, plan.host, problems, [&](auto const& one) { kernels.tiny(one.whole); });
}

/// Problems shared among threads, each computed as a thread alone would.
template <class Exec, class TA, class TB, class TC, class Accumulator>
void launch_spread(Exec const& exec, BatchProblem<TA, TB, TC, Accumulator> const& batch, BatchPlan const& plan,
                   std::string const& name) {
  HostPlan const& host = plan.host;
  std::int64_t const bytes = plan.thread_bytes();
  auto const lease =
      launch::HostWorkspaces::get().take(static_cast<std::size_t>(plan.batch_threads * bytes), plan.workspace);
  std::byte* const workspace = lease.data();
  // Where there is no memory, the stacks of the threads serve, as of one product.
  HostPlan const little = bytes > 0 && workspace == nullptr ? in_little_memory(batch.first, host) : host;
  auto const share = [&](Index thread) {
    Range const problems = part_of({0, batch.count}, plan.unit, thread, plan.batch_threads);
    if (problems.size() == 0) return;
    if (plan.way != BatchWay::spread) return run_direct_problems(batch, plan, problems);
    auto const run = [&](HostPlan const& by, std::byte* own) {
      for_each_product(batch, by, problems, [&](auto const& product) { run_alone(product, by, own); });
    };
    if (bytes > 0 && workspace != nullptr) return run(host, workspace + thread * bytes);
    if (bytes > 0) return launch::with_stack<arch::host::most_stack_bytes>([&](std::byte* own) { run(little, own); });
    launch::with_stack<stack_workspace_bytes>([&](std::byte* own) { run(host, own); });
  };
  launch::units(exec, plan.batch_threads, plan.batch_threads == 1, share, name);
}

/// The kernels that take a batch the way round that its plan says.
template <class Arch, class Exec, class TA, class TB, class TC, class Accumulator>
void launch_batch_as_planned(Exec const& exec, BatchProblem<TA, TB, TC, Accumulator> const& batch,
                             BatchPlan const& plan, std::string const& name) {
  auto const& one = batch.first;
  if (plan.way == BatchWay::elements) {
    Epilogue<TC, Accumulator> const epilogue(one.alpha, one.beta);
    BatchElementKernel<TA, TB, TC, Accumulator> const kernel{batch, epilogue, plan.scales_only};
    launch::per_element(exec, batch.count * one.m(), one.n(), kernel, name);
  } else if constexpr (Arch::device) {
    if (plan.way == BatchWay::scratch_tiles) return launch_tiled_batch<Arch>(exec, batch, plan, name);
    launch_batch_on_device(typename Arch::template MatmulTiles<TA, TB, compute_t<Accumulator>>{}, exec, batch, plan,
                           name);
  }
}

/// \brief  Run the plan. Everything that is instantiated per element type and space is behind this function.
/// \tparam Arch  as of a product's run
template <class Exec, class TA, class TB, class TC, class Accumulator, class Arch = arch::Current<Exec>>
void run(Exec const& exec, BatchProblem<TA, TB, TC, Accumulator> const& batch, BatchPlan const& plan) {
  std::string const& name = label<Exec, TA, TB, TC>(plan);
  static std::string const call = region_label("matmul");
  Kokkos::Profiling::ScopedRegion const region(call);
  if constexpr (!Arch::device && HostElement<compute_t<Accumulator>>::available) {
    if (plan.spreads()) return launch_spread(exec, batch, plan, name);
    if (plan.way == BatchWay::sequential) {
      for (Index i = 0; i < batch.count; ++i) launch_on_host(exec, batch.at(i), plan.host, plan.workspace, name);
      return;
    }
  }
  as_planned(batch, plan.exchange, [&](auto const& seen) { launch_batch_as_planned<Arch>(exec, seen, plan, name); });
}

}  // namespace pantile::impl::matmul
