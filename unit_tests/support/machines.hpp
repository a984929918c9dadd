// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Machines that are not there, by their makers' public data: which processors share what, as Linux lists it.

#include <pantile/impl/arch/host/caches.hpp>

namespace pantile::testing {

/// Of processor 0; lists as in Linux's files, empty where there is no such cache.
struct Machine {
  char const* name;
  int cores, threads_of_core;
  int cores_of_cache;  ///< of the last level
  char const *siblings, *l2, *l3, *online;

  /// What Linux' files are read as.
  [[nodiscard]] constexpr impl::arch::HostCaches caches() const {
    return {.processors = cores_of_cache * threads_of_core,
            .processors_of_core = threads_of_core,
            .all_processors = cores * threads_of_core};
  }
};

inline constexpr Machine machines[] = {
    {"AMD EPYC 9654: 12 chiplets", 96, 2, 8, "0,96", "0,96", "0-7,96-103", "0-191"},
    {"two of them", 192, 2, 8, "0,192", "0,192", "0-7,192-199", "0-383"},
    {"the same without hardware threads", 192, 1, 8, "0", "0", "0-7", "0-191"},
    // Its four parts of memory are nodes; the cache is listed as the socket's.
    {"Intel Xeon Platinum 8480+, two sockets in four parts each", 112, 2, 56, "0,112", "0,112", "0-55,112-167",
     "0-223"},
    {"NVIDIA Grace", 72, 1, 72, "0", "0", "0-71", "0-71"},
    {"two of them, one module", 144, 1, 72, "0", "0", "0-71", "0-143"},
    {"Fujitsu A64FX: four groups, no third level", 48, 1, 12, "0", "0-11", "", "0-47"},
    {"AMD Ryzen Threadripper 3990X: two caches a chiplet", 64, 2, 4, "0,64", "0,64", "0-3,64-67", "0-127"},
    {"AMD Ryzen Threadripper PRO 7995WX", 96, 2, 8, "0,96", "0,96", "0-7,96-103", "0-191"},
    {"IBM POWER9, 22 cores of four threads, siblings side by side", 22, 4, 2, "0-3", "0-7", "0-7", "0-87"},
};

}  // namespace pantile::testing
