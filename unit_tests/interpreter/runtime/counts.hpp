// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What was counted of each kernel, as lines of JSON.

#include <interpreter/machine/counters.hpp>

#include <map>
#include <string>
#include <vector>

namespace pantile_interpreter::runtime {

/// A line for each kernel: its name, the arguments of the program that launched it, and for each instruction that was
/// executed a list of its text, line of the PTX, warps, lanes, wavefronts, their ideal, sectors, their ideal.
std::string lines_of_counts(std::map<std::string, std::vector<InstructionCount>> const& kernels,
                            std::vector<std::string> const& arguments);

/// Those that this process was started with, without its name.
std::vector<std::string> arguments_of_process();

}  // namespace pantile_interpreter::runtime
