// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The labels of matmul's kernels.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/view/label.hpp>

#include <cstddef>
#include <string>

namespace pantile::impl::matmul {

/// The label of a variant; of `automatic`, which is none, that of C = beta C. Made once per instantiation.
template <class Exec, class TA, class TB, class TC>
std::string const& label(MatmulAlgorithm variant) {
  static auto const all = [] {
    std::string const elements = element_names<TA, TB, TC>();
    auto made = variant_labels<MatmulAlgorithm>("matmul", arch::space_name<Exec>(), elements);
    made[0] = kernel_label("matmul", "scale", arch::space_name<Exec>(), elements);
    return made;
  }();
  return all[static_cast<std::size_t>(variant)];
}

}  // namespace pantile::impl::matmul
