// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Shuffles within a warp.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::impl::arch {

/// \brief  The value of the lane whose number differs in this bit, 1 or 2; called by all lanes of the warp. On devices
///         only. Source: AMD, "CDNA3 Instruction Set Architecture", DPP, quad_perm: two bits for each lane of four.
KOKKOS_INLINE_FUNCTION std::uint32_t shfl_xor(std::uint32_t mine, [[maybe_unused]] int bit) {
#if defined(__CUDA_ARCH__)
  return __shfl_xor_sync(0xffffffffU, mine, bit);
#elif defined(__HIP_DEVICE_COMPILE__)
  constexpr int swap_1 = 1 | 0 << 2 | 3 << 4 | 2 << 6, swap_2 = 2 | 3 << 2 | 0 << 4 | 1 << 6;
  auto const word = static_cast<int>(mine);
  return static_cast<std::uint32_t>(bit == 1 ? __builtin_amdgcn_mov_dpp(word, swap_1, 0xf, 0xf, true)
                                             : __builtin_amdgcn_mov_dpp(word, swap_2, 0xf, 0xf, true));
#else
  return mine;
#endif
}

}  // namespace pantile::impl::arch
