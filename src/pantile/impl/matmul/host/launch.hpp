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
  if (plan.tiny) {
    auto call = product.whole;
    return product.tiny(call, plan, workspace);
  }
  if (plan.slices.count > 1) return SlicedProduct<R>(product, plan, workspace).alone();
  run_unsliced(product, plan, workspace);
}

/// All of a product on the calling thread, with workspace on its stack.
template <std::int64_t Bytes, class R>
void run_on_stack(HostProduct<R> const& product, HostPlan const& plan) {
  launch::with_stack<Bytes>([&](std::byte* workspace) { run_alone(product, plan, workspace); });
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
