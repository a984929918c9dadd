// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The blocked matmul on hosts: C cut into parts, a thread each, or all of it on the calling thread. Source of the
///        blocking: K. Goto, R. van de Geijn, ACM TOMS 34(3), 2008; BLIS, ACM TOMS 41(3).

#include <pantile/impl/arch/host/kernels.hpp>
#include <pantile/impl/matmul/blocked_facts.hpp>
#include <pantile/impl/matmul/blocked_part.hpp>
#include <pantile/impl/matmul/problem.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace pantile::impl::matmul {

/// The whole of a product that plan_tiny takes.
template <class T>
void run_tiny(Problem<T, T, T, T> const& p) {
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
  BlockedPart<T, T, T, T>(p, plan)(0, workspace);
}

/// \brief  The same in as few steps as can be, where nothing is packed: operands straight into the kernel's call. One of C's
///         strides is 1, however few rows or columns it has.
///
/// Measured on an AMD EPYC Zen 5 (one thread, nanoseconds of the face, 1 x 1, 4 x 4 and 8 x 8 doubles): through Problem and
/// BlockedPlan, pairs of whose numbers are loaded before their stores are done, 30, 34 and 46; so 24, 28 and 36, of which the
/// kernel takes 14, 18 and 26; so, but inlined into the face, where pairs of numbers were stored, 31, 38 and 42.
template <class T>
void run_tiny(Matrix<T const> const& a, Matrix<T const> const& b, Matrix<T> const& c, bool conj_a, bool conj_b,
              T const& alpha, T const& beta) {
  bool const exchanges = c.row_stride == 1 && (c.col_stride != 1 || c.rows > c.cols);
  Index const cols = exchanges ? c.rows : c.cols, b_cs = exchanges ? a.row_stride : b.col_stride;
  if (cols > tiny_edge_cols || (b_cs != 1 && cols != 1)) {
    Problem<T, T, T, T> const problem{a, b, c, conj_a, conj_b, alpha, beta};
    run_tiny(exchanges ? with_row_major_result<T>(problem) : problem);
    return;
  }
  using Compute = compute_t<T>;
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
  call.reads_c = !(beta == T(0));
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

/// The parts of C as the league of a team policy, a thread each; packed panels lie in the team's scratch.
template <class TA, class TB, class TC, class Accumulator>
struct BlockedKernel {
  Problem<TA, TB, TC, Accumulator> problem;
  BlockedPlan plan;
  static constexpr int scratch_level = 1;
  static constexpr std::int64_t slack = 64;  // the panels begin at a multiple of this

  template <class Member>
  void operator()(Member const& member) const {
    void* const workspace =
        member.team_scratch(scratch_level).get_shmem_aligned(static_cast<std::size_t>(plan.workspace_bytes), slack);
    BlockedPart<TA, TB, TC, Accumulator>(problem, plan)(member.league_rank(), workspace);
  }
};

/// A product whose plan is on_caller, without Kokkos.
template <class TA, class TB, class TC, class Accumulator>
void run_on_caller(Problem<TA, TB, TC, Accumulator> const& p, BlockedPlan const& plan) {
  if (plan.exchange) {
    BlockedPlan turned = plan;
    turned.exchange = false;
    run_on_caller(with_row_major_result<Accumulator>(p), turned);
    return;
  }
  alignas(64) unsigned char workspace[caller_workspace_bytes];
  BlockedPart<TA, TB, TC, Accumulator>(p, plan)(0, workspace);
}

/// A tool that listens sees the work of the calling thread as a kernel too.
template <class TA, class TB, class TC, class Accumulator>
struct OnCaller {
  Problem<TA, TB, TC, Accumulator> const& problem;
  BlockedPlan const& plan;
  void operator()(int) const { run_on_caller(problem, plan); }
};

template <class Exec, class TA, class TB, class TC, class Accumulator>
void launch_blocked(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, BlockedPlan const& plan,
                    std::string const& name) {
  if (plan.exchange) {
    BlockedPlan turned = plan;
    turned.exchange = false;
    launch_blocked(exec, with_row_major_result<Accumulator>(p), turned, name);
    return;
  }
  if (plan.on_caller) {
    if (Kokkos::Tools::profileLibraryLoaded()) {
      Kokkos::parallel_for(name, Kokkos::RangePolicy<Exec, int>(exec, 0, 1),
                           OnCaller<TA, TB, TC, Accumulator>{p, plan});
    } else {
      run_on_caller(p, plan);
    }
    return;
  }
  using Kernel = BlockedKernel<TA, TB, TC, Accumulator>;
  Kokkos::TeamPolicy<Exec> policy(exec, plan.parts(), 1);
  policy.set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(static_cast<int>(plan.workspace_bytes + Kernel::slack)));
  Kokkos::parallel_for(name, policy, Kernel{p, plan});
}

}  // namespace pantile::impl::matmul
