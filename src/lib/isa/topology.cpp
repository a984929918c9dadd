// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Which processors share a cache, asked once for all instruction sets.
#define PANTILE_USE_MICRO_KERNELS  // their users' declaration
#include <pantile/impl/arch/host/topology.hpp>

namespace pantile::impl::arch {

HostCaches const& host_caches() {
  static HostCaches const found = read_host_caches(processors_of_process());
  return found;
}

}  // namespace pantile::impl::arch
