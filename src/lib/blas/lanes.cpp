// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <blas/lanes.hpp>

#include <pthread.h>

#include <algorithm>
#include <system_error>
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
[[maybe_unused]] Lanes const& made_when_loaded = Lanes::instance();

void initialise_kokkos() {
  if (Kokkos::is_initialized()) return;
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true).set_print_configuration(false);
  Kokkos::initialize(settings);
}

/// False if there is no thread to be had.
template <class F>
bool on_another_thread(F const& f) {
  try {
    std::thread(f).join();
    return true;
  } catch (std::system_error const&) {
    return false;
  }
}

/// A thread of its own is in no parallel region.
template <class F>
bool outside_of_regions(F const& f) {
  if (impl::arch::nesting_level() > 0) return on_another_thread(f);
  f();
  return true;
}

}  // namespace

Lanes& Lanes::instance() {
  static Lanes* const lanes = new Lanes;
  return *lanes;
}

Lanes::Lanes() { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

bool Lanes::usable() {
  if (process_end.reached || Kokkos::is_finalized()) return false;
  if (!m_ready.load(std::memory_order_acquire)) initialise();
  return m_ready.load(std::memory_order_acquire);
}

void Lanes::initialise() {
  std::lock_guard const lock(m_initialisation);
  if (m_ready.load(std::memory_order_relaxed)) return;
  // Kokkos asks OpenMP for all threads, which the thread that has been forked cannot have.
  if (!(m_forked ? on_another_thread(initialise_kokkos) : outside_of_regions(initialise_kokkos))) return;
  m_concurrency = std::max(1, Kokkos::DefaultHostExecutionSpace().concurrency());
  m_ready.store(true, std::memory_order_release);
}

bool Lanes::enter_team(bool small) {
  if (small || m_forked || m_concurrency == 1 || !impl::arch::gets_all_threads()) return false;
  if (m_team_callers.fetch_add(1, std::memory_order_relaxed) >= m_concurrency) {
    m_team_callers.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  m_team.lock();
  return true;
}

void Lanes::leave_team() {
  m_team.unlock();
  m_team_callers.fetch_sub(1, std::memory_order_relaxed);
}

std::optional<Lane> Lanes::take() {
  std::lock_guard const lock(m_lanes);
  if (!m_idle.empty()) {
    Lane const lane = m_idle.back();
    m_idle.pop_back();
    return lane;
  }
  std::optional<Lane> made;
  outside_of_regions([&made] { made = impl::arch::calling_thread_instance(); });
  return made;
}

void Lanes::give_back(Lane const& lane) {
  std::lock_guard const lock(m_lanes);
  m_idle.push_back(lane);
}

// A fork waits until the team is idle: no lock of Kokkos or of the OpenMP run-time library is then held on our behalf.
void Lanes::before_fork() {
  Lanes& lanes = instance();
  lanes.m_initialisation.lock();
  lanes.m_team.lock();
  lanes.m_lanes.lock();
}

void Lanes::after_fork_in_parent() {
  Lanes& lanes = instance();
  lanes.m_lanes.unlock();
  lanes.m_team.unlock();
  lanes.m_initialisation.unlock();
}

// Lanes that other threads had leased are lost with them.
void Lanes::after_fork_in_child() {
  after_fork_in_parent();
  Lanes& lanes = instance();
  lanes.m_forked = true;
  lanes.m_team_callers = 0;
}

}  // namespace pantile::blas
