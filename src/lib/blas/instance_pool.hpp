// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  On which instance a call runs: calls come from any thread, at any time, and before or after a fork, and
///        Kokkos' instances serve one kernel at a time.

#include <blas/calling_thread.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace pantile::blas {

using PooledInstance = CallingThread;

/// What a call may have; neither where Kokkos is not to be had, and the caller does its work without.
enum class Lending {
  /// The default instance, with all threads, one call after the other. Not for calls from within a parallel region or
  /// in a forked child, nor for more at once than there are threads.
  team,
  pooled,  ///< an instance without threads of its own, leased to one call: too little work to be shared
  any
};

class InstancePool {
 public:
  /// The one of the process. Never destroyed: calls may come until the very end.
  static InstancePool& instance();

  /// Kokkos may be used, and has been initialised now if it was not.
  bool usable();

  /// True: the team is the caller's until leave_team.
  bool enter_team();
  void leave_team();

  /// Throws where a new instance cannot be made.
  std::optional<PooledInstance> take();
  void give_back(PooledInstance const& instance) noexcept;

 private:
  InstancePool();
  void initialise() noexcept;

  static void before_fork();
  static void after_fork_in_parent();
  static void after_fork_in_child();

  std::mutex m_initialisation, m_team, m_pool;
  std::vector<PooledInstance> m_idle;  ///< has room for all that were made
  std::size_t m_made = 0;
  std::atomic<bool> m_ready = false;
  bool m_failed = false;  ///< Kokkos could not be initialised: it is not tried again
  std::atomic<int> m_team_callers = 0;
  int m_concurrency = 1;
  bool m_forked = false;
};

/// \brief  True while this thread is in a call. One that comes from within it, as MatmulAlgorithm::vendor's through a
///         BLAS that this library has replaced, would wait for itself.
inline thread_local bool in_call = false;

/// Calls kernel(instance) and waits. Kernels run to their end before they return, or throw before they have begun.
template <class Exec, class Kernel>
void run_and_wait(Exec const& exec, Kernel const& kernel) {
  kernel(exec);
  try {
    exec.fence("pantile::blas: results are there when a call returns");
  } catch (std::exception const&) {  // no memory for the label; a host's kernels are done when their launch returns
  }
}

/// \brief  Calls kernel(instance) on what may be lent, the team first, and waits. Throws what the kernel throws, and
///         std::bad_alloc where there is no memory for an instance.
/// \return false if there is none to be had; then the kernel was not called
template <class Kernel>
bool lend_instance(Lending lending, Kernel const& kernel) {
  InstancePool& pool = InstancePool::instance();
  if (in_call || !pool.usable()) return false;
  struct InCall {
    InCall() { in_call = true; }
    ~InCall() { in_call = false; }
  } const mark;
  if constexpr (any_thread_starts_kernels) {
    if (lending != Lending::pooled && pool.enter_team()) {
      struct Team {
        InstancePool& pool;
        ~Team() { pool.leave_team(); }
      } const team{pool};
      run_and_wait(Kokkos::DefaultHostExecutionSpace(), kernel);
      return true;
    }
  }
  CallingThreadScope const scope;
  if (lending == Lending::team || !scope.holds()) return false;
  auto const taken = pool.take();
  if (!taken) return false;
  struct Lease {
    InstancePool& pool;
    PooledInstance const& instance;
    ~Lease() { pool.give_back(instance); }
  } const lease{pool, *taken};
  run_and_wait(lease.instance, kernel);
  return true;
}

/// \brief  The same for calls that can do without.
/// \return false also where the call needs memory that there is not; then the kernel has written nothing
template <class Kernel>
bool on_instance(Lending lending, Kernel const& kernel) noexcept try {
  return lend_instance(lending, kernel);
} catch (std::exception const&) {
  return false;
}

}  // namespace pantile::blas
