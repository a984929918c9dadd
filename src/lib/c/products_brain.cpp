// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/multiply.hpp>

namespace pantile::c {

HeldProducts products_of_brain() { return narrow_products<Brain>(PANTILE_BFLOAT16); }

}  // namespace pantile::c
