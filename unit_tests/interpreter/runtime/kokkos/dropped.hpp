// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A fault that can be planted: a fence that does not wait.

#include <string>

namespace Kokkos::Impl {

/// Is this the fence that PANTILE_INTERPRETER_DROP_FENCE names? Tools still hear of it.
bool is_dropped(std::string const& fence);

}  // namespace Kokkos::Impl
