// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  What threads of a CTA do where they meet.

#include <cstdint>

namespace pantile_interpreter::ptx {

/// Instruction::mode of bar.red.
enum class BarrierReduction : std::uint8_t { all, any, count };

}  // namespace pantile_interpreter::ptx
