// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Names of kernels, "pantile::matmul[tiled,openmp,double]", and of the regions around them.

#include <pantile/element.hpp>
#include <pantile/names.hpp>

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>

namespace pantile::impl {

/// "double", or "half,half->float" where the operands differ.
template <class TA, class TB, class TC>
std::string element_names() {
  if constexpr (std::is_same_v<std::remove_const_t<TA>, TC> && std::is_same_v<std::remove_const_t<TB>, TC>) {
    return element_name_v<TC>;
  } else {
    return std::string(element_name_v<TA>) + "," + element_name_v<TB> + "->" + element_name_v<TC>;
  }
}

/// Label of one variant of one operation on one space. Callers keep it in a static, so that calls allocate nothing.
[[gnu::cold]] inline std::string kernel_label(char const* operation, char const* variant, std::string const& space,
                                              std::string const& elements) {
  return std::string("pantile::") + operation + "[" + variant + "," + space + "," + elements + "]";
}

/// One for each value of an enumeration.
template <Enumeration Variant>
using VariantLabels = std::array<std::string, std::size(EnumeratorNames<Variant>::all)>;

/// Labels of an operation's variants, such as its algorithms, by their numbers. Callers keep them in a static too.
template <Enumeration Variant>
[[gnu::cold]] VariantLabels<Variant> variant_labels(char const* operation, std::string const& space,
                                                    std::string const& elements, std::string const& ending = "") {
  VariantLabels<Variant> labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = kernel_label(operation, (EnumeratorNames<Variant>::all[i] + ending).c_str(), space, elements);
  }
  return labels;
}

/// \brief  Of the region around all that a call does: "pantile::matmul". No kernel has this name, since tools such as
///         Kokkos' simple kernel timer add up what has one name. Callers keep it in a static too.
[[gnu::cold]] inline std::string region_label(char const* operation) { return std::string("pantile::") + operation; }

}  // namespace pantile::impl
