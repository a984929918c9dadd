// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  Where an instruction goes on.

#include <interpreter/ptx/instruction.hpp>

#include <vector>

namespace pantile_interpreter::ptx {

/// The instructions that it branches to.
std::vector<std::uint32_t> targets(Code const& code, Instruction const& instruction);
/// Does it branch or end the thread?
bool ends_block(Instruction const& instruction);
/// Can the next instruction come after it?
bool falls_through(Instruction const& instruction);

}  // namespace pantile_interpreter::ptx
