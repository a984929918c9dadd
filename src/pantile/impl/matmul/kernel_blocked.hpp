// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The blocked matmul on hosts: C cut into parts, a thread each, or all of it on the calling thread. Source of the
///        blocking: K. Goto, R. van de Geijn, ACM TOMS 34(3), 2008; BLIS, ACM TOMS 41(3).

#include <pantile/impl/arch/host/kernels.hpp>
#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/matmul/blocked_facts.hpp>
#include <pantile/impl/matmul/blocked_part.hpp>
#include <pantile/impl/matmul/problem.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace pantile::impl::matmul {

/// The whole of a product that plan_tiny takes.
template <class T, class Accumulator>
void run_tiny(Problem<T, T, T, Accumulator> const& p) {
  // For B packed, whose register tiles are at most as wide and divide that width; and for the last columns.
  constexpr std::int64_t bytes = most_tiny_edge * most_tiny_edge * 16;
  static_assert(arch::ThinBlocks::workspace_bytes(arch::ThinBlocks::rows, most_tiny_edge, most_tiny_edge, 1, 8) <= bytes);
  alignas(64) unsigned char workspace[bytes];
  BlockedPlan plan;
  plan.direct = plan.on_caller = true;
  plan.pack_b = p.b.col_stride != 1 && p.b.cols != 1;
  plan.blocks = {most_tiny_edge, most_tiny_edge, most_tiny_edge};
  if (p.n() > tiny_edge_cols) {
    BlockedFacts const facts = blocked_facts(p);
    plan_edge(p.m(), p.n(), p.k(), facts, plan);
  }
  BlockedPart<T, T, T, Accumulator>(p, plan)(0, workspace);
}

/// \brief  The same in as few steps as can be, where nothing is packed: operands straight into the kernel's call. One of C's
///         strides is 1, however few rows or columns it has.
///
/// Measured on an AMD EPYC Zen 5 (one thread, nanoseconds of the face, 1 x 1, 4 x 4 and 8 x 8 doubles): through Problem and
/// BlockedPlan, pairs of whose numbers are loaded before their stores are done, 30, 34 and 46; so 24, 28 and 36, of which the
/// kernel takes 14, 18 and 26; so, but inlined into the face, where pairs of numbers were stored, 31, 38 and 42.
template <class T, class Accumulator>
void run_tiny(Matrix<T const> const& a, Matrix<T const> const& b, Matrix<T> const& c, bool conj_a, bool conj_b,
              Accumulator const& alpha, Accumulator const& beta) {
  bool const exchanges = c.row_stride == 1 && (c.col_stride != 1 || c.rows > c.cols);
  Index const cols = exchanges ? c.rows : c.cols, b_cs = exchanges ? a.row_stride : b.col_stride;
  if (cols > tiny_edge_cols || (b_cs != 1 && cols != 1)) {
    Problem<T, T, T, Accumulator> const problem{a, b, c, conj_a, conj_b, alpha, beta};
    run_tiny(exchanges ? with_row_major_result<Accumulator>(problem) : problem);
    return;
  }
  using Compute = compute_t<Accumulator>;
  using Real = typename BlockedElement<Compute>::Real;
  arch::GemmCall<Real> call;
  call.m = exchanges ? c.cols : c.rows;
  call.n = cols;
  call.k = a.cols;
  call.a = reinterpret_cast<Real const*>(exchanges ? b.data : a.data);
  call.a_rs = exchanges ? b.col_stride : a.row_stride;
  call.a_cs = exchanges ? b.row_stride : a.col_stride;
  call.b = reinterpret_cast<Real const*>(exchanges ? a.data : b.data);
  call.b_rs = exchanges ? a.col_stride : b.row_stride;
  call.b_cs = b_cs;
  call.c = reinterpret_cast<Real*>(c.data);
  call.c_rs = exchanges ? c.col_stride : c.row_stride;
  call.c_cs = exchanges ? c.row_stride : c.col_stride;
  call.reads_c = !(beta == Accumulator(0));
  call.conj_a = exchanges ? conj_b : conj_a;
  call.conj_b = exchanges ? conj_a : conj_b;
  call.method = arch::GemmMethod::tiles;
  call.pack_a = call.pack_b = call.far = false;
  call.blocks.mc = call.blocks.kc = call.blocks.nc = most_tiny_edge;
  call.workspace = nullptr;
  auto const& kernels = *arch::host_kernels<arch::GemmKernels<Real>>();
  if constexpr (is_complex_v<Compute>) {
    Compute const factor = convert<Compute>(alpha), share = convert<Compute>(beta);
    call.alpha[0] = factor.real();
    call.alpha[1] = factor.imag();
    call.beta[0] = share.real();
    call.beta[1] = share.imag();
    kernels.complex(call);
  } else {
    call.alpha[0] = convert<Compute>(alpha);
    call.beta[0] = convert<Compute>(beta);
    call.alpha[1] = call.beta[1] = Real(0);
    kernels.real(call);
  }
}

