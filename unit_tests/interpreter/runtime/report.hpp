// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a process has executed, as one line of JSON behind those of others in the file that
///        PANTILE_INTERPRETER_REPORT names.

#include <chrono>
#include <cstdint>

namespace pantile_interpreter::runtime {

class Report {
 public:
  using Clock = std::chrono::steady_clock;
  /// Once for each launch that was executed.
  void add_launch(Clock::duration time) { ++m_launches, m_time += time; }
  /// Nothing without the variable. Called when the process ends.
  void write() const;

 private:
  std::uint64_t m_launches = 0;
  Clock::duration m_time{};
};

/// One for the process.
Report& report();

}  // namespace pantile_interpreter::runtime
