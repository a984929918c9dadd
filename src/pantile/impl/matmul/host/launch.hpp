// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to a product on a host: on the calling thread, or by an instance's threads.

#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/matmul/host/facts.hpp>
#include <pantile/impl/matmul/host/macro_kernel.hpp>
#include <pantile/impl/matmul/host/policy.hpp>
#include <pantile/impl/matmul/host/product.hpp>
#include <pantile/impl/matmul/host/slices.hpp>
#include <pantile/impl/matmul/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace pantile::impl::matmul {

/// All of a product on the calling thread.
template <class R>
void run_alone(HostProduct<R> const& product, HostPlan const& plan, std::byte* workspace) {
  if (plan.slices.count > 1) return SlicedProduct<R>(product, plan, workspace).alone();
  run_unsliced(product, plan, workspace);
}

/// All of a product on the calling thread, with workspace on its stack.
template <std::int64_t Bytes, class R>
void run_on_stack(HostProduct<R> const& product, HostPlan const& plan) {
  launch::with_stack<Bytes>([&](std::byte* workspace) { run_alone(product, plan, workspace); });
}

/// The call that a tiny product is (is_one_call).
template <class Real, class T, class Accumulator>
[[gnu::always_inline]] inline void set_tiny_call(arch::GemmCall<Real>& call, bool exchange, Matrix<T const> a,
                                                 Matrix<T const> b, Matrix<T> c, bool conj_a, bool conj_b,
                                                 Accumulator const& alpha, Accumulator const& beta) {
  set_operands(call, exchange, a, b, c, conj_a, conj_b, alpha, beta);
  call.packed_a = call.packed_b = false;
  call.hints = {};
}

/// \brief  Tiles of a tiny product, whose last columns may be dot products.
/// \param  workspace  where B is packed, panel after panel; null: it is read where it lies
template <class Kernels, class Real>
void run_tiny_tiles(Kernels const& kernels, arch::GemmCall<Real>& call, Index parts, std::byte* workspace) {
  int const edge = parts == 2 ? 0 : tiny_edge_columns(call.m, call.n, call.k, call.a_cs, kernels.shape.lanes),
            width = kernels.shape.panel_cols;
  auto const run = [&](int edge_cols) {
    if (edge_cols == 0) return kernels.tiny(call);
    kernels.tiny_batch(call,
                       {.count = 1, .a_step = 0, .b_step = 0, .c_step = 0, .streams = false, .edge_cols = edge_cols});
  };
  if (workspace == nullptr) return run(edge);
  arch::PackCall panel{.from = call.b,
                       .line_stride = call.b_cs,
                       .depth_stride = call.b_rs,
                       .lines = width,
                       .depth = call.k,
                       .to = workspace,
                       .width = width,
                       .is_signed = true,
                       .other_signed = true,
                       .conjugates = false};
  Index const step = width * call.b_cs * parts;
  call.b = reinterpret_cast<Real const*>(workspace);
  call.b_rs = width;
  call.b_cs = 1;
  for (Index left = call.n; left > 0; left -= width) {
    panel.lines = call.n = std::min<Index>(left, width);
    kernels.pack_b(panel);
    run(left <= width ? edge : 0);
    panel.from = static_cast<Real const*>(panel.from) + step;
    call.c += width * parts;
  }
}

/// A tiny product that may be more than one call of the kernels, whichever way it is taken.
template <class T, class Compute, class Real>
[[gnu::noinline]] void run_other_tiny(arch::GemmCall<Real>& call) {
  constexpr Index parts = is_complex_v<T> ? 2 : 1;
  auto const& kernels = kernels_of<T, T, Compute>();
  TinyWay const way =
      tiny_way(call.m, call.n, call.k, {call.a_rs, call.a_cs}, {call.b_rs, call.b_cs}, kernels.shape.lanes, parts);
  if (way == TinyWay::in_place) return run_tiny_tiles(kernels, call, parts, nullptr);
  if (way == TinyWay::transposed) return kernels.tiny_transposed(arch::transposed(call));
  launch::with_stack<stack_workspace_bytes>([&](std::byte* workspace) {
    if (way == TinyWay::packed) return run_tiny_tiles(kernels, call, parts, workspace);
    if (way != TinyWay::dots) call = arch::transposed(call);
    call.workspace = workspace;
    call.hints = {};
    (way == TinyWay::along_columns ? kernels.skinny_rows : kernels.skinny_dots)(call);
  });
}

