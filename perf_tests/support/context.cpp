// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/contest.hpp>
#include <support/context.hpp>

#include <pantile/version.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <vector>

namespace pantile::perf {

namespace {

/// Of the calling thread.
std::string own_processors() {
  std::ostringstream text;
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return "unknown";
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(first, &set)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set)) ++last;
    text << (text.str().empty() ? "" : ",") << first;
    if (last > first) text << '-' << last;
    first = last;
  }
#endif
  return text.str();
}

}  // namespace

std::string affinity() {
  std::vector<std::string> of_thread(static_cast<std::size_t>(host_threads()));
  std::string* const texts = of_thread.data();
  Kokkos::parallel_for("pantile::perf::affinity", Kokkos::RangePolicy<Host>(0, host_threads()),
                       [=](int thread) { texts[thread] = own_processors(); });
  if (std::equal(of_thread.begin() + 1, of_thread.end(), of_thread.begin())) return of_thread.front();
  std::string all;
  for (std::string const& one : of_thread) all += (all.empty() ? "" : "; ") + one;
  return all;
}

void add_context(JsonObject& context) {
  std::array<char, 32> date{};
  std::time_t const now = std::time(nullptr);
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  context.add("date", date.data());
  double load = 0;
  if (getloadavg(&load, 1) == 1) context.add("load_avg", load);
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  JsonObject caches;
  caches.add("L1d", static_cast<double>(sysconf(_SC_LEVEL1_DCACHE_SIZE)));
  caches.add("L2", static_cast<double>(sysconf(_SC_LEVEL2_CACHE_SIZE)));
  caches.add("L3", static_cast<double>(sysconf(_SC_LEVEL3_CACHE_SIZE)));
  context.add("caches", caches);
#endif
  std::ostringstream version, configuration;
  version << header_version.major << '.' << header_version.minor << '.' << header_version.patch;
  Kokkos::print_configuration(configuration);
  context.add("pantile_version", version.str());
  context.add("kokkos_version", KOKKOS_VERSION);
  context.add("space", Exec::name());
  context.add("concurrency", Exec().concurrency());
  context.add("host_concurrency", host_threads());
  context.add("team_scratch", Kokkos::TeamPolicy<Exec>::scratch_size_max(0));
  context.add("kokkos_configuration", configuration.str());
  context.add("compiler", PANTILE_PERF_COMPILER);
  context.add("flags", PANTILE_PERF_FLAGS);
  context.add("affinity", affinity());
}

}  // namespace pantile::perf
