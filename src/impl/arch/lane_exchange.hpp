// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What lanes of a warp tell each other.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::impl::arch {

/// What the lane has whose number differs in these bits; called by all lanes of the warp. On devices only.
KOKKOS_INLINE_FUNCTION std::uint32_t of_other_lane(std::uint32_t mine, [[maybe_unused]] int bits) {
#if defined(__CUDA_ARCH__)
  return __shfl_xor_sync(0xffffffffU, mine, bits);
#elif defined(__HIP_DEVICE_COMPILE__)
  return static_cast<std::uint32_t>(__shfl_xor(static_cast<int>(mine), bits));
#else
  return mine;
#endif
}

}  // namespace pantile::impl::arch
