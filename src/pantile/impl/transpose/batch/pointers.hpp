// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of transpositions by addresses: from MatrixPointers to the launch.

#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/transpose/batch/launch.hpp>
#include <pantile/impl/transpose/call.hpp>
#include <pantile/impl/view/overlap_batch.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <source_location>
#include <string>

namespace pantile::impl::transpose {

/// A transposition for each pair of addresses; `first` is the one of number 0, without memory where hosts cannot read
/// the addresses.
template <class T>
struct PointerProblem {
  Problem<T> first;
  Index count;
  BatchPlace<T const> source;
  BatchPlace<T> target;

  KOKKOS_INLINE_FUNCTION Problem<T> at(Index i) const {
    Problem<T> one = first;
    one.source.data = source.of(first.source.data, i);
    one.target.data = target.of(first.target.data, i);
    return one;
  }
};

/// Elements of all matrices, whose rows follow each other.
template <class T, class Kernel>
struct PointerKernel {
  static constexpr arch::KernelTag tag{"untuned", "any_address"};
  PointerProblem<T> batch;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index row) const {
    Index const rows = batch.first.source.rows;
    Kernel{batch.at(row / rows)}(j, row % rows);
  }
};

/// The matrices that the host can look at: each exactly its own source, or all apart. \return  whether in place
template <class T>
bool check_each(Checker const& check, Batch<T const> const& a, Batch<T> const& b, Index count) {
  bool const in_place = count > 0 && same_elements(b.first, a.first);
  for (Index i = 0; i < count; ++i) {
    auto const target = b.at(i);
    auto const source = a.at(i);
    check.require(in_place ? same_elements(target, source) : are_apart(target, source),
                  [] { return std::string("B must be exactly A, or not overlap it: they share memory"); });
    check.require(i == 0 || are_apart(b.at(i - 1), target),
                  [] { return std::string("B must not overlap itself: two of its elements share memory"); });
  }
  return in_place;
}

template <class T>
PointerProblem<T> in_place_problem(Batch<T> const& b, Index count, BatchPlace<T const> const& source, bool conjugates) {
  return {in_place_problem(b.first, conjugates), count, source, b.place};
}

/// Check everything that does not depend on the machine.
template <class Exec, PointerBatch ViewA, PointerBatch ViewB>
auto checked_problem(ViewA const& A, ViewB const& B, TransposeOptions const& options, std::source_location where) {
  using T = operand_element<Exec, ViewA, ViewB>;
  Batch<T const> const a = as_operand<Exec>(to_const_batch(A));
  Batch<T> const b = as_operand<Exec>(to_batch(B));
  auto const count = static_cast<Index>(B.count);
  auto const check = make_checker(A, B, where);
  check.require(A.count == B.count, [&] {
    return "B must be a batch of " + std::to_string(A.count) + " as A is, not of " + std::to_string(count);
  });
  check_shapes(check, a.first, b.first);
  check.memory("A", A);
  check.memory("B", B);
  check_addresses(check, "A", A);
  check_addresses(check, "B", B);
  check.distinct("B", b.first);
  bool in_place = false;
  if constexpr (AccessibleFrom<ViewB, Kokkos::DefaultHostExecutionSpace>) in_place = check_each(check, a, b, count);
  check_options(check, options);
  if (in_place) return in_place_problem(b, count, a.place, options.conjugate);
  Problem<T> const first = Problem<T>{a.first, b.first.transposed(), options.conjugate, false}.along_source();
  return PointerProblem<T>{first, count, a.place, b.place};
}

/// The same for square matrices in place.
template <class Exec, PointerBatch View>
auto checked_problem(View const& A, TransposeOptions const& options, std::source_location where) {
  static_assert(AccessibleFrom<View, Exec>,
                "pantile::transpose: the memory of A must be accessible from the execution space");
  auto const a = as_operand<Exec>(to_batch(A));
  auto const count = static_cast<Index>(A.count);
  auto const check = make_checker(A, where);
  check_square(check, a.first);
  check.memory("A", A);
  check_addresses(check, "A", A);
  check.distinct("A", a.first);
  if constexpr (AccessibleFrom<View, Kokkos::DefaultHostExecutionSpace>) {
    for (Index i = 1; i < count; ++i) {
      check.require(are_apart(a.at(i - 1), a.at(i)),
                    [] { return std::string("A must not overlap itself: two of its elements share memory"); });
    }
  }
  check_options(check, options);
  return in_place_problem(a, count, as_operand<Exec>(to_const_batch(A)).place, options.conjugate);
}

