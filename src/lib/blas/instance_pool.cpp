// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <blas/instance_pool.hpp>

#include <pthread.h>

#include <algorithm>
#include <array>
#include <thread>

namespace pantile::blas {
namespace {

// Runs before the destructors of Kokkos' own library, on which this one depends: later calls find no Kokkos.
struct ProcessEnd {
  std::atomic<bool> reached = false;
  ~ProcessEnd() { reached = true; }
};
ProcessEnd process_end;

// Handlers must stand before the first fork, which may come before the first call.
[[maybe_unused]] InstancePool const& made_when_loaded = InstancePool::instance();

void initialise_kokkos() {
  if (Kokkos::is_initialized()) return;
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true).set_print_configuration(false);
  Kokkos::initialize(settings);
}

/// True if f ran to its end.
template <class F>
bool completes(F const& f) noexcept try {
  f();
  return true;
} catch (std::exception const&) {
  return false;
}

/// \brief  f on a thread of its own, which is in no parallel region. False if there is none to be had, or f did not
///         complete.
template <class F>
bool on_another_thread(F const& f) noexcept {
  bool completed = false;
  return completes([&] { std::thread([&] { completed = completes(f); }).join(); }) && completed;
}

template <class F>
bool outside_of_regions(F const& f) noexcept {
  return nesting_level() > 0 ? on_another_thread(f) : completes(f);
}

/// \brief  Is there memory for the threads that OpenMP is about to start? Its run-time library ends the program where
///         there is none; the C library keeps the stacks of threads that have ended, as many as here, for the next.
bool threads_can_start() noexcept {
  constexpr int most = 4;
  int const count = std::min(most_threads() - 1, most);
  std::array<std::thread, most> threads;
  std::atomic<bool> all_started = false;
  bool const started = completes([&] {
    for (int t = 0; t < count; ++t) threads[t] = std::thread([&] { all_started.wait(false); });
  });
  all_started = true;
  all_started.notify_all();
  for (std::thread& thread : threads) {
    if (thread.joinable()) thread.join();
  }
  return started;
}

}  // namespace

InstancePool& InstancePool::instance() {
  alignas(InstancePool) static std::byte memory[sizeof(InstancePool)];
  static InstancePool* const pool = new (memory) InstancePool;
  return *pool;
}

InstancePool::InstancePool() { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

bool InstancePool::usable() {
  if (process_end.reached || Kokkos::is_finalized()) return false;
  if (!m_ready.load(std::memory_order_acquire)) initialise();
  return m_ready.load(std::memory_order_acquire);
}

void InstancePool::initialise() noexcept {
  std::lock_guard const lock(m_initialisation);
  if (m_failed || m_ready.load(std::memory_order_relaxed)) return;
  if (!threads_can_start()) return;
  auto const start = [this] {
    m_failed = true;  // unless the next lines come to their end
    initialise_kokkos();
    m_concurrency = std::max(1, Kokkos::DefaultHostExecutionSpace().concurrency());
    m_failed = false;
  };
  // Kokkos asks OpenMP for all threads, which the thread that has been forked cannot have.
  bool const started = m_forked ? on_another_thread(start) : outside_of_regions(start);
  m_ready.store(started, std::memory_order_release);
}

bool InstancePool::enter_team() {
  if (m_forked || m_concurrency == 1 || !gets_all_threads()) return false;
  if (m_team_callers.fetch_add(1, std::memory_order_relaxed) >= m_concurrency) {
    m_team_callers.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  m_team.lock();
  return true;
}

void InstancePool::leave_team() {
  m_team.unlock();
  m_team_callers.fetch_sub(1, std::memory_order_relaxed);
}

std::optional<PooledInstance> InstancePool::take() {
  std::lock_guard const lock(m_pool);
  if (!m_idle.empty()) {
    PooledInstance const idle = m_idle.back();
    m_idle.pop_back();
    return idle;
  }
  m_idle.reserve(m_made + 1);  // so that giving it back needs no memory
  std::optional<PooledInstance> made;
  if (outside_of_regions([&made] { made = calling_thread_instance(); })) ++m_made;
  return made;
}

void InstancePool::give_back(PooledInstance const& instance) noexcept {
  std::lock_guard const lock(m_pool);
  m_idle.push_back(instance);
}

// A fork waits until the team is idle: no lock of Kokkos or of the OpenMP run-time library is then held on our behalf.
void InstancePool::before_fork() {
  InstancePool& pool = instance();
  pool.m_initialisation.lock();
  pool.m_team.lock();
  pool.m_pool.lock();
}

void InstancePool::after_fork_in_parent() {
  InstancePool& pool = instance();
  pool.m_pool.unlock();
  pool.m_team.unlock();
  pool.m_initialisation.unlock();
}

// Instances that other threads had leased are lost with them.
void InstancePool::after_fork_in_child() {
  after_fork_in_parent();
  InstancePool& pool = instance();
  pool.m_forked = true;
  pool.m_team_callers = 0;
}

}  // namespace pantile::blas
