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

}  // namespace
}  // namespace pantile::c

PANTILE_C_OPERATION(add, (exec, alpha, A, beta, B, C, options), pantile_exec const* exec, void const* alpha,
                    pantile_matrix const* A, void const* beta, pantile_matrix const* B, pantile_matrix const* C,
                    pantile_add_options const* options) {
  Operand const a = checked("A", A), b = checked("B", B), c = checked("C", C);
  AddOptions const how = options_of(options);
  common_element({a.typed(), b.typed(), c.typed()});
  with_call(MatrixElements{}, c.typed(), exec, {}, [&]<class T>(auto const& instance, std::type_identity<T>) {
    auto const view_a = matrix<T const>(instance, a), view_b = matrix<T const>(instance, b);
    auto const view_c = matrix<T>(instance, c);
    T const of_a = scalar(alpha, T(1)), of_b = scalar(beta, T(1));
    PANTILE_C_RUN(add, instance, of_a, view_a, of_b, view_b, view_c, how);
  });
}
