// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Team scratch as an address space of its own.

#include <Kokkos_Core.hpp>

namespace pantile::impl::compiler_ext {

/// The same address, of which the compiler then knows that it is in team scratch of level 0: it reads and writes there
/// with the instructions for scratch.
KOKKOS_INLINE_FUNCTION void* assume_shared(void* address) {
#if defined(__CUDA_ARCH__)
  extern __shared__ unsigned char pantile_team_scratch[];  // begins where all of a team's scratch begins
  return pantile_team_scratch + (__cvta_generic_to_shared(address) - __cvta_generic_to_shared(pantile_team_scratch));
#elif defined(__HIP_DEVICE_COMPILE__)
  return (void*)(__attribute__((address_space(3))) void*)address;
#else
  return address;
#endif
}

}  // namespace pantile::impl::compiler_ext
