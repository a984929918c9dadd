// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  AMD GPUs.

#include <pantile/impl/arch/hip/matmul_tiles.hpp>
#include <pantile/impl/arch/device_traits.hpp>

namespace pantile::impl::arch {

struct Hip : DeviceTraits {
  template <class Compute>
  using MatmulTiles = hip::MatmulTiles<Compute>;
};

}  // namespace pantile::impl::arch