/// Is a product of such extents tiny for this process' kernels?
template <class T, class Accumulator>
[[gnu::always_inline]] inline bool is_tiny_here(Index m, Index n, Index k) {
  Index const largest = std::max(m, std::max(n, k));
  if (largest <= arch::host::tiny_edge) return true;
  return largest <= arch::host::most_tiny_edge &&
         is_tiny(m, n, k, kernels_of<T, T, compute_t<Accumulator>>().shape.lanes, is_complex_v<T> ? 4 : 1);
}

/// \brief  A product that is tiny (is_tiny), in as few steps as can be: what its plan says, without asking for it where
///         that is one call.
template <class T, class Accumulator>
[[gnu::always_inline]] inline void run_tiny(Matrix<T const> a, Matrix<T const> b, Matrix<T> c, bool conj_a, bool conj_b,
                                            Accumulator const& alpha, Accumulator const& beta) {
  using Compute = compute_t<Accumulator>;
  arch::GemmCall<typename HostElement<Compute>::Real> call;
  bool const exchange = exchanges_tiny(c.rows, c.cols, c.row_stride, c.col_stride);
  set_tiny_call(call, exchange, a, b, c, conj_a, conj_b, alpha, beta);
  if (!is_one_call(call.m, call.n, call.k, call.a_rs, call.b_cs)) return run_other_tiny<T, Compute>(call);
  kernels_of<T, T, Compute>().tiny(call);
}

template <class TA, class TB, class TC, class Accumulator>
HostPlan in_little_memory(Problem<TA, TB, TC, Accumulator> const& p, HostPlan const& plan) {
  HostFacts const facts = host_facts(p);
  if (plan.exchange) return in_little_memory(p.n(), p.m(), facts.transposed(), plan);
  return in_little_memory(p.m(), p.n(), facts, plan);
}

/// \brief  A product on the calling thread, without Kokkos, as planned for one thread; where there is no memory for the
///         plan, with the stack's.
template <class TA, class TB, class TC, class Accumulator>
void run_on_caller(Problem<TA, TB, TC, Accumulator> const& problem, HostPlan const& plan) {
  auto const product = host_product(problem, plan);
  if (plan.on_caller) return run_on_stack<stack_workspace_bytes>(product, plan);
  auto const workspace = launch::HostWorkspaces::get().take(static_cast<std::size_t>(plan.workspace_bytes()));
  if (workspace.data() != nullptr) return run_alone(product, plan, workspace.data());
  HostPlan const little = in_little_memory(problem, plan);
  run_on_stack<arch::host::most_stack_bytes>(host_product(problem, little), little);
}

/// A product by the threads of an instance, or as planned on the calling one. Hosts' launches wait for their end.
template <class Exec, class TA, class TB, class TC, class Accumulator>
void launch_on_host(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& problem, HostPlan const& plan,
                    Workspace const& given, std::string const& name) {
  auto const bytes = plan.on_caller ? 0 : static_cast<std::size_t>(plan.workspace_bytes());
  auto const lease = launch::HostWorkspaces::get().take(bytes, given);
  std::byte* const workspace = lease.data();
  if (plan.on_caller || (bytes > 0 && workspace == nullptr)) {
    launch::units(
        exec, 1, true, [&](Index) { run_on_caller(problem, plan); }, name);
    return;
  }
  auto const product = host_product(problem, plan);
  auto const start = [&](auto const& work) { launch::units(exec, plan.threads(), false, work, name); };
  if (plan.threads() == 1) {
    start([&](Index) { run_alone(product, plan, workspace); });
  } else if (plan.slices.count > 1) {
    SlicedProduct const sliced(product, plan, workspace);
    start([&](Index thread) { sliced.compute(thread); });
    start([&](Index thread) { sliced.add_up(thread); });
  } else {
    MacroKernel const kernel(product, plan, workspace);
    start([&](Index worker) { kernel(static_cast<int>(worker)); });
  }
}

}  // namespace pantile::impl::matmul
