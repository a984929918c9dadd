// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Host memory that is pinned and mapped into the device's address space, where this Kokkos has it.

#include <Kokkos_Core.hpp>

namespace pantile::impl::kokkos_ext {

#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
using PinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using PinnedSpace = Kokkos::HostSpace;
#endif

}  // namespace pantile::impl::kokkos_ext
