// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  AMD GPUs.

#include <pantile/impl/arch/device_traits.hpp>
#include <pantile/impl/arch/hip/matmul_tiles.hpp>
#include <pantile/impl/arch/hip/tuning.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::arch {

struct Hip : DeviceTraits {
  static constexpr DeviceTuning tuning = hip::tuning;

  /// Matrix instructions for all types: gfx90a and gfx942. Where nothing is compiled for AMD, as if there.
#if !defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ARCH_AMD_GFX90A) || defined(KOKKOS_ARCH_AMD_GFX942) || \
    defined(KOKKOS_ARCH_AMD_GFX942_APU)
  static constexpr bool matrix_instructions = true;
#else
  static constexpr bool matrix_instructions = false;
#endif

  template <class TA, class TB, class Compute>
  using MatmulTiles =
      std::conditional_t<matrix_instructions, decltype(hip::matrix_tiles<TA, TB, Compute>()), hip::PlainTiles<Compute>>;
};

}  // namespace pantile::impl::arch
