// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  In the place of the C face's products of several types: nvcc takes minutes for their tiles, and the tests in
///        ../../matmul have these executed.
#include <c/products.hpp>

namespace pantile::c {

HeldProducts products_with_wider_sums() { return {}; }
HeldProducts products_of_bytes() { return {}; }
HeldProducts products_of_half() { return {}; }
HeldProducts products_of_brain() { return {}; }

}  // namespace pantile::c
