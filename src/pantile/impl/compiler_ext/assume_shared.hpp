// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Team scratch as an address space of its own.

#include <Kokkos_Core.hpp>

namespace pantile::impl::compiler_ext {

/// The same address, of which the compiler then knows that it is in team scratch of level 0, and not how it was
/// computed: it reads and writes there with the instructions for scratch, and keeps the address in a register instead
/// of computing it again in a loop.
KOKKOS_INLINE_FUNCTION void* assume_shared(void* address) {
#if defined(__CUDA_ARCH__)
  auto place = static_cast<unsigned>(__cvta_generic_to_shared(address));
  asm volatile("" : "+r"(place));
  return __cvta_shared_to_generic(place);
#elif defined(__HIP_DEVICE_COMPILE__)
  return (void*)(__attribute__((address_space(3))) void*)address;
#else
  return address;
#endif
}

}  // namespace pantile::impl::compiler_ext
