// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  NVIDIA GPUs.

#include <pantile/impl/arch/cuda/matmul_tiles.hpp>
#include <pantile/impl/arch/cuda/tuning.hpp>
#include <pantile/impl/arch/device_traits.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::arch {

struct Cuda : DeviceTraits {
  /// Matrix instructions for doubles and elements of low precision: sm_80 and later.
#if defined(KOKKOS_ARCH_KEPLER) || defined(KOKKOS_ARCH_MAXWELL) || defined(KOKKOS_ARCH_PASCAL) || \
    defined(KOKKOS_ARCH_VOLTA) || defined(KOKKOS_ARCH_TURING75)
  static constexpr bool matrix_instructions = false;
#else
  static constexpr bool matrix_instructions = true;
#endif

  static constexpr DeviceTuning tuning = cuda::tuning;

  template <class TA, class TB, class Compute>
  using MatmulTiles = std::conditional_t<matrix_instructions, decltype(cuda::matrix_tiles<TA, TB, Compute>()),
                                         cuda::PlainTiles<Compute>>;
};

}  // namespace pantile::impl::arch
