// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/multiply.hpp>

namespace pantile::c {

HeldProducts products_of_brain() { return products_of_16_bits<Brain>(PANTILE_BFLOAT16); }

}  // namespace pantile::c
