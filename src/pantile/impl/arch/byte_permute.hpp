// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Permutations of the bytes of two registers, and small transpositions made of them.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::impl::arch {

/// \brief  The bytes of a (0 to 3) and b (4 to 7) that the selector's four hexadecimal digits name, the last digit for
///         the lowest byte.
template <std::uint32_t Selector>
KOKKOS_INLINE_FUNCTION std::uint32_t byte_permute(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(a, b, Selector);
#elif defined(__HIP_DEVICE_COMPILE__)
  constexpr std::uint32_t spread =
      (Selector & 7U) | (Selector >> 4 & 7U) << 8 | (Selector >> 8 & 7U) << 16 | (Selector >> 12 & 7U) << 24;
  return __builtin_amdgcn_perm(b, a, spread);
#else
  std::uint64_t const both = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<std::uint32_t>(both >> 8 * (Selector >> 4 * i & 7U) & 0xffU) << 8 * i;
  return result;
#endif
}

/// Two registers of two halves each: out[i] has half i of both.
KOKKOS_INLINE_FUNCTION void transpose_halves(std::uint32_t const (&in)[2], std::uint32_t (&out)[2]) {
  out[0] = byte_permute<0x5410>(in[0], in[1]);
  out[1] = byte_permute<0x7632>(in[0], in[1]);
}

/// Four registers of four bytes each: out[i] has byte i of all.
KOKKOS_INLINE_FUNCTION void transpose_bytes(std::uint32_t const (&in)[4], std::uint32_t (&out)[4]) {
  std::uint32_t const low[2] = {byte_permute<0x5140>(in[0], in[1]), byte_permute<0x5140>(in[2], in[3])};
  std::uint32_t const high[2] = {byte_permute<0x7362>(in[0], in[1]), byte_permute<0x7362>(in[2], in[3])};
  out[0] = byte_permute<0x5410>(low[0], low[1]);
  out[1] = byte_permute<0x7632>(low[0], low[1]);
  out[2] = byte_permute<0x5410>(high[0], high[1]);
  out[3] = byte_permute<0x7632>(high[0], high[1]);
}

}  // namespace pantile::impl::arch
