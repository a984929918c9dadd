// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/explanation.hpp>
#include <c/face.hpp>
#include <c/operands.hpp>
#include <c/options.hpp>

#include <pantile/matmul.hpp>

namespace pantile::c {
namespace {

MatmulOptions options_of(pantile_matmul_options const* given) {
  pantile_matmul_options const o = read("options", given);
  return {Op{o.op_a},
          Op{o.op_b},
          MatmulAlgorithm{o.algorithm},
          {o.tile_m, o.tile_n, o.tile_k},
          launch_of(o.launch),
          Precision{o.precision},
          workspace_of(o.workspace)};
}

struct MatmulCall {
  pantile_exec const* exec;
  void const* alpha;
  pantile_matrix const *A, *B;
  void const* beta;
  pantile_matrix const* C;
  pantile_matmul_options const* options;
};

/// Runs the call, or explains it where there is an explanation to be written.
void multiply(MatmulCall const& call, pantile_explanation* explanation) {
  Operand const a = checked("A", call.A), b = checked("B", call.B), c = checked("C", call.C);
  MatmulOptions const options = options_of(call.options);
  common_element({a.typed(), b.typed(), c.typed()});
  with_type(MatrixElements{}, c.typed(), [&]<class T>(std::type_identity<T>) {
    on_instance(call.exec, [&](auto const& exec) {
      auto const A = matrix<T const>(exec, a), B = matrix<T const>(exec, b);
      auto const C = matrix<T>(exec, c);
      T const alpha = scalar(call.alpha, T(1)), beta = scalar(call.beta, T(0));
      if (explanation == nullptr) {
        pantile::matmul(exec, alpha, A, B, beta, C, options);
      } else {
        give(explanation, explain::matmul(exec, alpha, A, B, beta, C, options));
      }
    });
  });
}

}  // namespace
}  // namespace pantile::c

namespace c = pantile::c;

extern "C" {

pantile_status pantile_matmul(pantile_exec const* exec, void const* alpha, pantile_matrix const* A,
                              pantile_matrix const* B, void const* beta, pantile_matrix const* C,
                              pantile_matmul_options const* options) {
  return c::compute("pantile_matmul", c::multiply, {exec, alpha, A, B, beta, C, options});
}

pantile_status pantile_explain_matmul(pantile_exec const* exec, void const* alpha, pantile_matrix const* A,
                                      pantile_matrix const* B, void const* beta, pantile_matrix const* C,
                                      pantile_matmul_options const* options, pantile_explanation* explanation) {
  return c::explain_call("pantile_explain_matmul", c::multiply, {exec, alpha, A, B, beta, C, options}, explanation);
}

}  // extern "C"
