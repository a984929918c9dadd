// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a process has executed: one line of JSON behind those of others in the file that
///        PANTILE_INTERPRETER_REPORT names, the kernels in that of PANTILE_INTERPRETER_KERNELS, and what was counted
///        of each in that of PANTILE_INTERPRETER_COUNTS.

#include <chrono>
#include <cstdint>
#include <set>
#include <string>

namespace pantile_interpreter::runtime {

class Report {
 public:
  using Clock = std::chrono::steady_clock;
  /// Once for each launch that is executed; the time behind it.
  void add_launch(std::string const& kernel) { ++m_launches, m_kernels.insert(kernel); }
  void add_time(Clock::duration time) { m_time += time; }
  /// Nothing without the variables. Called when the process ends.
  void write() const;

 private:
  std::uint64_t m_launches = 0;
  std::set<std::string> m_kernels;
  Clock::duration m_time{};
};

/// One for the process.
Report& report();

}  // namespace pantile_interpreter::runtime
