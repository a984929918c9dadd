// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/multiply.hpp>

namespace pantile::c {
namespace {

/// Of numbers of 16 bits, summed in float; none where the library's compiler has none.
template <class T>
HeldProducts products_of(pantile_element element) {
  if constexpr (exists<T>) {
    static HeldProduct const lines[] = {held<T, T, float>(element, element, PANTILE_FLOAT),
                                        held<T, float>(element, PANTILE_FLOAT, PANTILE_FLOAT)};
    return lines;
  } else {
    return {};
  }
}

}  // namespace

HeldProducts products_of_half() { return products_of<Half>(PANTILE_HALF); }
HeldProducts products_of_brain() { return products_of<Brain>(PANTILE_BFLOAT16); }

}  // namespace pantile::c
