// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How much the host's caches hold, asked once.

#include <cstdint>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace pantile::impl::arch {

/// Bytes of the last-level cache; a modest size where the system does not say.
inline std::int64_t last_level_cache() noexcept {
  static std::int64_t const bytes = [] {
    std::int64_t found = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
    found = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (found <= 0) found = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return found > 0 ? found : std::int64_t{8} << 20;
  }();
  return bytes;
}

}  // namespace pantile::impl::arch
