// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Which processors share a cache, as Linux's files say (Documentation/ABI/stable/sysfs-devices-system-cpu).

#include <pantile/impl/arch/host/caches.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#if defined(__linux__)
#include <dirent.h>
#include <sched.h>
#endif

namespace pantile::impl::arch {

/// The processors of a list such as "0-3,8,10-11", in its order; none if it is none.
inline std::vector<int> processors_of(std::string_view list) {
  std::vector<int> found;
  while (!list.empty()) {
    std::string_view const range = list.substr(0, list.find(','));
    list.remove_prefix(range.size() < list.size() ? range.size() + 1 : range.size());
    int first = 0, last = 0;
    char const* const end = range.data() + range.size();
    auto const begin = std::from_chars(range.data(), end, first);
    if (begin.ec != std::errc()) return {};
    last = first;
    if (begin.ptr != end && (*begin.ptr != '-' || std::from_chars(begin.ptr + 1, end, last).ec != std::errc()))
      return {};
    if (last < first) return {};
    for (; first <= last; ++first) found.push_back(first);
  }
  return found;
}

/// \brief  Processors on which threads of this process may run, in rising order; none where the system does not say.
///         Of all its threads, each of which may be bound to one.
inline std::vector<int> processors_of_process() {
  std::vector<int> found;
#if defined(__linux__) && defined(CPU_SETSIZE)
  DIR* const threads = ::opendir("/proc/self/task");
  if (threads == nullptr) return found;
  cpu_set_t all, one;
  CPU_ZERO(&all);
  while (dirent const* const entry = ::readdir(threads)) {
    int const thread = std::atoi(entry->d_name);
    if (thread > 0 && ::sched_getaffinity(thread, sizeof one, &one) == 0) CPU_OR(&all, &all, &one);
  }
  ::closedir(threads);
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &all)) found.push_back(processor);
  }
#endif
  return found;
}

/// Of `allowed` processors, in rising order; of none, all that are online. Caches with different numbers of them count
/// as of what divides all but the last's, so that threads that are taken for those of one cache are. Tests have a
/// folder of their own.
inline HostCaches read_host_caches(std::vector<int> const& allowed,
                                   std::string const& folder = "/sys/devices/system/cpu") {
  auto const line_of = [&](std::string const& file) {
    char line[4096] = "";
    if (std::FILE* const in = std::fopen((folder + "/" + file).c_str(), "r")) {
      if (std::fgets(line, sizeof line, in) == nullptr) line[0] = '\0';
      std::fclose(in);
    }
    std::string_view const text = line;
    return std::string(text.substr(0, text.find('\n')));
  };
  std::vector<int> left = processors_of(line_of("online"));
  if (!allowed.empty()) {
    std::erase_if(left, [&](int one) { return !std::binary_search(allowed.begin(), allowed.end(), one); });
  }
  HostCaches found;
  found.all_processors = static_cast<int>(left.size());
  auto const used_of = [&](std::vector<int> const& list) {
    auto const used = [&](int one) { return std::find(left.begin(), left.end(), one) != left.end(); };
    return static_cast<int>(std::count_if(list.begin(), list.end(), used));
  };
  int last = 0;
  while (!left.empty()) {
    std::string const processor = "cpu" + std::to_string(left.front());
    std::vector<int> together;
    int largest = 0;
    for (int index = 0; index < 8; ++index) {
      std::string const cache = processor + "/cache/index" + std::to_string(index);
      std::string const level = line_of(cache + "/level");
      if (level.size() != 1 || level[0] - '0' < largest) continue;
      largest = level[0] - '0';
      together = processors_of(line_of(cache + "/shared_cpu_list"));
    }
    if (last == 0) {
      int const siblings = used_of(processors_of(line_of(processor + "/topology/thread_siblings_list")));
      if (siblings > 0 && siblings <= used_of(together)) found.processors_of_core = siblings;
    }
    if (last > 0) found.processors = std::gcd(found.processors, last);
    last = used_of(together);
    if (found.processors == 0) found.processors = last;
    if (last == 0) break;  // the system does not say
    std::erase_if(left, [&](int one) { return std::find(together.begin(), together.end(), one) != together.end(); });
  }
  return found;
}

#if !defined(PANTILE_USE_MICRO_KERNELS)
inline HostCaches const& host_caches() {
  static HostCaches const found = read_host_caches(processors_of_process());
  return found;
}
#endif

}  // namespace pantile::impl::arch
