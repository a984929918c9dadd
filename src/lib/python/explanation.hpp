// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Explanations as objects of Python.

#include <python/call.hpp>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>

namespace pantile::python {

struct Explanation {
  std::string text;
  std::size_t workspace_bytes = 0;
  double flops = 0, bytes = 0;
};

/// What ask(instance, explanation) writes, one of the C face's functions that explain.
nanobind::object explained(Call const& call, std::initializer_list<Array const*> arrays,
                           std::function<pantile_status(pantile_exec*, pantile_explanation*)> const& ask);

}  // namespace pantile::python
