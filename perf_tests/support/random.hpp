// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Random bits that hosts, devices and perf_tests/numpy_peer.py draw alike, in any order.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace pantile::perf {

/// \brief  64 random bits for each number: the generator splitmix64 (Steele, Lea, Flood 2014), asked for its i-th
///         value.
KOKKOS_INLINE_FUNCTION std::uint64_t random_bits(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace pantile::perf
