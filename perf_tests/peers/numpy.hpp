// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  NumPy in a Python process that waits beside this one and works when it is its turn.

#include <support/contest.hpp>

#include <cstdio>
#include <string>

namespace pantile::perf {

/// \brief  The process of perf_tests/numpy_peer.py; PANTILE_PERF_PYTHON names another interpreter than python3. While
///         it works, this process waits for its answer, so that nothing of the two runs at the same time.
class Numpy {
 public:
  /// Null where there is no Python with NumPy.
  static Numpy* process();

  /// Send a line, read a line.
  std::string ask(std::string const& request);
  /// How long so many calls of what `task` prepared take, by NumPy's own clock.
  Stopwatch watch(std::string const& task);

 private:
  Numpy(std::FILE* requests, std::FILE* answers) : m_requests(requests), m_answers(answers) {}
  static Numpy* start();

  std::FILE* m_requests;
  std::FILE* m_answers;
};

}  // namespace pantile::perf
