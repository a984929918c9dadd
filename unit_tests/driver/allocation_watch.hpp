// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <limits>

namespace pantile::driver::test {

/// Sees every allocation of a test program that is linked with allocation_watch.cpp.
struct AllocationWatch {
  std::size_t largest = 0;                                      // seen since reset()
  std::size_t limit = std::numeric_limits<std::size_t>::max();  // an allocation beyond it fails
  std::size_t left = std::numeric_limits<std::size_t>::max();   // this many succeed, then one fails

  void reset() { *this = {}; }
};

inline AllocationWatch allocation_watch;

}  // namespace pantile::driver::test
