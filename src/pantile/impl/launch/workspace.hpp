// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Memory for what one kernel leaves to the next on the same instance, held between calls.

#include <pantile/impl/kokkos_ext/device_handles.hpp>
#include <pantile/impl/launch/host_workspace.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace pantile::impl::launch {

/// \brief  A buffer for each queue of work that has asked, the last few of them. What a queue does is in order, so that
///         one buffer serves all its calls; it is freed when Kokkos is finalised. The instances are not kept: a caller
///         may end the stream under his own before that.
template <class Exec>
class Workspaces {
  using Memory = Kokkos::View<std::byte*, typename Exec::memory_space>;
  struct Slot {
    void const* queue;
    Memory memory;
    std::mutex busy;
    explicit Slot(void const* queue_) : queue(queue_) {}
    Slot(Slot const&) = delete;
    Slot& operator=(Slot const&) = delete;
    /// Kernels of the queue, whose instance may be gone, may still use the memory; Kokkos and drivers do not promise to
    /// wait.
    ~Slot() {
      if (memory.size() > 0) Kokkos::fence("pantile::workspace: before it is freed");
    }
  };

 public:
  /// A buffer, and until the end of this object no other thread's kernels between those that are launched meanwhile.
  class Lease {
   public:
    explicit Lease(std::shared_ptr<Slot> slot) : m_slot(std::move(slot)), m_lock(m_slot->busy) {}
    /// Memory given by the caller, who makes sure that no other call uses it.
    explicit Lease(void* given) : m_given(static_cast<std::byte*>(given)) {}
    [[nodiscard]] std::byte* data() const { return m_slot ? m_slot->memory.data() : m_given; }

   private:
    friend class Workspaces;
    std::shared_ptr<Slot> m_slot;
    std::unique_lock<std::mutex> m_lock;
    std::byte* m_given = nullptr;
  };

  static Workspaces& get() {
    static Workspaces all;
    return all;
  }

  Lease lease(Exec const& exec, std::size_t bytes) {
    Lease lease(slot_of(kokkos_ext::instance_queue(exec)));
    auto& memory = lease.m_slot->memory;
    if (memory.size() < bytes) {
      std::size_t const grown = std::max(bytes, memory.size() + memory.size() / 2);
      if (memory.size() > 0) exec.fence("pantile::workspace: before it is freed");  // as in ~Slot
      memory = Memory{};                                                            // the old one first
      memory = Memory(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "pantile::workspace"), grown);
    }
    return lease;
  }

 private:
  static constexpr std::size_t most_slots = 16;

  std::shared_ptr<Slot> slot_of(void const* queue) {
    std::shared_ptr<Slot> oldest;  // is freed after the lock
    std::lock_guard const lock(m_mutex);
    auto const has_it = [queue](std::shared_ptr<Slot> const& slot) { return slot->queue == queue; };
    if (auto const found = std::find_if(m_slots.begin(), m_slots.end(), has_it); found != m_slots.end()) return *found;
    if (m_slots.empty()) Kokkos::push_finalize_hook([] { get().release(); });
    if (m_slots.size() == most_slots) {
      oldest = std::move(m_slots.front());
      m_slots.erase(m_slots.begin());
    }
    return m_slots.emplace_back(std::make_shared<Slot>(queue));
  }

  void release() {
    std::lock_guard const lock(m_mutex);
    m_slots.clear();
  }

  std::mutex m_mutex;
  std::vector<std::shared_ptr<Slot>> m_slots;
};

/// \brief  So many bytes of the instance's memory, aligned as Kokkos allocates, for kernels that are launched while the
///         result lives. Allocates at an instance's first call and where it needs more than before, which may wait for
///         it.
template <class Exec>
typename Workspaces<Exec>::Lease workspace(Exec const& exec, std::size_t bytes) {
  return Workspaces<Exec>::get().lease(exec, bytes);
}
/// Workspace from what the caller has given, HostWorkspaces::given_bytes() or more, if anything.
template <class Exec>
typename Workspaces<Exec>::Lease workspace(Exec const& exec, std::size_t bytes, Workspace const& given) {
  using Lease = typename Workspaces<Exec>::Lease;
  return given.data != nullptr ? Lease(HostWorkspaces::aligned(given.data)) : workspace(exec, bytes);
}

}  // namespace pantile::impl::launch
