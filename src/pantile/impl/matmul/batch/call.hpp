// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's batches to a checked, normalised problem and its plan; from a plan to its explanation.

#include <pantile/impl/matmul/batch/launch.hpp>
#include <pantile/impl/matmul/call.hpp>
#include <pantile/impl/view/host_access.hpp>
#include <pantile/impl/view/overlap_batch.hpp>

#include <source_location>
#include <string>

namespace pantile::impl::matmul {

/// The memory of batches: each result for itself, and apart from what is read.
template <class T>
void check_distinct(Checker const& check, Batch<T> const& c, Index count) {
  check.require(has_distinct_elements(c, count),
                [] { return std::string("C must not overlap itself: two of its elements share memory"); });
}
template <class TC, class T>
void check_disjoint(Checker const& check, Batch<TC> const& c, std::string_view name, Batch<T> const& read,
                    Index count) {
  check.require(!share_memory(slabs_of(c, count), slabs_of(read, read.place.is_common() ? 1 : count)),
                [&] { return "C must not overlap " + std::string(name) + ": they share memory"; });
}

/// With addresses: of each problem for itself, and results that follow each other.
template <class TA, class TB, class TC>
void check_each(Checker const& check, Batch<TA> const& a, Batch<TB> const& b, Batch<TC> const& c, Index count) {
  check.distinct("C", c.first);
  for (Index i = 0; i < count; ++i) {
    auto const result = c.at(i);
    check.disjoint("C", result, "A", a.at(i));
    check.disjoint("C", result, "B", b.at(i));
    check.require(i == 0 || are_apart(c.at(i - 1), result),
                  [] { return std::string("C must not overlap itself: two of its elements share memory"); });
  }
}

/// A batch has as many problems as C.
template <class View, class ViewC>
void check_count(Checker const& check, char const* name, View const& view, ViewC const& C) {
  if constexpr (View::rank() == 3) {
    check.require(view.extent(0) == C.extent(0), [&] {
      return std::string(name) + " must be a matrix or a batch of " + std::to_string(C.extent(0)) +
             " as C is, not of " + std::to_string(view.extent(0));
    });
  }
}

/// Check everything that does not depend on the machine, and resolve the operators into strides.
template <class AskedAccumulator, class Exec, class Alpha, class ViewA, class ViewB, class Beta, MatrixBatch ViewC>
auto checked_problem(Alpha const& alpha, ViewA const& A, ViewB const& B, Beta const& beta, ViewC const& C,
                     MatmulOptions const& options, std::source_location where) {
  using Types = OperandTypes<AskedAccumulator, Exec, ViewA, ViewB, ViewC>;
  auto const check = make_checker(A, B, C, where);
  check_host_access(check, "A", A);
  check_host_access(check, "B", B);
  check_host_access(check, "C", C);
  auto a = as_operand<Exec>(to_const_batch(A));
  auto b = as_operand<Exec>(to_const_batch(B));
  auto const c = as_operand<Exec>(to_batch(C));
  if (transposes(options.op_a)) a = a.transposed();
  if (transposes(options.op_b)) b = b.transposed();
  auto const count = static_cast<Index>(C.extent(0));

  check_count(check, "A", A, C);
  check_count(check, "B", B, C);
  check_product(check, a.first, b.first, c.first);
  check.memory("A", A);
  check.memory("B", B);
  check.memory("C", C);
  check_addresses(check, "A", A);
  check_addresses(check, "B", B);
  check_addresses(check, "C", C);
  constexpr bool has_addresses = PointerBatch<ViewA> || PointerBatch<ViewB> || PointerBatch<ViewC>;
  if constexpr (!has_addresses) {
    check_distinct(check, c, count);
    check_disjoint(check, c, "A", a, count);
    check_disjoint(check, c, "B", b, count);
  } else if constexpr (AccessibleFrom<ViewC, Kokkos::DefaultHostExecutionSpace>) {
    check_each(check, a, b, c, count);
  }
  check_options(check, options);
  using enum MatmulAlgorithm;
  bool const takes = options.algorithm != grid_stride && options.algorithm != tiled && options.algorithm != vendor;
  check.require(takes, [&] {
    return std::string("algorithm ") + to_string(options.algorithm) +
           " takes no batches; automatic, naive and blocked do";
  });
  auto const first = problem_of<Types>(a.first, b.first, c.first, alpha, beta, options);
  return typename Types::template Of<BatchProblem>{first, count, a.place, b.place, c.place};
}

/// Call f with the problems, or the one product that they are: of all rows of A, or of all columns of B.
template <class TA, class TB, class TC, class Accumulator, class F>
void dispatch(BatchProblem<TA, TB, TC, Accumulator> const& p, F const& f) {
  if (p.count == 1 && !p.has_addresses()) return f(p.first);
  auto const transposed = p.transposed();
  for (bool const inner : {false, true}) {
    if (p.is_one_product(inner)) return f(p.as_one_product(inner));
    if (transposed.is_one_product(inner)) return f(transposed.as_one_product(inner).transposed());
  }
  f(p);
}

/// The explanation of the first product, for all of them.
template <class Exec, class TA, class TB, class TC, class Accumulator>
Explanation describe_plan(BatchProblem<TA, TB, TC, Accumulator> const& p, BatchPlan const& plan) {
  auto const count = static_cast<double>(p.count);
  auto const& one = p.first;
  Explanation e = describe_plan<Exec>(one, static_cast<Plan const&>(plan));
  auto const common = [&](auto const& place, auto const& matrix, std::size_t size) {
    bool const read = place.is_common() && !plan.scales_only;
    return read ? static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols) * static_cast<double>(size) : 0;
  };
  double const read_once = common(p.a, one.a, sizeof(TA)) + common(p.b, one.b, sizeof(TB));
  e.flops *= count;
  e.bytes = (e.bytes - read_once) * count + (p.count > 0 ? read_once : 0);
  e.league_size = plan.spreads()                     ? static_cast<std::size_t>(plan.batch_threads)
                  : plan.way == BatchWay::sequential ? e.league_size
                                                     : e.league_size * static_cast<std::size_t>(p.count);
  return e;
}

/// One call of the face: check, plan, run.
template <class Accumulator, class Exec, class Alpha, class ViewA, class ViewB, class Beta, class ViewC>
void execute(Exec const& exec, Alpha const& alpha, ViewA const& A, ViewB const& B, Beta const& beta, ViewC const& C,
             MatmulOptions const& options, std::source_location where) {
  auto const problem = checked_problem<Accumulator, Exec>(alpha, A, B, beta, C, options, where);
  dispatch(problem, [&](auto const& normalised) {
    auto const plan = checked_plan(exec, normalised, A, B, C, options, where);
    if (normalised.result_count() > 0) run(exec, normalised, plan);
  });
}

template <class Accumulator, class Exec, class Alpha, class ViewA, class ViewB, class Beta, class ViewC>
Explanation explain_call(Exec const& exec, Alpha const& alpha, ViewA const& A, ViewB const& B, Beta const& beta,
                         ViewC const& C, MatmulOptions const& options, std::source_location where) {
  auto const problem = checked_problem<Accumulator, Exec>(alpha, A, B, beta, C, options, where);
  Explanation result;
  dispatch(problem, [&](auto const& normalised) {
    result = describe_plan<Exec>(normalised, checked_plan(exec, normalised, A, B, C, options, where));
  });
  return result;
}

}  // namespace pantile::impl::matmul
