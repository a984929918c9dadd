// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Python's numbers as numbers of an element type.

#include <python/call.hpp>

#include <cstddef>

namespace pantile::python {

/// A number of the element type in its own memory, as the C face takes it.
struct Scalar {
  alignas(16) std::byte bytes[16];
};

/// \throws TypeError      no number of that kind: a fraction for integers, a complex number for real ones
/// \throws OverflowError  an integer that the element type does not have
Scalar scalar_of(Call const& call, char const* name, nanobind::handle number, pantile_element element);

}  // namespace pantile::python
