// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  How much work an access of a warp is for the machine: wavefronts of shared memory, sectors of global memory.

#include <interpreter/ptx/spaces.hpp>
#include <interpreter/ptx/warp.hpp>

#include <span>

namespace pantile_interpreter::ptx {

/// Wavefronts of an access to shared memory: 32 banks of 4 bytes, each of which gives one word at a time to all lanes
/// that want it; accesses of 8 and 16 bytes go in halves and quarters of a warp. Loads of a whole warp of which each
/// lane n has the address of lane n ^ 1, or each that of lane n ^ 2, take half as many. Source: NVIDIA's developer
/// forum, "Unexpected shared memory bank conflict" (77228) for these pairs; for sm_90, which does so too, "Discrepancy
/// in LDS.128 wavefronts" (373160).
Traffic shared_traffic(std::span<std::uint64_t const> addresses, unsigned bytes, bool loads);
/// Sectors of 32 bytes.
Traffic global_traffic(std::span<std::uint64_t const> addresses, unsigned bytes);

/// Adds an instruction's access to its count. The address is in a register, with the instruction's offset.
void count_access(Warp& warp, Instruction const& instruction, Mask lanes, unsigned slot, unsigned bytes, Touch touch);

/// Adds to an instruction's count that these addresses of shared memory are written, as by a copy into it.
void count_shared(Warp& warp, Instruction const& instruction, std::span<std::uint64_t const> addresses, unsigned bytes);

}  // namespace pantile_interpreter::ptx
