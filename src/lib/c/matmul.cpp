// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operation.hpp>
#include <c/products.hpp>

#include <string>

namespace pantile::c {
namespace {

MatmulOptions options_of(pantile_matmul_options const& o) {
  return {Op{o.op_a},
          Op{o.op_b},
          MatmulAlgorithm{o.algorithm},
          {o.tile_m, o.tile_n, o.tile_k},
          launch_of(o.launch),
          Precision{o.precision},
          workspace_of(o.workspace)};
}

/// The first that is held of these types; of any sums where none are asked for.
HeldProduct const& held_product(Product const& p, pantile_element sum) {
  pantile_element const operands = p.a.matrix.element;
  // Modulo 2^32 signs say nothing, of sums of bytes and where they go.
  bool const bytes = operands == PANTILE_INT8 || operands == PANTILE_UINT8;
  auto const signed_one = [&](pantile_element e) { return bytes && e == PANTILE_UINT32 ? PANTILE_INT32 : e; };
  pantile_element const result = signed_one(p.c.matrix.element), line_sum = signed_one(sum);
  if (p.b.matrix.element == operands) {
    for (HeldProducts const& lines : {products_of_one_type(), products_with_wider_sums(), products_of_bytes(),
                                      products_of_half(), products_of_brain()}) {
      for (HeldProduct const& line : lines) {
        if (line.operands == operands && line.result == result && (sum == 0 || line_sum == line.sum)) return line;
      }
    }
  }
  throw Refusal(PANTILE_NOT_SUPPORTED,
                "the library does not hold this product: " + list({p.a.typed(), p.b.typed(), p.c.typed()}) +
                    (sum == 0 ? "" : ", sums are " + element_name(sum)));
}

void multiply(Product const& product, pantile_element sum, pantile_explanation* explanation) {
  require(sum == 0 || is_element(sum),
          [&] { return "options.sum is " + std::to_string(sum) + ", which is no element type"; });
  held_product(product, sum).multiply(product, explanation);
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_OPERATION(matmul, (exec, alpha, A, B, beta, C, options), pantile_exec const* exec, void const* alpha,
                    pantile_matrix const* A, pantile_matrix const* B, void const* beta, pantile_matrix const* C,
                    pantile_matmul_options const* options) {
  Operand const a = checked("A", A), b = checked("B", B), c = checked("C", C);
  pantile_matmul_options const how = read("options", options);
  multiply({exec, Form::matrices, alpha, {a}, {b}, beta, {c}, options_of(how)}, how.sum, explanation);
}

PANTILE_C_OPERATION(matmul_batched, (exec, alpha, A, B, beta, C, options), pantile_exec const* exec, void const* alpha,
                    pantile_batch const* A, pantile_batch const* B, void const* beta, pantile_batch const* C,
                    pantile_matmul_options const* options) {
  BatchOperand const a = checked("A", A), b = checked("B", B), c = checked("C", C);
  pantile_matmul_options const how = read("options", options);
  bool const addresses = c.addresses != nullptr;
  require((a.addresses != nullptr) == addresses && (b.addresses != nullptr) == addresses,
          [] { return std::string("A, B and C must all have addresses, or none of them"); });
  Form const form = addresses ? Form::addresses : Form::strided;
  multiply({exec, form, alpha, a, b, beta, c, options_of(how)}, how.sum, explanation);
}
