// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The toy of recipe "a new operation": B = -A.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/explain.hpp>

#include <pantile/impl/negate/call.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>

namespace pantile {

/// \brief  B = -A.
/// \pre    A and B have the same extents
/// \throws pantile::Error  when they have not
template <ExecutionSpace Exec, MatrixView ViewA, MatrixView ViewB>
  requires Mutable<ViewB>
void negate(Exec const& exec, ViewA const& A, ViewB const& B,
            std::source_location where = std::source_location::current()) {
  auto const problem = impl::negate::checked_problem(A, B, where);
  impl::negate::run(exec, problem, impl::negate::choose(impl::arch::machine(exec), {problem.b.rows, problem.b.cols}));
}

namespace explain {

/// \brief  What `pantile::negate` would do with these arguments.
template <ExecutionSpace Exec, MatrixView ViewA, MatrixView ViewB>
  requires Mutable<ViewB>
Explanation negate(Exec const& exec, ViewA const& A, ViewB const& B,
                   std::source_location where = std::source_location::current()) {
  auto const problem = impl::negate::checked_problem(A, B, where);
  auto const plan = impl::negate::choose(impl::arch::machine(exec), {problem.b.rows, problem.b.cols});
  Explanation result;
  result.operation = "negate";
  result.algorithm = "naive";
  result.path = impl::negate::label<Exec, typename ViewB::value_type>();
  result.reason = plan.reason;
  return result;
}

}  // namespace explain
}  // namespace pantile

#if defined(PANTILE_USE_LIBRARY)
#include <pantile/instances/negate.hpp>
#endif
