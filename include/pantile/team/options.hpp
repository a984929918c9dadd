// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Options of matmul and transpose inside kernels, named as in pantile/policy.hpp.

#include <pantile/policy.hpp>

namespace pantile {

/// Options of team::matmul and thread::matmul.
struct KernelMatmulOptions {
  Op op_a = Op::none;  ///< operator on A
  Op op_b = Op::none;  ///< operator on B
};

/// Options of team::transpose and thread::transpose.
struct KernelTransposeOptions {
  bool conjugate = false;  ///< conjugate transpose; no effect on real elements
};

}  // namespace pantile
