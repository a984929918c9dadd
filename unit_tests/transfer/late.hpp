// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A device that does nothing before it must: memory that is used again too early has the wrong content.

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

namespace pantile::testing {

/// The queue of a device that works on it only when somebody waits, and then no further than to the mark.
struct LateQueue {
  std::deque<std::function<void()>> work;
  std::size_t done = 0, put = 0;
  int fences = 0;

  void enqueue(std::function<void()> job) {
    work.push_back(std::move(job));
    ++put;
  }
  void run_to(std::size_t mark) {
    for (; done < mark; ++done) {
      work.front()();
      work.pop_front();
    }
  }
};

}  // namespace pantile::testing
