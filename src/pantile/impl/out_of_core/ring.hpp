// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The calling thread and those that read and write for it: buffers that go round between two of them.

#include <pantile/tile_store.hpp>

#include <Kokkos_Core.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>

namespace pantile::impl::out_of_core {

/// Lets the calling thread run wherever a thread of this process may. It inherits its maker's processors: where threads
/// that compute are bound, one core, which would have less time to compute than the others.
inline void run_anywhere() {
#if defined(CPU_SETSIZE)
  cpu_set_t all, one;
  CPU_ZERO(&all);
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc/self/task", error), end; it != end; it.increment(error)) {
    if (::sched_getaffinity(std::atoi(it->path().filename().c_str()), sizeof one, &one) == 0) {
      CPU_OR(&all, &all, &one);
    }
  }
  (void)::sched_setaffinity(0, sizeof all, &all);
#endif
}

/// \brief  Threads that end together: the first exception in one of them ends the others' waiting, and is thrown in the
///         calling thread.
class Crew {
 public:
  /// Ends a thread that waits, after another one has failed.
  struct Stopped {};

  Crew() = default;
  Crew(Crew&&) = delete;
  Crew& operator=(Crew&&) = delete;

  /// f() in a thread of its own. Called by what work() runs.
  template <class F>
  void start(F const& f) {
    m_threads.emplace_back([this, f] {
      guarded([&] {
        run_anywhere();
        f();
      });
    });
  }

  /// f() in this thread, then the end of all of them. Throws the first exception.
  template <class F>
  void work(F const& f) {
    guarded(f);
    for (std::thread& thread : m_threads) thread.join();
    if (m_error) std::rethrow_exception(m_error);
  }

  /// Waits until `holds`, of what is changed by change(). Throws Stopped.
  template <class Holds>
  void wait(Holds const& holds) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_stopped || holds(); });
    if (m_stopped) throw Stopped{};
  }

  template <class Change>
  void change(Change const& change) {
    {
      std::lock_guard const lock(m_mutex);
      change();
    }
    m_changed.notify_all();
  }

 private:
  template <class F>
  void guarded(F const& f) noexcept {
    try {
      f();
    } catch (Stopped const&) {
    } catch (...) {
      change([&] {
        if (!m_stopped) m_error = std::current_exception();
        m_stopped = true;
      });
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::exception_ptr m_error;
  bool m_stopped = false;
  std::vector<std::thread> m_threads;
};

/// Buffers that one thread fills and another one empties, in turns.
class Ring {
 public:
  /// \param  slots  number of buffers; none where nothing goes this way
  Ring(Crew& crew, std::int64_t slots, std::size_t bytes)
      : m_crew(crew),
        m_slots(slots),
        m_bytes((bytes + 2 * block - 1) / block * block),
        m_begins(static_cast<std::size_t>(slots)),
        m_memory(Kokkos::view_alloc("pantile::out_of_core: buffers", Kokkos::WithoutInitializing),
                 slots == 0 ? 0 : static_cast<std::size_t>(slots) * m_bytes + block) {}

  /// \brief  The next buffer to be filled, once it is empty; filled() hands it on.
  /// \param  begin  where in a block of memory it begins, below block_bytes
  std::byte* to_fill(std::size_t begin = 0) {
    m_crew.wait([&] { return m_filled - m_emptied < m_slots; });
    m_begins[static_cast<std::size_t>(m_filled % m_slots)] = begin;
    return slot(m_filled);
  }
  void filled() {
    m_crew.change([&] { ++m_filled; });
  }

  /// The next buffer to be emptied, once it is filled; emptied() gives it back.
  std::byte* to_empty() {
    m_crew.wait([&] { return m_emptied < m_filled; });
    return slot(m_emptied);
  }
  void emptied() {
    m_crew.change([&] { ++m_emptied; });
  }

 private:
  static constexpr std::size_t block = pantile::out_of_core::block_bytes;

  [[nodiscard]] std::byte* slot(std::int64_t turn) const {
    auto const number = static_cast<std::size_t>(turn % m_slots);
    std::size_t const unaligned = reinterpret_cast<std::uintptr_t>(m_memory.data()) % block;
    return m_memory.data() + (block - unaligned) % block + number * m_bytes + m_begins[number];
  }

  Crew& m_crew;
  std::int64_t m_slots;
  std::size_t m_bytes;                       // with room for any begin
  std::vector<std::size_t> m_begins;         // written before a buffer is filled, read by who empties it
  std::int64_t m_filled = 0, m_emptied = 0;  // each changed by one side alone, under the crew's lock
  Kokkos::View<std::byte*, Kokkos::HostSpace> m_memory;
};

}  // namespace pantile::impl::out_of_core
