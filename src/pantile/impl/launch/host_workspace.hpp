// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Memory that host kernels work in, held between calls. Kokkos' own team scratch is not used on hosts: an
///        instance whose scratch could not grow is left with freed memory.

#include <pantile/policy.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace pantile::impl::launch {

/// \brief  Blocks of memory; a call has one for its time, and the next call takes it again. No lock is waited for, so
///         that a forked child is not held up by one that another thread had.
class HostWorkspaces {
 public:
  static constexpr std::size_t alignment = 128;

  /// A block, null where no memory can be allocated.
  class Lease {
   public:
    Lease(HostWorkspaces* owner, std::byte* data, std::size_t bytes) : m_owner(owner), m_data(data), m_bytes(bytes) {}
    Lease(Lease const&) = delete;
    Lease& operator=(Lease const&) = delete;
    ~Lease() {
      if (m_data != nullptr && m_owner != nullptr) m_owner->give_back(m_data, m_bytes);
    }
    [[nodiscard]] std::byte* data() const { return m_data; }

   private:
    HostWorkspaces* m_owner;
    std::byte* m_data;
    std::size_t m_bytes;
  };

  static HostWorkspaces& get() {
    static HostWorkspaces all;
    return all;
  }
  ~HostWorkspaces() {
    while (m_idle != nullptr) release(std::exchange(m_idle, m_idle->next));
  }

  /// Bytes to request from a caller, whose memory may have any alignment.
  static constexpr std::size_t given_bytes(std::size_t bytes) { return bytes == 0 ? 0 : bytes + alignment; }

  /// From what the caller has given, given_bytes() or more, if anything.
  [[nodiscard]] Lease take(std::size_t bytes, Workspace const& given) noexcept {
    if (given.data == nullptr || bytes == 0) return take(bytes);
    return {nullptr, static_cast<std::byte*>(aligned(given.data)), bytes};
  }
  static void* aligned(void* data) {
    auto const address = reinterpret_cast<std::uintptr_t>(data);
    return static_cast<std::byte*>(data) + (alignment - address % alignment) % alignment;
  }

  /// Null for no bytes too.
  [[nodiscard]] Lease take(std::size_t bytes) noexcept {
    if (bytes == 0) return {this, nullptr, 0};
    if (bytes < sizeof(Idle)) bytes = sizeof(Idle);
    if (std::unique_lock const lock(m_mutex, std::try_to_lock); lock.owns_lock()) {
      for (Idle** link = &m_idle; *link != nullptr; link = &(*link)->next) {
        if ((*link)->bytes < bytes) continue;
        Idle* const found = std::exchange(*link, (*link)->next);
        return {this, reinterpret_cast<std::byte*>(found), found->bytes};
      }
      // None is large enough: a larger one replaces the last one given back.
      if (m_idle != nullptr) release(std::exchange(m_idle, m_idle->next));
    }
    void* const made = ::operator new(bytes, std::align_val_t{alignment}, std::nothrow);
    return {this, static_cast<std::byte*>(made), bytes};
  }

 private:
  /// Written into a block that waits.
  struct Idle {
    Idle* next;
    std::size_t bytes;
  };

  static void release(void* block) { ::operator delete(block, std::align_val_t{alignment}); }

  void give_back(std::byte* data, std::size_t bytes) noexcept {
    std::unique_lock const lock(m_mutex, std::try_to_lock);
    if (lock.owns_lock()) {
      m_idle = ::new (data) Idle{m_idle, bytes};
    } else {
      release(data);
    }
  }

  std::mutex m_mutex;
  Idle* m_idle = nullptr;
};

/// f(workspace) with so many bytes of the thread's stack. A function of its own: the caller's frame stays small.
template <std::int64_t Bytes, class F>
[[gnu::noinline]] void with_stack(F const& f) {
  alignas(64) std::byte workspace[Bytes];
  f(workspace);
}

/// "workspace has 100 bytes, the call takes 128"
[[gnu::cold]] inline std::string workspace_refusal(Workspace const& given, std::size_t taken) {
  return "workspace has " + (given.data == nullptr ? "no memory" : std::to_string(given.bytes) + " bytes") +
         ", the call takes " + std::to_string(taken);
}

/// Enter into a plan what it takes of memory beside a device's team scratch, and whether the caller has given as much.
template <class Plan>
void plan_workspace(std::size_t bytes, Workspace const& given, Plan& plan) {
  plan.workspace_bytes = HostWorkspaces::given_bytes(bytes);
  plan.workspace = given;
  bool const is_given = given.data != nullptr || given.bytes != 0;
  if (plan.refusal.empty() && is_given && (given.data == nullptr || given.bytes < plan.workspace_bytes)) {
    plan.refusal = workspace_refusal(given, plan.workspace_bytes);
  }
}

}  // namespace pantile::impl::launch
