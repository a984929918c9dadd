// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A thread that ends its process where a case is not done in time.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace pantile::perf {

/// \brief  What begins has to end within a limit; else `last(what)` is called by another thread, and the process ends
///         with status 2 and without MPI, which may be what hangs: launchers end the other ranks then.
class Watch {
 public:
  Watch(double seconds, std::function<void(std::string const&)> last)
      : m_limit(std::min(seconds, 1e9)), m_last(std::move(last)), m_thread([this] { look(); }) {}
  Watch(Watch const&) = delete;
  Watch& operator=(Watch const&) = delete;
  ~Watch() {
    change([this] { m_over = true; });
    m_thread.join();
  }

  void begin(std::string const& what) {
    change([&] {
      m_what = what;
      m_end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(m_limit));
    });
  }
  void end() {
    change([this] { m_what.clear(); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  template <class F>
  void change(F const& f) {
    std::lock_guard const lock(m_mutex);
    f();
    m_changed.notify_one();
  }

  /// What the last words say cannot end meanwhile: they are said under the lock.
  void look() {
    std::unique_lock lock(m_mutex);
    while (!m_over) {
      if (m_what.empty()) {
        m_changed.wait(lock);
      } else if (Clock::now() < m_end) {
        m_changed.wait_until(lock, m_end);
      } else {
        m_last(m_what);
        std::_Exit(2);
      }
    }
  }

  double m_limit;
  std::function<void(std::string const&)> m_last;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_over = false;
  std::string m_what;
  Clock::time_point m_end{};
  std::thread m_thread;  // the last: it uses the others
};

}  // namespace pantile::perf
