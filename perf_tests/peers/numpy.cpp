// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <peers/numpy.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

extern char** environ;

namespace pantile::perf {

namespace {

struct Pipe {
  int read = -1, write = -1;
};

Pipe open_pipe() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("numpy: no pipe");
  for (int const end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return {ends[0], ends[1]};
}

/// As of the libraries (blas.cpp): an interpreter that is named has NumPy; that another has none is said.
bool const looked_for = on_start([] {
  if (Numpy::process() != nullptr) return;
  if (char const* const given = std::getenv("PANTILE_PERF_PYTHON"))
    throw std::runtime_error(std::string("PANTILE_PERF_PYTHON: ") + given + " is no interpreter with NumPy");
  program().context.add("absent:numpy", "python3 has none");
});

}  // namespace

Numpy* Numpy::start() {
  std::signal(SIGPIPE, SIG_IGN);  // a process that has ended is seen by its missing answer
  Pipe const requests = open_pipe(), answers = open_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, requests.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answers.write, STDOUT_FILENO);
  char const* const given = std::getenv("PANTILE_PERF_PYTHON");
  std::string python = given == nullptr ? "python3" : given, script = PANTILE_PERF_NUMPY_SCRIPT;
  std::array<char*, 3> arguments{python.data(), script.data(), nullptr};
  pid_t child = 0;
  int const failure = posix_spawnp(&child, python.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(requests.read);
  close(answers.write);
  auto* const process = new Numpy(fdopen(requests.write, "w"), fdopen(answers.read, "r"));  // ends with this process
  if (failure != 0 || process->ask("hello") != "numpy") return nullptr;
  return process;
}

Numpy* Numpy::process() {
  static Numpy* const process = start();
  return process;
}

std::string Numpy::ask(std::string const& request) {
  std::string answer;
  if (std::fprintf(m_requests, "%s\n", request.c_str()) < 0 || std::fflush(m_requests) != 0) return answer;
  for (int c = std::fgetc(m_answers); c != EOF && c != '\n'; c = std::fgetc(m_answers)) answer += static_cast<char>(c);
  return answer;
}

Stopwatch Numpy::watch(std::string const& task) {
  if (std::string const answer = ask(task); answer != "ready")
    throw std::runtime_error("numpy: " + task + ": " + answer);
  return [this](std::int64_t calls) {
    std::string const answer = ask("run " + std::to_string(calls));
    if (answer.empty()) throw std::runtime_error("numpy: the process has ended");
    return std::stod(answer);
  };
}

}  // namespace pantile::perf
