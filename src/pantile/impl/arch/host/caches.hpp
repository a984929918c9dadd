// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How much the host's caches hold, and which processors share one, as Linux's files say
///         (Documentation/ABI/stable/sysfs-devices-system-cpu).

#include <pantile/impl/arch/host/tuning.hpp>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

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

/// Processors in a list such as "0-3,8,10-11"; 0 if it is none.
inline int processors_in(std::string_view list) {
  int count = 0;
  while (!list.empty()) {
    std::string_view const range = list.substr(0, list.find(','));
    list.remove_prefix(range.size() < list.size() ? range.size() + 1 : range.size());
    int first = 0, last = 0;
    char const* const end = range.data() + range.size();
    auto const begin = std::from_chars(range.data(), end, first);
    if (begin.ec != std::errc()) return 0;
    last = first;
    if (begin.ptr != end && (*begin.ptr != '-' || std::from_chars(begin.ptr + 1, end, last).ec != std::errc()))
      return 0;
    if (last < first) return 0;
    count += last - first + 1;
  }
  return count;
}

/// The caches of a host whose cores are alike.
struct HostCaches {
  int processors = 0;          ///< that share a last-level cache; 0 where the system does not say
  int processors_of_core = 1;  ///< hardware threads
  int all_processors = 0;

  /// Of so many threads, bound to cores one by one, how many share a cache: where there are more threads than cores or
  /// processors, each of these has several.
  [[nodiscard]] constexpr int threads_per_cache(int threads) const {
    if (processors <= 0 || all_processors <= 0) return INT_MAX;
    int const cores = all_processors / processors_of_core;
    int const each = threads > all_processors ? (threads + all_processors - 1) / all_processors : 1;
    return threads > cores ? processors * each : processors / processors_of_core;
  }
};

/// \param  folder  of the processors; tests have their own
inline HostCaches read_host_caches(std::string const& folder = "/sys/devices/system/cpu") {
  auto const line_of = [&](std::string const& file) {
    char line[256] = "";
    if (std::FILE* const in = std::fopen((folder + "/" + file).c_str(), "r")) {
      if (std::fgets(line, sizeof line, in) == nullptr) line[0] = '\0';
      std::fclose(in);
    }
    std::string_view const text = line;
    return std::string(text.substr(0, text.find('\n')));
  };
  HostCaches found;
  int largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::string const cache = "cpu0/cache/index" + std::to_string(index);
    std::string const level = line_of(cache + "/level");
    if (level.size() != 1 || level[0] - '0' < largest) continue;
    largest = level[0] - '0';
    found.processors = processors_in(line_of(cache + "/shared_cpu_list"));
  }
  int const siblings = processors_in(line_of("cpu0/topology/thread_siblings_list"));
  if (siblings > 0 && siblings <= found.processors) found.processors_of_core = siblings;
  found.all_processors = processors_in(line_of("online"));
  return found;
}

/// Of this machine, asked once.
inline HostCaches const& host_caches() {
  static HostCaches const found = read_host_caches();
  return found;
}

}  // namespace pantile::impl::arch
