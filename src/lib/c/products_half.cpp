// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/multiply.hpp>

namespace pantile::c {

HeldProducts products_of_half() { return products_of_16_bits<Half>(PANTILE_HALF); }

}  // namespace pantile::c
