// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What is known of a run's process.

#include <support/json.hpp>

#include <string>

namespace pantile::perf {

/// The processors that each host thread may run on, such as 0-3,8, once where all have the same. Kokkos must run.
std::string affinity();

/// What every reader needs to judge the figures. Kokkos must run.
void add_context(JsonObject& context);

}  // namespace pantile::perf
