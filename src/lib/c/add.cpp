// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operation.hpp>

#include <pantile/add.hpp>

namespace pantile::c {
namespace {

AddOptions options_of(pantile_add_options const* given) {
  pantile_add_options const o = read("options", given);
  return {AddAlgorithm{o.algorithm}, extent_of(o.tile), launch_of(o.launch)};
}

struct AddCall {
  pantile_exec const* exec;
  void const* alpha;
  pantile_matrix const* A;
  void const* beta;
  pantile_matrix const *B, *C;
  pantile_add_options const* options;
};

void add(AddCall const& call, pantile_explanation* explanation) {
  Operand const a = checked("A", call.A), b = checked("B", call.B), c = checked("C", call.C);
  AddOptions const options = options_of(call.options);
  common_element({a.typed(), b.typed(), c.typed()});
  with_call(MatrixElements{}, c.typed(), call.exec, {}, [&]<class T>(auto const& exec, std::type_identity<T>) {
    auto const A = matrix<T const>(exec, a), B = matrix<T const>(exec, b);
    auto const C = matrix<T>(exec, c);
    T const alpha = scalar(call.alpha, T(1)), beta = scalar(call.beta, T(1));
    PANTILE_C_RUN(add, exec, alpha, A, beta, B, C, options);
  });
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_FUNCTIONS(add, (exec, alpha, A, beta, B, C, options), pantile_exec const* exec, void const* alpha,
                    pantile_matrix const* A, void const* beta, pantile_matrix const* B, pantile_matrix const* C,
                    pantile_add_options const* options)
