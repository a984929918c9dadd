// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Threads that read and write for the calling thread, and the ring of buffers between two of them.

#include <pantile/tile_store.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
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

/// Buffers that one thread fills and another one empties, in turns, part by part.
class Ring {
 public:
  /// \param  slots       number of buffers; none where nothing goes this way
  /// \param  parts       of a buffer; the last buffer of all may have fewer
  /// \param  part_bytes  from the start of a part to the next one's
  Ring(Crew& crew, std::int64_t slots, std::size_t bytes, std::int64_t parts = 1, std::size_t part_bytes = 0)
      : m_crew(crew),
        m_slots(slots),
        m_parts(parts),
        m_part_bytes(part_bytes),
        m_bytes((bytes + 2 * block - 1) / block * block),
        m_begins(static_cast<std::size_t>(slots)),
        m_memory(Kokkos::view_alloc("pantile::out_of_core: buffers", Kokkos::WithoutInitializing),
                 slots == 0 ? 0 : static_cast<std::size_t>(slots) * m_bytes + block) {}

  /// \brief  The next part to be filled, once it is empty; filled() hands it on.
  /// \param  begin  where in a block of memory the buffer begins, below block_bytes, of its first part
  std::byte* to_fill(std::size_t begin = 0) {
    std::int64_t const buffer = m_filled / m_parts, part = m_filled % m_parts;
    // What lies there may have begun up to a block earlier, and reach into the part behind it.
    std::int64_t const empty = buffer * m_parts + std::min(part + 2, m_parts) - m_slots * m_parts;
    m_crew.wait([&] { return m_emptied >= empty; });
    if (part == 0) m_begins[static_cast<std::size_t>(buffer % m_slots)] = begin;
    return slot(buffer) + static_cast<std::size_t>(part) * m_part_bytes;
  }
  void filled() {
    m_crew.change([&] { ++m_filled; });
  }

  /// The next buffer to be emptied, once so many parts of it are filled; emptied() gives back a part.
  std::byte* to_empty(std::int64_t parts = 1) {
    m_crew.wait([&] { return m_filled - m_emptied >= parts; });
    return slot(m_emptied / m_parts);
  }
  void emptied() {
    m_crew.change([&] { ++m_emptied; });
  }

 private:
  static constexpr std::size_t block = pantile::out_of_core::block_bytes;

  [[nodiscard]] std::byte* slot(std::int64_t buffer) const {
    auto const number = static_cast<std::size_t>(buffer % m_slots);
    std::size_t const unaligned = reinterpret_cast<std::uintptr_t>(m_memory.data()) % block;
    return m_memory.data() + (block - unaligned) % block + number * m_bytes + m_begins[number];
  }

  Crew& m_crew;
  std::int64_t m_slots, m_parts;
  std::size_t m_part_bytes;
  std::size_t m_bytes;                       // with room for any begin
  std::vector<std::size_t> m_begins;         // written before a buffer is filled, read by who empties it
  std::int64_t m_filled = 0, m_emptied = 0;  // parts; each changed by one side alone, under the crew's lock
  Kokkos::View<std::byte*, Kokkos::HostSpace> m_memory;
};

}  // namespace pantile::impl::out_of_core
