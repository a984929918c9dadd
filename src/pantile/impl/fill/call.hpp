// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's arguments to a checked, normalised fill and its plan; from a plan to its explanation.

#include <pantile/concepts.hpp>
#include <pantile/explain.hpp>
#include <pantile/impl/fill/launch.hpp>
#include <pantile/impl/view/check.hpp>

#include <source_location>
#include <string>

namespace pantile::impl::fill {

template <class ViewC>
auto make_checker(ViewC const& C, std::source_location where) {
  return Checker("fill", where, [&C] { return describe("C", C); });
}

template <class Exec, class ViewC, class F>
auto checked_problem(Checker const& check, ViewC const& C, F const& f) {
  static_assert(AccessibleFrom<ViewC, Exec>,
                "pantile::fill: the memory of C must be accessible from the execution space");
  Problem<operand_t<Exec, typename ViewC::value_type>, F> p{as_operand<Exec>(to_matrix(C)), f};
  check.memory("C", C);
  check.distinct("C", p.c);
  return p;
}

template <class Exec, class Problem>
Plan checked_plan(Exec const& exec, Checker const& check, Problem const& p, FillOptions const& options) {
  Query query{.rows = p.c.rows, .cols = p.c.cols, .fast_along_row = p.c.fast_along_row(), .options = options};
  if constexpr (Problem::is_constant) query.constant_bytes = p.c.count() * static_cast<Index>(sizeof(*p.c.data));
  return check.accepted(choose(arch::machine(exec), query));
}

/// One call: check, plan, run.
template <class Exec, class ViewC, class F>
void execute(Exec const& exec, ViewC const& C, F const& f, FillOptions const& options, std::source_location where) {
  auto const check = make_checker(C, where);
  auto const problem = checked_problem<Exec>(check, C, f);
  auto const plan = checked_plan(exec, check, problem, options);
  if (problem.c.count() > 0) run(exec, problem, plan, options.coordinates);
}

/// Plan -> what the user reads.
template <class Exec, class ViewC, class F>
Explanation explain_call(Exec const& exec, ViewC const& C, F const& f, FillOptions const& options,
                         std::source_location where) {
  using T = typename ViewC::value_type;
  auto const check = make_checker(C, where);
  auto const p = checked_problem<Exec>(check, C, f);
  auto const plan = checked_plan(exec, check, p, options);
  Explanation e;
  e.operation = "fill";
  e.algorithm = to_string(plan.algorithm);
  e.path = label<Exec, T>(plan);
  e.reason = plan.reason;
  e.league_size = static_cast<std::size_t>(p.c.count());
  if (plan.algorithm == FillAlgorithm::grid_stride) {
    launch::describe(plan.launch, false, p.c.rows, p.c.cols, e);
  } else {
    e.tile = std::to_string(plan.tile.x) + "x" + std::to_string(plan.tile.y);
  }
  e.bytes = static_cast<double>(p.c.count()) * sizeof(T);
  return e;
}

}  // namespace pantile::impl::fill
