// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Work on the calling thread alone, for callers whose threads are not Kokkos': from which threads a parallel
///        kernel may be started, and an instance that starts no threads.

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

#include <type_traits>

namespace pantile::blas {

#if defined(KOKKOS_ENABLE_OPENMP)
/// May any thread start a parallel kernel on the default host space? Kokkos' other host spaces take them from the
/// thread that has initialised Kokkos, or have no more than that thread.
inline constexpr bool any_thread_starts_kernels = std::is_same_v<Kokkos::DefaultHostExecutionSpace, Kokkos::OpenMP>;

/// How many OpenMP parallel regions are around the caller. Kokkos makes no instances and is not initialised within one.
inline int nesting_level() { return omp_get_level(); }

/// \brief  Would a parallel kernel started here get all its threads? Not from within a parallel region; and where
///         OpenMP may give fewer (OMP_DYNAMIC), Kokkos leaves the share of the missing ones undone.
inline bool gets_all_threads() { return omp_get_level() == 0 && omp_get_dynamic() == 0; }

/// Threads that a parallel region would have.
inline int most_threads() { return omp_get_max_threads(); }
#else
inline constexpr bool any_thread_starts_kernels = false;
inline int nesting_level() { return 0; }
inline bool gets_all_threads() { return true; }
inline int most_threads() { return 1; }
#endif

#if defined(KOKKOS_ENABLE_SERIAL)
/// The execution space whose instances from `calling_thread_instance` start no threads.
using CallingThread = Kokkos::Serial;

/// The default instance: what runs on it without a launch shares nothing, and a new one ends the program where Kokkos
/// 4.5 finds no memory for it.
inline CallingThread calling_thread_instance() { return CallingThread(); }

/// Stands while kernels run on such an instance; `holds()` tells whether they may.
struct CallingThreadScope {
  [[nodiscard]] static constexpr bool holds() { return true; }
};
#elif defined(KOKKOS_ENABLE_OPENMP)
using CallingThread = Kokkos::OpenMP;

/// A pool of one thread: libgomp then starts no team, so that this works in a forked child too.
inline CallingThread calling_thread_instance() { return CallingThread(1); }

/// \brief  From within one parallel region of the caller, Kokkos asks that a second level of them be allowed to be
///         active, deeper ones it refuses (Kokkos 5.2, execute_in_serial; before GCC 11.1 it asks in another way).
class CallingThreadScope {
 public:
  CallingThreadScope() {
    if (omp_get_level() == 1 && m_levels < 2) omp_set_max_active_levels(2);
  }
  ~CallingThreadScope() {
    if (omp_get_level() == 1 && m_levels < 2) omp_set_max_active_levels(m_levels);
  }
  CallingThreadScope(CallingThreadScope const&) = delete;
  CallingThreadScope& operator=(CallingThreadScope const&) = delete;

  [[nodiscard]] static bool holds() { return omp_get_level() <= deepest_level; }

 private:
#if defined(KOKKOS_COMPILER_GNU) && KOKKOS_COMPILER_GNU < 1110
  static constexpr int deepest_level = 0;
#else
  static constexpr int deepest_level = 1;
#endif
  int m_levels = omp_get_max_active_levels();
};
#else
#error "Pantile's BLAS layer needs Kokkos with Serial or OpenMP"
#endif

}  // namespace pantile::blas
