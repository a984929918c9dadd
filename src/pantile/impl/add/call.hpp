// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's arguments to a checked, normalised problem and its plan; from a plan to its explanation.

#include <pantile/concepts.hpp>
#include <pantile/explain.hpp>
#include <pantile/impl/add/launch.hpp>
#include <pantile/impl/view/check.hpp>

#include <source_location>
#include <string>

namespace pantile::impl::add {

/// The operands' names and shapes for error texts.
template <class ViewA, class ViewB, class ViewC>
auto make_checker(ViewA const& A, ViewB const& B, ViewC const& C, std::source_location where) {
  return Checker("add", where, [&] { return describe("A", A) + ", " + describe("B", B) + ", " + describe("C", C); });
}

/// Check everything that does not depend on the machine; C of the result is fast along its rows.
template <class AskedAccumulator, class Exec, class Alpha, class ViewA, class ViewB, class Beta, class ViewC>
auto checked_problem(Alpha const& alpha, ViewA const& A, Beta const& beta, ViewB const& B, ViewC const& C,
                     AddOptions const& options, std::source_location where) {
  using Types = OperandTypes<AskedAccumulator, Exec, ViewA, ViewB, ViewC>;
  using Accumulator = typename Types::Accumulator;
  auto const a = as_operand<Exec>(to_const_matrix(A));
  auto const b = as_operand<Exec>(to_const_matrix(B));
  auto const c = as_operand<Exec>(to_matrix(C));
  auto const check = make_checker(A, B, C, where);
  check.require(a.rows == c.rows && a.cols == c.cols && b.rows == c.rows && b.cols == c.cols,
                [] { return std::string("A, B and C must have the same extents"); });
  check.memory("A", A);
  check.memory("B", B);
  check.memory("C", C);
  check.distinct("C", c);
  check.same_or_disjoint("C", c, "A", a);
  check.same_or_disjoint("C", c, "B", b);
  check.require(options.tile.x >= 0 && options.tile.y >= 0,
                [] { return std::string("tile edges must not be negative"); });
  std::string const refusal = launch::launch_refusal(options.launch);
  check.require(refusal.empty(), [&] { return refusal; });
  using enum AddAlgorithm;
  require_used(check, "tile", options.tile != Extent2{}, options.algorithm, {automatic, naive, tiled});
  require_used(check, "launch", options.launch != LaunchShape{}, options.algorithm, {grid_stride});
  return typename Types::template Of<Problem>{a, b, c, to_scalar<Accumulator>(alpha), to_scalar<Accumulator>(beta)}
      .along_c();
}

/// The plan for this instance; a plan that cannot run is an error that names the operands.
template <class Exec, class Problem, class ViewA, class ViewB, class ViewC>
Plan checked_plan(Exec const& exec, Problem const& p, ViewA const& A, ViewB const& B, ViewC const& C,
                  AddOptions const& options, std::source_location where) {
  return make_checker(A, B, C, where)
      .accepted(choose(arch::machine(exec), make_query<arch::Current<Exec>>(p, options)));
}

/// Plan -> what the user reads.
template <class Exec, class TA, class TB, class TC, class Accumulator>
Explanation describe_plan(Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan) {
  Explanation e;
  e.operation = "add";
  e.algorithm = to_string(plan.algorithm);
  e.path = label<Exec, TA, TB, TC>(plan);
  e.reason = plan.reason;
  e.accumulator = element_name_v<Accumulator>;
  e.league_size = static_cast<std::size_t>(p.c.count());
  if (plan.algorithm == AddAlgorithm::grid_stride) {
    launch::describe(plan.launch, p.exchanged, p.c.rows, p.c.cols, e);
  } else if (plan.algorithm == AddAlgorithm::blocked && arch::Current<Exec>::device) {
    e.tile = std::to_string(arch::device::packs_per_thread) + " packs of " + std::to_string(plan.pack) +
             " elements per thread" +
             (plan.as_one_row    ? " of all elements as one row"
              : plan.packed.down ? ", below each other"
                                 : "");
    e.league_size = static_cast<std::size_t>(plan.packed.threads);
  } else {
    Extent2 const tile = plan.as_one_row ? plan.tile : launch::exchange(plan.tile, p.exchanged);
    e.tile = std::to_string(tile.x) + "x" + std::to_string(tile.y) +
             (plan.as_one_row ? " of all elements as one row" : "") + (plan.past ? ", past the cache" : "") +
             (plan.on_caller ? ", on the calling thread" : "");
  }
  if ((plan.algorithm == AddAlgorithm::tiled || plan.algorithm == AddAlgorithm::blocked) &&
      !arch::Current<Exec>::device) {
    auto const [rows, cols] = launch::walk(plan.as_one_row, p.c.rows, p.c.cols);
    e.league_size = static_cast<std::size_t>(launch::row_tiles(rows, cols, plan.tile).count());
  }
  int const products = (p.reads_a() ? 1 : 0) + (p.reads_b() ? 1 : 0), sums = products == 2 ? 1 : 0;
  auto const count = static_cast<double>(p.c.count());
  e.flops = count * (is_complex_v<Accumulator> ? 6 * products + 2 * sums : products + sums);
  e.bytes = static_cast<double>(p.bytes());
  return e;
}

/// One call of the face: check, plan, run.
template <class Accumulator, class Exec, class Alpha, class ViewA, class Beta, class ViewB, class ViewC>
void execute(Exec const& exec, Alpha const& alpha, ViewA const& A, Beta const& beta, ViewB const& B, ViewC const& C,
             AddOptions const& options, std::source_location where) {
  auto const problem = checked_problem<Accumulator, Exec>(alpha, A, beta, B, C, options, where);
  auto const plan = checked_plan(exec, problem, A, B, C, options, where);
  if (problem.c.count() > 0) run(exec, problem, plan);
}

template <class Accumulator, class Exec, class Alpha, class ViewA, class Beta, class ViewB, class ViewC>
Explanation explain_call(Exec const& exec, Alpha const& alpha, ViewA const& A, Beta const& beta, ViewB const& B,
                         ViewC const& C, AddOptions const& options, std::source_location where) {
  auto const problem = checked_problem<Accumulator, Exec>(alpha, A, beta, B, C, options, where);
  return describe_plan<Exec>(problem, checked_plan(exec, problem, A, B, C, options, where));
}

}  // namespace pantile::impl::add
