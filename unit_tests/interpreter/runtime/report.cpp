// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/runtime/report.hpp>

#include <interpreter/runtime/counts.hpp>
#include <interpreter/runtime/programs.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace pantile_interpreter::runtime {

namespace {

/// One write to the file that a variable names, if it does: lines of processes that end together do not mix.
void append(char const* variable, std::string const& lines) {
  char const* const path = std::getenv(variable);
  if (path == nullptr) return;
  int const file = ::open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file < 0 || ::write(file, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size())) {
    std::fprintf(stderr, "interpreter: %s names a file that cannot be written: %s\n", variable, path);
  }
  if (file >= 0) ::close(file);
}

std::string lines_of(std::set<std::string> const& names) {
  std::string lines;
  for (auto const& name : names) lines += name + '\n';
  return lines;
}

}  // namespace

void Report::write() const {
  if (m_launches == 0 && m_results == 0) return;  // a process that found out what a program's tests are
  auto const& counters = device().counters();
  char line[256];
  std::snprintf(line, sizeof line,
                "{\"launches\": %llu, \"warp_instructions\": %llu, \"races\": %llu, \"seconds\": %.6f, "
                "\"results\": \"%016llx\"}\n",
                static_cast<unsigned long long>(m_launches),
                static_cast<unsigned long long>(counters.warp_instructions),
                static_cast<unsigned long long>(counters.races), std::chrono::duration<double>(m_time).count(),
                static_cast<unsigned long long>(m_results));
  append("PANTILE_INTERPRETER_REPORT", line);
  append("PANTILE_INTERPRETER_KERNELS", lines_of(m_kernels));
  append("PANTILE_INTERPRETER_OPCODES", lines_of(m_opcodes));
  append("PANTILE_INTERPRETER_COUNTS", lines_of_counts(counters.kernels, arguments_of_process()));
}

Report& report() {
  static Report& instance = []() -> Report& {
    std::atexit([] { report().write(); });
    return *new Report;
  }();
  return instance;
}

}  // namespace pantile_interpreter::runtime
