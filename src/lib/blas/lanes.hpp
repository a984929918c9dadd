// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  On which instance a call runs: calls come from any thread, at any time, and before or after a fork, and Kokkos'
///        instances serve one kernel at a time.
///
/// The default instance, with all threads, is the *team*; calls wait for it in turn. A *lane* is an instance without
/// threads of its own, leased to one call. Small calls, calls from within a parallel region, calls beyond as many as
/// there are threads (each core has one already), and all calls in a forked child take a lane. Where Kokkos is not to
/// be had (finalised by the program, or the process is ending) neither is given, and the caller runs its plain loops.

#include <pantile/impl/arch/calling_thread.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

namespace pantile::blas {

using Lane = impl::arch::CallingThread;

class Lanes {
 public:
  /// The one of the process. Never destroyed: calls may come until the very end.
  static Lanes& instance();

  /// Kokkos may be used, and has been initialised now if it was not.
  bool usable();

  /// True: the team is the caller's until leave_team.
  bool enter_team(bool small);
  void leave_team();

  std::optional<Lane> take();
  void give_back(Lane const& lane);

 private:
  Lanes();
  void initialise();

  static void before_fork();
  static void after_fork_in_parent();
  static void after_fork_in_child();

  std::mutex m_initialisation, m_team, m_lanes;
  std::vector<Lane> m_idle;
  std::atomic<bool> m_ready = false;
  std::atomic<int> m_team_callers = 0;
  int m_concurrency = 1;
  bool m_forked = false;
};

/// \brief  True while this thread is in a call. One that comes from within it, as Algorithm::vendor's through a BLAS
///         that this library has replaced, would wait for itself.
inline thread_local bool in_call = false;

/// \brief  Calls kernel(instance) on the team or on a lane, and waits. \return false if Kokkos is not to be had
/// \param  small  too little work to be shared
template <class Kernel>
bool on_instance(bool small, Kernel const& kernel) {
  Lanes& lanes = Lanes::instance();
  if (in_call || !lanes.usable()) return false;
  struct InCall {
    InCall() { in_call = true; }
    ~InCall() { in_call = false; }
  } const mark;
  if constexpr (impl::arch::any_thread_starts_kernels) {
    if (lanes.enter_team(small)) {
      struct Team {
        Lanes& lanes;
        ~Team() { lanes.leave_team(); }
      } const team{lanes};
      Kokkos::DefaultHostExecutionSpace const exec;
      kernel(exec);
      exec.fence("pantile::blas: results are there when a call returns");
      return true;
    }
  }
  impl::arch::CallingThreadScope const scope;
  if (!scope.holds()) return false;
  auto const taken = lanes.take();
  if (!taken) return false;
  struct Lease {
    Lanes& lanes;
    Lane const& lane;
    ~Lease() { lanes.give_back(lane); }
  } const lease{lanes, *taken};
  kernel(lease.lane);
  lease.lane.fence("pantile::blas: results are there when a call returns");
  return true;
}

}  // namespace pantile::blas
