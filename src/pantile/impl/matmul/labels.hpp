// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The labels of matmul's kernels.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/view/label.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace pantile::impl::matmul {

/// The label of a variant; of `automatic`, which is none, that of C = beta C. Made once per instantiation.
template <class Exec, class TA, class TB, class TC>
std::string const& label(MatmulAlgorithm variant) {
  static constexpr std::array variants{"scale", "naive", "grid_stride", "tiled", "blocked", "vendor"};
  static auto const all = [] {
    std::array<std::string, variants.size()> made;
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = kernel_label("matmul", variants[i], arch::space_name<Exec>(), element_names<TA, TB, TC>());
    }
    return made;
  }();
  return all[static_cast<std::size_t>(variant)];
}

}  // namespace pantile::impl::matmul
