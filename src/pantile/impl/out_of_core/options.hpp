// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace pantile::out_of_core {

/// What an operation on operands out of memory is given beside them.
struct OutOfCoreOptions {
  std::size_t memory = 0;       ///< bytes that its tiles may take: the plan keeps below
  std::int64_t first_tile = 0;  ///< tiles of the result that are there already, from an earlier call with the same plan
  /// Called after each tile with the number of tiles that the sink has, by the thread that writes.
  std::function<void(std::int64_t tiles)> on_tile{};
  /// Called by the calling thread with the part of the work that is done, up to 1.
  std::function<void(double done)> on_progress{};
};

}  // namespace pantile::out_of_core
