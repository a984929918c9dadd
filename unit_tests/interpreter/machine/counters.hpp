// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  What is counted while kernels run.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pantile_interpreter {

/// How much work an instruction's accesses were, in the machine's units, over the least that could serve the same
/// bytes.
struct Traffic {
  std::uint64_t units = 0;  // wavefronts of shared memory, sectors of 32 bytes of global memory
  std::uint64_t ideal = 0;
};

/// One instruction of a kernel over all launches so far.
struct InstructionCount {
  std::string text;
  int line = 0;
  std::uint64_t warps = 0;  // how often a warp executed it
  std::uint64_t lanes = 0;  // for how many threads in all
  Traffic shared;
  Traffic global;
};

/// Sums since the device was made.
struct Counters {
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t races = 0;
  /// By kernel; empty unless Options::traffic.
  std::map<std::string, std::vector<InstructionCount>> kernels;
};

}  // namespace pantile_interpreter
