// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses the kernel of a negation: a pure function from numbers to a plan.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/shape.hpp>

#include <cstdint>

namespace pantile::impl::negate {

struct Query {
  std::int64_t rows = 0, cols = 0;
};

struct Plan {
  char const* reason = "";
  Extent2 tile{};
};

inline Plan choose(arch::Machine const& machine, Query const& query) {
  return {"the only variant", launch::element_tile(machine.device, query.rows, query.cols)};
}

}  // namespace pantile::impl::negate
