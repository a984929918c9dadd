// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Memory for what one kernel leaves to the next on the same instance, held between calls.

#include <pantile/impl/kokkos_ext/instance_queue.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace pantile::impl::launch {

/// \brief  A buffer for each queue of work that has asked, the last few of them. What a queue does is in order, so that one
///         buffer serves all its calls; it is freed when Kokkos is finalised. The instances are not kept: a caller may end
///         the stream under his own before that.
template <class Exec>
class Workspaces {
 public:
  using Memory = Kokkos::View<std::byte*, typename Exec::memory_space>;

  /// A buffer, and until the end of this object no other thread's kernels between those that are launched meanwhile.
  class Lease {
   public:
    Lease(std::unique_lock<std::mutex> lock, void* data) : m_lock(std::move(lock)), m_data(data) {}
    [[nodiscard]] void* data() const { return m_data; }

   private:
    std::unique_lock<std::mutex> m_lock;
    void* m_data;
  };

  static Workspaces& get() {
    static Workspaces all;
    return all;
  }

  Lease lease(Exec const& exec, std::size_t bytes) {
    std::unique_lock lock(m_mutex);
    void const* const queue = kokkos_ext::instance_queue(exec);
    auto found = std::find_if(m_slots.begin(), m_slots.end(), [&](Slot const& slot) { return slot.queue == queue; });
    if (found == m_slots.end()) {
      if (m_slots.empty()) Kokkos::push_finalize_hook([] { get().release(); });
      if (m_slots.size() == most_slots) m_slots.erase(m_slots.begin());  // Kokkos waits before it frees
      found = m_slots.insert(m_slots.end(), Slot{queue, Memory{}});
    }
    if (found->memory.size() < bytes) {
      std::size_t const grown = std::max(bytes, found->memory.size() + found->memory.size() / 2);
      found->memory = Memory{};  // the old one first
      found->memory = Memory(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "pantile::workspace"), grown);
    }
    return Lease(std::move(lock), found->memory.data());
  }

 private:
  struct Slot {
    void const* queue;
    Memory memory;
  };
  static constexpr std::size_t most_slots = 16;

  void release() {
    std::lock_guard const lock(m_mutex);
    m_slots.clear();
  }

  std::mutex m_mutex;
  std::vector<Slot> m_slots;
};

/// \brief  So many bytes of the instance's memory, aligned as Kokkos allocates, for kernels that are launched while the
///         result lives. Allocates at an instance's first call and where it needs more than before, which may wait for it.
template <class Exec>
typename Workspaces<Exec>::Lease workspace(Exec const& exec, std::size_t bytes) {
  return Workspaces<Exec>::get().lease(exec, bytes);
}

}  // namespace pantile::impl::launch
