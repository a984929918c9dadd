// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operation.hpp>

#include <pantile/transpose.hpp>

namespace pantile::c {
namespace {

TransposeOptions options_of(pantile_transpose_options const* given) {
  pantile_transpose_options const o = read("options", given);
  return {o.conjugate != 0, TransposeAlgorithm{o.algorithm}, o.tile, o.rows_per_thread, workspace_of(o.workspace)};
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_OPERATION(transpose, (exec, A, B, options), pantile_exec const* exec, pantile_matrix const* A,
                    pantile_matrix const* B, pantile_transpose_options const* options) {
  Operand const a = checked("A", A), b = checked("B", B);
  TransposeOptions const how = options_of(options);
  common_element({a.typed(), b.typed()});
  auto const run = [&]<class T>(auto const& instance, std::type_identity<T>) {
    auto const view_a = matrix<T const>(instance, a);
    auto const view_b = matrix<T>(instance, b);
    PANTILE_C_RUN(transpose, instance, view_a, view_b, how);
  };
  with_call(MovedElements{}, b.typed(), exec, how.workspace, run);
}

PANTILE_C_OPERATION(transpose_batched, (exec, A, B, options), pantile_exec const* exec, pantile_batch const* A,
                    pantile_batch const* B, pantile_transpose_options const* options) {
  BatchOperand const a = checked("A", A), b = checked("B", B);
  TransposeOptions const how = options_of(options);
  require((a.addresses == nullptr) == (b.addresses == nullptr),
          [] { return std::string("A and B must both have addresses, or none of them"); });
  common_element({a.typed(), b.typed()});
  auto const run = [&]<class T>(auto const& instance, std::type_identity<T>) {
    auto const views = [&](auto const& of_a, auto const& of_b) { PANTILE_C_RUN(transpose, instance, of_a, of_b, how); };
    if (a.addresses == nullptr) {
      views(batch<T const>(instance, a), batch<T>(instance, b));
    } else {
      views(pointers<T const>(instance, a), pointers<T>(instance, b));
    }
  };
  with_call(MovedElements{}, b.typed(), exec, how.workspace, run);
}

PANTILE_C_OPERATION(transpose_in_place, (exec, A, options), pantile_exec const* exec, pantile_matrix const* A,
                    pantile_transpose_options const* options) {
  Operand const a = checked("A", A);
  TransposeOptions const how = options_of(options);
  auto const run = [&]<class T>(auto const& instance, std::type_identity<T>) {
    auto const view = matrix<T>(instance, a);
    PANTILE_C_RUN(transpose, instance, view, how);
  };
  with_call(MovedElements{}, a.typed(), exec, how.workspace, run);
}