/// A part in memory of the thread's stack: its plan is on_caller, or was shrunk to most_stack_bytes.
template <std::int64_t Bytes, class TA, class TB, class TC, class Accumulator>
[[gnu::noinline]] void run_part_on_stack(Problem<TA, TB, TC, Accumulator> const& p, BlockedPlan const& plan, int part) {
  alignas(64) unsigned char workspace[Bytes];
  BlockedPart<TA, TB, TC, Accumulator>(p, plan)(part, workspace);
}

/// The parts of C, a thread each, with a piece of the workspace or, where there is none, of its stack.
template <class TA, class TB, class TC, class Accumulator>
struct BlockedKernel {
  Problem<TA, TB, TC, Accumulator> problem;
  BlockedPlan plan;
  std::byte* workspace;
  std::size_t stride;

  void operator()(Index index) const {
    int const part = static_cast<int>(index);
    if (plan.on_caller) {
      run_part_on_stack<caller_workspace_bytes>(problem, plan, part);
    } else if (workspace == nullptr) {
      run_part_on_stack<most_stack_bytes>(problem, plan, part);
    } else {
      BlockedPart<TA, TB, TC, Accumulator>(problem, plan)(part, workspace + static_cast<std::size_t>(part) * stride);
    }
  }
};

/// \brief  A product whose plan has one part, without Kokkos.
/// \return false where it must have workspace and there is none; then nothing has been written
template <class TA, class TB, class TC, class Accumulator>
bool run_on_caller(Problem<TA, TB, TC, Accumulator> const& p, BlockedPlan plan) {
  if (std::exchange(plan.exchange, false)) return run_on_caller(with_row_major_result<Accumulator>(p), plan);
  if (plan.on_caller) {
    run_part_on_stack<caller_workspace_bytes>(p, plan, 0);
    return true;
  }
  auto const workspace = launch::HostWorkspaces::get().take(static_cast<std::size_t>(plan.workspace_bytes));
  if (workspace.data() != nullptr) {
    BlockedPart<TA, TB, TC, Accumulator>(p, plan)(0, workspace.data());
    return true;
  }
  if (!shrink_workspace(sizeof(compute_t<Accumulator>), plan)) return false;
  run_part_on_stack<most_stack_bytes>(p, plan, 0);
  return true;
}

template <class Exec, class TA, class TB, class TC, class Accumulator>
void launch_blocked(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, BlockedPlan plan,
                    std::string const& name) {
  if (std::exchange(plan.exchange, false)) {
    launch_blocked(exec, with_row_major_result<Accumulator>(p), plan, name);
    return;
  }
  using Kernel = BlockedKernel<TA, TB, TC, Accumulator>;
  if (plan.on_caller) {
    launch::units(exec, 1, true, Kernel{p, plan, nullptr, 0}, name);
    return;
  }
  // Parts begin in different sets of a cache.
  auto const stride = static_cast<std::size_t>(tile::round_up<std::int64_t>(plan.workspace_bytes, 4096) + 256);
  auto const workspace = launch::HostWorkspaces::get().take(stride * static_cast<std::size_t>(plan.parts()));
  if (workspace.data() == nullptr && !shrink_workspace(sizeof(compute_t<Accumulator>), plan)) throw std::bad_alloc();
  launch::units(exec, plan.parts(), false, Kernel{p, plan, workspace.data(), stride}, name);
}

}  // namespace pantile::impl::matmul
