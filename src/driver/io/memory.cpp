// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/memory.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <limits>

#include <sys/resource.h>
#include <unistd.h>

namespace pantile::driver {

namespace {

constexpr auto unlimited = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

/// The number in a file of one, or behind a key in a file of "key number" or "key: number".
std::optional<std::uint64_t> number_in(std::filesystem::path const& path, std::string const& key = "") {
  std::ifstream file(path);
  std::string word;
  std::uint64_t number = 0;
  while (!key.empty() && file >> word && word != key) {
  }
  if (file >> number) return number;
  return std::nullopt;  // "max", or no such file
}

/// What is left of a limit; the cache of files, which goes first, counts as free.
std::uint64_t left_of(std::optional<std::uint64_t> limit, std::optional<std::uint64_t> used,
                      std::optional<std::uint64_t> cache) {
  if (!limit || !used) return unlimited;
  std::uint64_t const taken = *used - std::min(*used, cache.value_or(0));
  return *limit - std::min(*limit, taken);
}

/// The least that is left in a cgroup and in those above it, as far as they are seen here; with so much of free swap.
std::uint64_t left_in_cgroups(std::filesystem::path const& mount, std::filesystem::path group, bool second_version,
                              std::uint64_t swap) {
  std::uint64_t least = unlimited;
  for (group = group.relative_path();; group = group.parent_path()) {
    std::filesystem::path const folder = mount / group;
    auto const number = [&](char const* file, char const* key = "") { return number_in(folder / file, key); };
    if (second_version) {
      auto const swapped = std::min(swap, left_of(number("memory.swap.max"), number("memory.swap.current"), 0));
      auto const cache = number("memory.stat", "inactive_file");
      least = std::min(least, left_of(number("memory.max"), number("memory.current"), cache) + swapped);
    } else {
      auto const cache = number("memory.stat", "total_inactive_file");
      auto const of_both = left_of(number("memory.memsw.limit_in_bytes"), number("memory.memsw.usage_in_bytes"), cache);
      auto const left = left_of(number("memory.limit_in_bytes"), number("memory.usage_in_bytes"), cache) + swap;
      least = std::min({least, left, of_both});
    }
    if (group.empty()) return least;
  }
}

/// /proc/self/cgroup has lines "number:controllers:path"; the second version has no controllers.
std::uint64_t left_in_cgroups(std::filesystem::path const& root, std::uint64_t swap) {
  std::uint64_t least = unlimited;
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    auto const first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    std::string const controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    std::string const path = line.substr(second + 1);
    std::filesystem::path const mounts = root / "sys/fs/cgroup";
    if (controllers == ",,") {
      least = std::min(
          {least, left_in_cgroups(mounts, path, true, swap), left_in_cgroups(mounts / "unified", path, true, swap)});
    } else if (controllers.find(",memory,") != controllers.npos) {
      least = std::min(least, left_in_cgroups(mounts / "memory", path, false, swap));
    }
  }
  return least;
}

std::uint64_t left_of_address_space(std::filesystem::path const& root) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  auto const pages = number_in(root / "proc/self/statm");
  return left_of(limit.rlim_cur, pages.value_or(0) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)), 0);
}

}  // namespace

std::uint64_t available_memory(std::filesystem::path const& root, Swap swap) {
  auto const bytes = [&](char const* key) -> std::optional<std::uint64_t> {
    auto const kibibytes = number_in(root / "proc/meminfo", key);
    return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
  };
  std::uint64_t const swapped = swap == Swap::counts ? bytes("SwapFree:").value_or(0) : 0;
  auto const free = bytes("MemAvailable:");
  return std::min({free ? *free + swapped : unlimited, left_in_cgroups(root, swapped), left_of_address_space(root)});
}

std::uint64_t tile_budget(std::uint64_t host, std::optional<std::uint64_t> device) {
  return std::min(host, device.value_or(host)) / 2;
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", value, units[unit]);
  return text;
}

}  // namespace pantile::driver
