// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's arguments to a checked, normalised problem and its plan; from a plan to its explanation.

#include <pantile/concepts.hpp>
#include <pantile/explain.hpp>
#include <pantile/impl/arch/host/caches.hpp>
#include <pantile/impl/matmul/host/tiny_call.hpp>
#include <pantile/impl/matmul/launch.hpp>
#include <pantile/impl/view/check.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <algorithm>
#include <source_location>
#include <string>

namespace pantile::impl::matmul {

/// The operands' names and shapes for error texts.
template <class ViewA, class ViewB, class ViewC>
auto make_checker(ViewA const& A, ViewB const& B, ViewC const& C, std::source_location where) {
  return Checker("matmul", where, [&] { return describe("A", A) + ", " + describe("B", B) + ", " + describe("C", C); });
}

/// Refuses options that no call may have, whether its algorithm uses them or not.
inline void check_options(Checker const& check, MatmulOptions const& options) {
  require_enumerator(check, "op_a", options.op_a);
  require_enumerator(check, "op_b", options.op_b);
  require_enumerator(check, "precision", options.precision);
  auto const [m, n, k] = options.tile;
  check.require(m >= 0 && n >= 0 && k >= 0, [] { return std::string("tile edges must not be negative"); });
  check.require(std::max({m, n, k}) <= tile::edge_limit,
                [] { return "tile edges must not exceed " + std::to_string(tile::edge_limit); });
  std::string const refusal = launch::launch_refusal(options.launch);
  check.require(refusal.empty(), [&] { return refusal; });
  using enum MatmulAlgorithm;
  require_used(check, "tile", options.tile != MatmulTile{}, options.algorithm, {tiled});
  require_used(check, "launch", options.launch != LaunchShape{}, options.algorithm, {grid_stride});
  require_used(check, "precision", options.precision != Precision::full, options.algorithm, {automatic, blocked});
}

/// The problem of operands whose operators are resolved.
template <class Types, class A, class B, class C, class Alpha, class Beta>
auto problem_of(A const& a, B const& b, C const& c, Alpha const& alpha, Beta const& beta,
                MatmulOptions const& options) {
  using Scalar = typename Types::Accumulator;
  bool const conj_a = conjugates(options.op_a), conj_b = conjugates(options.op_b);
  return
      typename Types::template Of<Problem>{a, b, c, conj_a, conj_b, to_scalar<Scalar>(alpha), to_scalar<Scalar>(beta)};
}

/// Check everything that does not depend on the machine, and resolve the operators into strides.
template <class AskedAccumulator, class Exec, class Alpha, class ViewA, class ViewB, class Beta, class ViewC>
auto checked_problem(Alpha const& alpha, ViewA const& A, ViewB const& B, Beta const& beta, ViewC const& C,
                     MatmulOptions const& options, std::source_location where) {
  using Types = OperandTypes<AskedAccumulator, Exec, ViewA, ViewB, ViewC>;
  auto a = as_operand<Exec>(to_const_matrix<vector_a>(A));
  auto b = as_operand<Exec>(to_const_matrix<vector_b>(B));
  auto const c = as_operand<Exec>(to_matrix<vector_c<ViewA>>(C));
  if (transposes(options.op_a)) a = a.transposed();
  if (transposes(options.op_b)) b = b.transposed();

  auto const check = make_checker(A, B, C, where);
  check_product(check, a, b, c);
  check.memory("A", A);
  check.memory("B", B);
  check.memory("C", C);
  check.distinct("C", c);
  check.disjoint("C", c, "A", a);
  check.disjoint("C", c, "B", b);
  check_options(check, options);
  return problem_of<Types>(a, b, c, alpha, beta, options);
}

/// Call f with the problem; of batches: batch/call.hpp.
template <class TA, class TB, class TC, class Accumulator, class F>
void dispatch(Problem<TA, TB, TC, Accumulator> const& p, F const& f) {
  f(p);
}

/// The plan for this instance; a plan that cannot run is an error that names the operands.
template <class Exec, class Problem, class ViewA, class ViewB, class ViewC>
auto checked_plan(Exec const& exec, Problem const& p, ViewA const& A, ViewB const& B, ViewC const& C,
                  MatmulOptions const& options, std::source_location where) {
  auto const query = make_query<arch::Current<Exec>>(p, options);
  return make_checker(A, B, C, where).accepted(choose(arch::with_caches(arch::machine(exec)), query));
}

/// How a host's threads share C, and its blocks.
inline std::string host_tile_text(HostPlan const& plan) {
  if (plan.path == Path::rank_k) return "rows of C, streamed once";
  if (plan.path != Path::tiles && plan.path != Path::transposed_tiles)
    return "lines of the larger operand, streamed once";
  std::string const registers = tile_name({plan.panel_rows, plan.panel_cols, 0}, plan.exchange, false) + " registers" +
                                (plan.on_caller ? ", on the calling thread" : "");
  if (plan.tiny) return registers;
  auto const [mc, kc, nc] = plan.blocks;
  return tile_name({static_cast<int>(mc), static_cast<int>(nc), static_cast<int>(kc)}, plan.exchange, true) + " by " +
         registers;
}

/// Plan -> what the user reads.
template <class Exec, class TA, class TB, class TC, class Accumulator>
Explanation describe_plan(Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan) {
  Explanation e;
  e.operation = "matmul";
  e.algorithm = to_string(plan.algorithm);
  e.path = label<Exec, TA, TB, TC>(plan);
  e.reason = plan.reason;
  e.accumulator = element_name_v<Accumulator>;
  e.tile = "-";
  auto const m = static_cast<double>(p.m()), n = static_cast<double>(p.n()), k = static_cast<double>(p.k());
  e.league_size = static_cast<std::size_t>(p.c.count());
  bool const on_device = plan.algorithm == MatmulAlgorithm::blocked && plan.tiles > 0;
  if (on_device) e.reason += split_text(plan.device);
  if (plan.algorithm == MatmulAlgorithm::tiled || on_device) {
    MatmulTile const registers{plan.micro.rows, plan.micro.cols, 0};
    e.tile = tile_name(plan.tile, plan.exchange, true) + " by " +
             (plan.micro.rows == 0 ? "matrix instructions" : tile_name(registers, plan.exchange, false) + " registers");
    e.league_size = static_cast<std::size_t>(plan.tiles);
  } else if (plan.algorithm == MatmulAlgorithm::blocked) {
    e.tile = host_tile_text(plan.host);
    e.reason += split_text(plan.host);
    e.instruction_set = arch::micro_kernel_isa();
    e.league_size = static_cast<std::size_t>(plan.host.on_caller ? 1 : plan.host.threads());
  } else if (plan.algorithm == MatmulAlgorithm::grid_stride) {
    auto const c = plan.exchange ? p.c.transposed() : p.c;
    launch::describe(plan.launch, plan.exchange, c.rows, c.cols, e);
  }
  if (plan.algorithm == MatmulAlgorithm::tiled || on_device) e.team_size = plan.team_size;
  plan.describe(e);
  bool const reads_c = !(p.beta == Accumulator(0));
  double const products = plan.scales_only ? 0 : m * n * k;
  double const inputs = plan.scales_only ? 0 : m * k * sizeof(TA) + k * n * sizeof(TB);
  e.flops = (is_complex_v<Accumulator> ? 8 : 2) * products;
  e.bytes = inputs + m * n * sizeof(TC) * (reads_c ? 2 : 1);
  return e;
}

}  // namespace pantile::impl::matmul
