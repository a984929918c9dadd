// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The toy of recipe "a new machine": a host with an odd register tile and small tiles.

#include <pantile/impl/arch/host/traits.hpp>

namespace pantile::impl::arch {

struct Toy : Host {
  template <class Compute>
  static constexpr MicroTile micro_tile() {
    return {3, 5};
  }
  template <class Compute>
  static constexpr int matmul_edge = 15;
  static constexpr int matmul_depth = 7;
};

}  // namespace pantile::impl::arch
