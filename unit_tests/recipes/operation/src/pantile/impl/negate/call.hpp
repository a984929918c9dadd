// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's arguments to a checked, normalised problem.

#include <pantile/impl/negate/launch.hpp>
#include <pantile/impl/view/check.hpp>

#include <source_location>
#include <string>

namespace pantile::impl::negate {

template <class ViewA, class ViewB>
Problem<typename ViewB::value_type> checked_problem(ViewA const& A, ViewB const& B, std::source_location where) {
  Checker const check("negate", where, [&] { return describe("A", A) + ", " + describe("B", B); });
  check.require(A.extent(0) == B.extent(0) && A.extent(1) == B.extent(1),
                [] { return std::string("A and B must have the same extents"); });
  check.memory("A", A);
  check.memory("B", B);
  return {to_matrix(typename ViewA::const_type(A)), to_matrix(B)};
}

}  // namespace pantile::impl::negate
