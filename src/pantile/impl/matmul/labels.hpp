// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The labels of matmul's kernels.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/view/label.hpp>

#include <string>

namespace pantile::impl::matmul {

/// Of all variants.
struct Labels {
  std::string scale, naive, grid_stride, tiled, blocked, vendor;
};

/// Made once per instantiation.
template <class Exec, class TA, class TB, class TC>
Labels const& labels() {
  static Labels const all = [] {
    auto const make = [](char const* variant) {
      return kernel_label("matmul", variant, arch::space_name<Exec>(), element_names<TA, TB, TC>());
    };
    return Labels{make("scale"), make("naive"), make("grid_stride"), make("tiled"), make("blocked"), make("vendor")};
  }();
  return all;
}

}  // namespace pantile::impl::matmul
