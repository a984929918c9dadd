// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a process has executed, and what came of it: one line of JSON behind those of others in the file that
///        PANTILE_INTERPRETER_REPORT names, the kernels in that of PANTILE_INTERPRETER_KERNELS, their opcodes in that
///        of PANTILE_INTERPRETER_OPCODES, and what was counted of each in that of PANTILE_INTERPRETER_COUNTS.

#include <interpreter/machine/device.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace pantile_interpreter::runtime {

class Report {
 public:
  using Clock = std::chrono::steady_clock;
  /// Once for each launch that is executed; the time behind it.
  void add_launch(std::string const& name, Kernel const& kernel) {
    ++m_launches;
    if (m_kernels.insert(name).second) m_opcodes.merge(kernel.opcodes());
  }
  void add_time(Clock::duration time) { m_time += time; }
  /// Bytes that a copy brought from the device. Sums do not depend on the order of copies.
  void add_result(void const* bytes, std::size_t count) {
    m_results += std::hash<std::string_view>{}({static_cast<char const*>(bytes), count});
  }
  /// Nothing without the variables. Called when the process ends.
  void write() const;

 private:
  std::uint64_t m_launches = 0, m_results = 0;
  std::set<std::string> m_kernels, m_opcodes;
  Clock::duration m_time{};
};

/// One for the process.
Report& report();

}  // namespace pantile_interpreter::runtime
