// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How much the host's caches hold, asked once.

#include <algorithm>
#include <cstdint>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace pantile::impl::arch {

/// Of a last-level cache, what one processor may hold: 12 MiB per core is the most that is sold (AMD EPYC 9684X, 1152
/// MiB for 96 cores). A virtual machine sees all of the cache, and few of those that share it.
inline constexpr std::int64_t cache_bytes_per_processor = std::int64_t{16} << 20;

/// Bytes of the last-level cache that these processors may rely on; a modest size where the system does not say.
constexpr std::int64_t usable_cache(std::int64_t cache, std::int64_t processors) {
  if (cache <= 0) return std::int64_t{8} << 20;
  return processors > 0 ? std::min(cache, processors * cache_bytes_per_processor) : cache;
}

/// The same of this machine.
inline std::int64_t last_level_cache() noexcept {
  static std::int64_t const bytes = [] {
    std::int64_t found = 0, processors = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
    found = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (found <= 0) found = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
#if defined(_SC_NPROCESSORS_ONLN)
    processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return usable_cache(found, processors);
  }();
  return bytes;
}

}  // namespace pantile::impl::arch
