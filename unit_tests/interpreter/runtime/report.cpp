// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/runtime/report.hpp>

#include <interpreter/runtime/programs.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace pantile_interpreter::runtime {

void Report::write() const {
  char const* const path = std::getenv("PANTILE_INTERPRETER_REPORT");
  if (path == nullptr || m_launches == 0) return;
  auto const counters = device().counters();
  char line[256];
  int const bytes = std::snprintf(
      line, sizeof line, "{\"launches\": %llu, \"warp_instructions\": %llu, \"races\": %llu, \"seconds\": %.6f}\n",
      static_cast<unsigned long long>(m_launches), static_cast<unsigned long long>(counters.warp_instructions),
      static_cast<unsigned long long>(counters.races), std::chrono::duration<double>(m_time).count());
  // One write: lines of processes that end together do not mix.
  int const file = ::open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file < 0 || ::write(file, line, static_cast<std::size_t>(bytes)) != bytes) {
    std::fprintf(stderr, "interpreter: the report %s cannot be written\n", path);
  }
  if (file >= 0) ::close(file);
}

Report& report() {
  static Report& instance = []() -> Report& {
    std::atexit([] { report().write(); });
    return *new Report;
  }();
  return instance;
}

}  // namespace pantile_interpreter::runtime
