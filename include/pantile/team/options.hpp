// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the products and transpositions inside kernels can be told, in the words of pantile/policy.hpp.

#include <pantile/policy.hpp>

namespace pantile {

/// Choices for team::matmul and thread::matmul.
struct KernelMatmulOptions {
  Op op_a = Op::none;  ///< what is done to A first
  Op op_b = Op::none;  ///< what is done to B first
};

/// Choices for team::transpose and thread::transpose.
struct KernelTransposeOptions {
  bool conjugate = false;  ///< conjugate transpose; no effect on real elements
};

}  // namespace pantile
