// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The products that matmul holds: of which elements, summed in which numbers, and the function for each.

#include <c/operands.hpp>

#include <pantile/policy.hpp>

#include <span>

namespace pantile::c {

/// Are A, B and C matrices, or batches?
enum class Form { matrices, strided, addresses };

/// A call whose operands are sound; which product of them is held is not yet asked.
struct Product {
  pantile_exec const* exec;
  Form form;
  void const* alpha;
  BatchOperand a, b;
  void const* beta;
  BatchOperand c;
  MatmulOptions options;
};

/// One that is held: the types of A and B, of C, and of sums, alpha and beta.
struct HeldProduct {
  pantile_element operands, result, sum;
  /// Runs the call, or explains it where there is an explanation to be written.
  void (*multiply)(Product const&, pantile_explanation*);
};

using HeldProducts = std::span<HeldProduct const>;
HeldProducts products_of_one_type();
HeldProducts products_with_wider_sums();
HeldProducts products_of_bytes();
HeldProducts products_of_half();
HeldProducts products_of_brain();

}  // namespace pantile::c
