// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  What the environment can say to the interpreter.

#include <cstdint>
#include <string>

namespace pantile_interpreter {

/// Each is read from the environment variable beside it.
struct Options {
  std::uint64_t seed = 0;     // PANTILE_INTERPRETER_SEED: order of warps and CTAs; 0 is ascending order
  bool early_copies = false;  // PANTILE_INTERPRETER_COPIES=early|late: when bytes of cp.async arrive
  bool races = true;          // PANTILE_INTERPRETER_RACES=on|off
  bool uninitialised = true;  // PANTILE_INTERPRETER_UNINITIALISED=on|off: reads of what nobody wrote are faults
  bool traffic = false;       // PANTILE_INTERPRETER_TRAFFIC=on|off: count each instruction's accesses
  std::uint64_t most_ctas =
      0;  // PANTILE_INTERPRETER_MOST_CTAS: along x, for kernels that stride over the rest of the grid;
          // PANTILE_INTERPRETER_MOST_CTAS_OF: those alone whose names contain it
  bool host_reaches_memory = false;  // PANTILE_INTERPRETER_HOST=reaches|faults: of the device's memory, see memory.hpp
  bool races_are_faults = false;  // PANTILE_INTERPRETER_STOP_AT_RACE=on|off: else they are counted and told on stderr

  /// \throws Fault for a value that is none of these.
  static Options from_environment();
};

/// PANTILE_INTERPRETER_RACES_LEFT_OUT: the file of the sources whose races, and those of what it calls, are neither
/// told nor counted; empty is none.
std::string const& races_left_out();

}  // namespace pantile_interpreter
