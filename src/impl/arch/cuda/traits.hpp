// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  NVIDIA GPUs.

#include <pantile/impl/arch/cuda/matmul_tiles.hpp>
#include <pantile/impl/arch/device_traits.hpp>

namespace pantile::impl::arch {

struct Cuda : DeviceTraits {
  template <class Compute>
  using MatmulTiles = cuda::MatmulTiles<Compute>;
};

}  // namespace pantile::impl::arch
