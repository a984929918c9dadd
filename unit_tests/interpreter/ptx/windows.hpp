// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  Generic addresses: those of global memory and, in windows of their own, of the other spaces.

#include <interpreter/ptx/decoder.hpp>

namespace pantile_interpreter::ptx {

/// What is added to an address in its space for the generic one.
inline std::uint64_t window_of(Memory const& memory, Space space) {
  switch (space) {
    case Space::shared: return memory.window(0);
    case Space::local: return memory.window(1);
    case Space::parameter: return memory.window(2);
    default: return 0;
  }
}

/// The space that a generic address is of.
inline Space space_at(Memory const& memory, std::uint64_t address) {
  std::uint64_t const place = address - memory.window(0);
  if (place >= 3 * Memory::window_bytes) return Space::global;
  return place < Memory::window_bytes       ? Space::shared
         : place < 2 * Memory::window_bytes ? Space::local
                                            : Space::parameter;
}

/// The space that an opcode names.
Space space_of(Operation const& operation);

}  // namespace pantile_interpreter::ptx
