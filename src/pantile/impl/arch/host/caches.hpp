// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Sizes of the host's caches, and how many threads share one.

#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/machine.hpp>

#include <algorithm>
#include <climits>
#include <cstdint>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace pantile::impl::arch {

/// Bytes of the last-level cache of which these processors have so many each; a modest size where the system does not
/// say.
constexpr std::int64_t usable_cache(std::int64_t cache, std::int64_t processors,
                                    std::int64_t each = host::cache_bytes_per_processor) {
  if (cache <= 0) return host::unknown_last_level_bytes;
  return processors > 0 ? std::min(cache, processors * each) : cache;
}

/// Of this machine: the bytes that may be relied on, and those beyond which nothing stays.
struct LastLevelCache {
  std::int64_t least, most;
};
inline LastLevelCache last_level_caches() noexcept {
  static LastLevelCache const bytes = []() -> LastLevelCache {
    std::int64_t found = 0, processors = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
    found = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (found <= 0) found = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
#if defined(_SC_NPROCESSORS_ONLN)
    processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return {usable_cache(found, processors), usable_cache(found, processors, host::most_cache_bytes_per_processor)};
  }();
  return bytes;
}
inline std::int64_t last_level_cache() noexcept { return last_level_caches().least; }

/// Bytes of a core's own data caches, first and second level.
struct NearCaches {
  std::int64_t first = 0, second = 0;
};
inline NearCaches near_caches() noexcept {
  static NearCaches const bytes = []() -> NearCaches {
    NearCaches found;
#if defined(_SC_LEVEL1_DCACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
    found = {sysconf(_SC_LEVEL1_DCACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE)};
#endif
    return {found.first > 0 ? found.first : host::unknown_first_level_bytes,
            found.second > 0 ? found.second : host::unknown_second_level_bytes};
  }();
  return bytes;
}

/// The caches of a host whose cores are alike, as far as the process may use them.
struct HostCaches {
  int processors = 0;          ///< that share a last-level cache; 0 where the system does not say
  int processors_of_core = 1;  ///< hardware threads
  int all_processors = 0;

  /// Of so many threads, bound close (one by one to cores in their order), how many share a cache: where there are more
  /// threads than cores or processors, each of these has several.
  [[nodiscard]] constexpr int threads_per_cache(int threads) const {
    if (processors <= 0 || all_processors <= 0) return INT_MAX;
    int const cores = all_processors / processors_of_core;
    int const each = threads > all_processors ? (threads + all_processors - 1) / all_processors : 1;
    return threads > cores ? processors * each : processors / processors_of_core;
  }
};

/// \brief  Of this machine, asked once: as threads are bound at the first call that a host's instance plans, when
///         Kokkos has started them.
HostCaches const& host_caches();

/// The machine, for hosts with the threads that share a cache, which not every operation needs.
inline Machine with_caches(Machine machine) {
  if (!machine.device) machine.threads_per_cache = host_caches().threads_per_cache(machine.concurrency);
  return machine;
}

}  // namespace pantile::impl::arch

#if !defined(PANTILE_USE_MICRO_KERNELS)  // else src/lib/isa/topology.cpp has it
#include <pantile/impl/arch/host/topology.hpp>
#endif