template <class T, class F>
void dispatch(PointerProblem<T> const& p, F const& f) {
  f(p);
}

/// \brief  Choose how the matrices are moved, from the question about the first of them. Pure. Element by element where
///         blocks are not for them; small ones, or strided ones, each by one of the host's threads.
inline BatchPlan choose_for_pointers(arch::Machine const& machine, Query query, std::int64_t count) {
  using enum TransposeAlgorithm;
  TransposeAlgorithm const asked = query.options.algorithm;
  BatchPlan plan{choose_variant(machine, query)};
  if (asked == automatic && asks_tile(query.options)) {
    plan.refusal = "tile and rows_per_thread are for Views: a batch of pointers has no tiles";
  } else if (asked == automatic && (machine.device || plan.algorithm != blocked)) {
    query.options.algorithm = naive;
    plan = {choose_variant(machine, query)};
    plan.reason = "a batch of pointers: element by element";
  } else if (asked == tiled || asked == padded || (machine.device && asked == blocked)) {
    plan.refusal = std::string("algorithm ") + to_string(asked) + " takes no pointers; automatic" +
                   (machine.device ? " and naive do" : ", naive and blocked do");
  }
  auto const bytes = 2 * static_cast<std::int64_t>(query.element_size) * query.rows * query.cols;
  if (!machine.device && (bytes <= arch::host::transposed_bytes || plan.algorithm != blocked)) {
    plan.spread(machine, bytes, count);
  }
  launch::plan_workspace(0, query.options.workspace, plan);
  return plan;
}

template <class Exec, class T>
BatchPlan checked_plan(Exec const& exec, PointerProblem<T> const& p, Checker const& check,
                       TransposeOptions const& options) {
  Query const query = make_query<arch::Current<Exec>>(p.first, options);
  return check.accepted(choose_for_pointers(arch::machine(exec), query, p.count));
}

/// One matrix by the calling thread.
template <class T>
void move_one(Problem<T> const& p, BatchPlan const& plan) {
  if (plan.algorithm == TransposeAlgorithm::blocked && p.in_place) {
    exchange_alone(p, plan);
  } else if (plan.algorithm == TransposeAlgorithm::blocked) {
    host_kernel<T>(p.conjugates)->move_batch(whole_move(p), {1, 0, 0, false});
  } else {
    for (Index i = 0; i < p.source.rows; ++i) {
      for (Index j = 0; j < p.source.cols; ++j) {
        if (p.in_place) {
          ElementPairKernel<T>{p}(j, i);
        } else {
          ElementKernel<T>{p}(j, i);
        }
      }
    }
  }
}

template <class Exec, class T>
void run(Exec const& exec, PointerProblem<T> const& p, BatchPlan const& plan) {
  if constexpr (arch::Current<Exec>::device) {
    std::string const& name = label<Exec, T>(plan, p.first.in_place);
    static std::string const call = region_label("transpose");
    Kokkos::Profiling::ScopedRegion const region(call);
    Index const rows = p.count * p.first.source.rows, cols = p.first.source.cols;
    if (p.first.in_place) return launch::per_element(exec, rows, cols, PointerKernel<T, ElementPairKernel<T>>{p}, name);
    launch::per_element(exec, rows, cols, PointerKernel<T, ElementKernel<T>>{p}, name);
  } else if (plan.batch_threads > 0) {
    std::string const& name = label<Exec, T>(plan, p.first.in_place);
    static std::string const call = region_label("transpose");
    Kokkos::Profiling::ScopedRegion const region(call);
    auto const share = [=](Index thread) {
      Index const end = p.count * (thread + 1) / plan.batch_threads;
      for (Index i = p.count * thread / plan.batch_threads; i < end; ++i) move_one(p.at(i), plan);
    };
    launch::units(exec, plan.batch_threads, plan.on_caller, share, name);
  } else {
    for (Index i = 0; i < p.count; ++i) run(exec, p.at(i), static_cast<Plan const&>(plan));  // large ones
  }
}

/// The explanation of the first one, for all of them.
template <class Exec, class T>
Explanation describe_plan(PointerProblem<T> const& p, BatchPlan const& plan) {
  Explanation e = describe_plan<Exec>(p.first, static_cast<Plan const&>(plan));
  e.bytes *= static_cast<double>(p.count);
  e.league_size = plan.batch_threads > 0 ? static_cast<std::size_t>(plan.batch_threads)
                                         : e.league_size * static_cast<std::size_t>(p.count);
  return e;
}

}  // namespace pantile::impl::transpose
