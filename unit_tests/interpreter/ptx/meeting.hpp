// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  Where lanes of a warp wait for each other. Masks may differ between lanes.

#include <interpreter/ptx/warp.hpp>

namespace pantile_interpreter::ptx {

/// Of the lanes, those whose masks' live lanes are all here; the others wait at the instruction until more come. Faults
/// where a lane's mask lacks the lane itself. If none is returned, the handler must return.
Mask those_who_met(Warp& warp, Instruction const& instruction, Mask lanes, std::uint32_t const* masks);

}  // namespace pantile_interpreter::ptx
