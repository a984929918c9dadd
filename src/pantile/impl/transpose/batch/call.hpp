// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's batches to a checked, normalised problem and its plan; from a plan to its explanation.

#include <pantile/impl/transpose/batch/launch.hpp>
#include <pantile/impl/transpose/call.hpp>
#include <pantile/impl/view/host_access.hpp>
#include <pantile/impl/view/overlap_batch.hpp>

#include <source_location>
#include <string>

namespace pantile::impl::transpose {

/// Each matrix as its own source and target.
template <class T>
BatchProblem<T> in_place_problem(Batch<T> const& batch, Index count, bool conjugates) {
  return {in_place_problem(batch.first, conjugates), count, {batch.place.stride, batch.place.addresses}, batch.place};
}

/// Can the host look at all matrices? Not at addresses that devices have.
template <class View>
constexpr bool is_known = !PointerBatch<View> || AccessibleFrom<View, Kokkos::DefaultHostExecutionSpace>;

/// No two written elements share memory; with addresses, only neighbouring matrices are compared.
template <class View, class T>
void check_distinct(Checker const& check, char const* name, View const&, Batch<T> const& batch, Index count) {
  auto const meet = [&] { return std::string(name) + " must not overlap itself: two of its elements share memory"; };
  if constexpr (PointerBatch<View>) {
    check.distinct(name, batch.first);
    for (Index i = 1; i < count && is_known<View>; ++i) check.require(are_apart(batch.at(i - 1), batch.at(i)), meet);
  } else {
    check.require(has_distinct_elements(batch, count), meet);
  }
}

/// Each matrix of B must be exactly its own source, or all apart. \return  whether in place
template <class View, class T>
bool is_in_place(Checker const& check, View const&, Batch<T const> const& a, Batch<T> const& b, Index count) {
  if constexpr (!is_known<View>) return false;
  bool const same = count > 0 && same_elements(b.first, a.first) && a.place.stride == b.place.stride;
  auto const fits = [&] {
    if constexpr (PointerBatch<View>) {
      for (Index i = 0; i < count; ++i) {
        if (same ? !same_elements(b.at(i), a.at(i)) : !are_apart(b.at(i), a.at(i))) return false;
      }
      return true;
    } else {
      return same || !share_memory(slabs_of(b, count), slabs_of(a, count));
    }
  };
  check.require(fits(), [] { return std::string("B must be exactly A, or not overlap it: they share memory"); });
  return same;
}

/// Check everything that does not depend on the machine.
template <class Exec, MatrixBatch ViewA, MatrixBatch ViewB>
auto checked_problem(ViewA const& A, ViewB const& B, TransposeOptions const& options, std::source_location where) {
  using T = operand_element<Exec, ViewA, ViewB>;
  auto const check = make_checker(A, B, where);
  check_host_access(check, "A", A);
  check_host_access(check, "B", B);
  Batch<T const> const a = as_operand<Exec>(to_const_batch(A));
  Batch<T> const b = as_operand<Exec>(to_batch(B));
  auto const count = static_cast<Index>(B.extent(0));
  check.require(A.extent(0) == B.extent(0), [&] {
    return "B must be a batch of " + std::to_string(A.extent(0)) + " as A is, not of " + std::to_string(count);
  });
  check_shapes(check, a.first, b.first);
  check.memory("A", A);
  check.memory("B", B);
  check_addresses(check, "A", A);
  check_addresses(check, "B", B);
  check_distinct(check, "B", B, b, count);
  check_options(check, options);
  if (BatchView<ViewB> && count == 1) {
    return BatchProblem<T>{apart_or_in_place(check, a.first, b.first, options.conjugate), 1, {}, {}};
  }
  if (is_in_place(check, B, a, b, count)) return in_place_problem(b, count, options.conjugate);
  if constexpr (BatchView<ViewB>) return BatchProblem<T>::of(a, b, count, options.conjugate);
  Problem<T> const first{a.first, b.first.transposed(), options.conjugate, false};
  return BatchProblem<T>{first.along_source(), count, a.place, b.place};
}

/// Check square matrices that are transposed in place.
template <class Exec, MatrixBatch View>
auto checked_problem(View const& A, TransposeOptions const& options, std::source_location where) {
  static_assert(AccessibleFrom<View, Exec>,
                "pantile::transpose: the memory of A must be accessible from the execution space");
  auto const check = make_checker(A, where);
  check_host_access(check, "A", A);
  auto const a = as_operand<Exec>(to_batch(A));
  auto const count = static_cast<Index>(A.extent(0));
  check_square(check, a.first);
  check.memory("A", A);
  check_addresses(check, "A", A);
  check_distinct(check, "A", A, a, count);
  check_options(check, options);
  return in_place_problem(a, count, options.conjugate);
}

/// Call f with the problems, or the one that they are.
template <class T, class F>
void dispatch(BatchProblem<T> const& p, F const& f) {
  if (p.count == 1 && !p.has_addresses()) {
    f(p.first);
  } else {
    f(p);
  }
}

/// The plan for this instance; a plan that cannot run is an error that names the operands.
template <class Exec, class T>
BatchPlan checked_plan(Exec const& exec, BatchProblem<T> const& p, Checker const& check,
                       TransposeOptions const& options) {
  Query const query = make_query<arch::Current<Exec>>(p.first, options);
  return check.accepted(choose(arch::machine(exec), query, p.count, p.has_addresses()));
}

/// The explanation of the first one, for all of them.
template <class Exec, class T>
Explanation describe_plan(BatchProblem<T> const& p, BatchPlan const& plan) {
  Explanation e = describe_plan<Exec>(p.first, static_cast<Plan const&>(plan));
  e.bytes *= static_cast<double>(p.count);
  if (plan.batch_threads > 0) {
    e.league_size = static_cast<std::size_t>(plan.batch_threads);
  } else if (plan.algorithm == TransposeAlgorithm::naive || p.has_addresses()) {
    e.league_size *= static_cast<std::size_t>(p.count);
  }
  return e;
}

/// One call on (A, B) or (A): check, plan, run.
template <class Exec, class... Views>
void execute(Exec const& exec, TransposeOptions const& options, std::source_location where, Views const&... views) {
  auto const problem = checked_problem<Exec>(views..., options, where);
  auto const check = make_checker(views..., where);
  bool const is_empty = ((views.size() == 0) || ...);
  dispatch(problem, [&](auto const& normalised) {
    auto const plan = checked_plan(exec, normalised, check, options);
    if (!is_empty) run(exec, normalised, plan);
  });
}

template <class Exec, class... Views>
Explanation explain_call(Exec const& exec, TransposeOptions const& options, std::source_location where,
                         Views const&... views) {
  auto const problem = checked_problem<Exec>(views..., options, where);
  auto const check = make_checker(views..., where);
  Explanation result;
  dispatch(problem, [&](auto const& normalised) {
    result = describe_plan<Exec>(normalised, checked_plan(exec, normalised, check, options));
  });
  return result;
}

}  // namespace pantile::impl::transpose
