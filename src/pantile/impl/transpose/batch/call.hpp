// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's batches to a checked, normalised problem and its plan; from a plan to its explanation.

#include <pantile/impl/transpose/batch/launch.hpp>
#include <pantile/impl/transpose/call.hpp>
#include <pantile/impl/view/overlap_batch.hpp>

#include <source_location>
#include <string>

namespace pantile::impl::transpose {

/// Check everything that does not depend on the machine.
template <class Exec, BatchView ViewA, BatchView ViewB>
auto checked_problem(ViewA const& A, ViewB const& B, TransposeOptions const& options, std::source_location where) {
  using T = operand_element<Exec, ViewA, ViewB>;
  Batch<T const> const a = as_operand<Exec>(to_const_batch(A));
  Batch<T> const b = as_operand<Exec>(to_batch(B));
  auto const count = static_cast<Index>(B.extent(0));
  auto const check = make_checker(A, B, where);
  check.require(A.extent(0) == B.extent(0), [&] {
    return "B must be a batch of " + std::to_string(A.extent(0)) + " as A is, not of " + std::to_string(count);
  });
  check_shapes(check, a.first, b.first);
  check.not_null("A", A);
  check.not_null("B", B);
  check.require(has_distinct_elements(b, count),
                [] { return std::string("B must not overlap itself: two of its elements share memory"); });
  check.require(!share_memory(slabs_of(b, count), slabs_of(a, count)),
                [] { return std::string("B must not overlap A: they share memory"); });
  check_options(check, options);
  return BatchProblem<T>::of(a, b, count, options.conjugate);
}

/// Call f with the problems, or the one copy of a matrix that they are.
template <class T, class F>
void dispatch(BatchProblem<T> const& p, F const& f) {
  if (p.count == 1) {
    f(p.first);
  } else {
    f(p);
  }
}

/// The plan for this instance; a plan that cannot run is an error that names the operands.
template <class Exec, class T, class Check>
BatchPlan checked_plan(Exec const& exec, BatchProblem<T> const& p, Check const& check,
                       TransposeOptions const& options) {
  auto plan = choose(arch::machine(exec), make_query<arch::Current<Exec>>(p.first, options), p.count);
  check.require(plan.refusal.empty(), [&] { return plan.refusal; });
  return plan;
}

/// The explanation of the first one, for all of them.
template <class Exec, class T>
Explanation describe_plan(BatchProblem<T> const& p, BatchPlan const& plan) {
  Explanation e = describe_plan<Exec>(p.first, static_cast<Plan const&>(plan));
  e.bytes *= static_cast<double>(p.count);
  if (plan.batch_threads > 0) {
    e.league_size = static_cast<std::size_t>(plan.batch_threads);
  } else if (plan.algorithm == TransposeAlgorithm::naive) {
    e.league_size *= static_cast<std::size_t>(p.count);
  }
  return e;
}

}  // namespace pantile::impl::transpose
