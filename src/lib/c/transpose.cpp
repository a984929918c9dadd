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

/// In place there is no B.
template <class Operands>
struct TransposeCall {
  pantile_exec const* exec;
  Operands const *A, *B;
  pantile_transpose_options const* options;
};

void transpose(TransposeCall<pantile_matrix> const& call, pantile_explanation* explanation) {
  Operand const a = checked("A", call.A), b = checked("B", call.B);
  TransposeOptions const options = options_of(call.options);
  common_element({a.typed(), b.typed()});
  auto const run = [&]<class T>(auto const& exec, std::type_identity<T>) {
    auto const A = matrix<T const>(exec, a);
    auto const B = matrix<T>(exec, b);
    PANTILE_C_RUN(transpose, exec, A, B, options);
  };
  with_call(MovedElements{}, b.typed(), call.exec, options.workspace, run);
}

void transpose_batched(TransposeCall<pantile_batch> const& call, pantile_explanation* explanation) {
  BatchOperand const a = checked("A", call.A), b = checked("B", call.B);
  TransposeOptions const options = options_of(call.options);
  require((a.addresses == nullptr) == (b.addresses == nullptr),
          [] { return std::string("A and B must both have addresses, or none of them"); });
  common_element({a.typed(), b.typed()});
  auto const run = [&]<class T>(auto const& exec, std::type_identity<T>) {
    auto const compute = [&](auto const& A, auto const& B) { PANTILE_C_RUN(transpose, exec, A, B, options); };
    if (a.addresses == nullptr) {
      compute(batch<T const>(exec, a), batch<T>(exec, b));
    } else {
      compute(pointers<T const>(exec, a), pointers<T>(exec, b));
    }
  };
  with_call(MovedElements{}, b.typed(), call.exec, options.workspace, run);
}

void transpose_in_place(TransposeCall<pantile_matrix> const& call, pantile_explanation* explanation) {
  Operand const a = checked("A", call.A);
  TransposeOptions const options = options_of(call.options);
  auto const run = [&]<class T>(auto const& exec, std::type_identity<T>) {
    auto const A = matrix<T>(exec, a);
    PANTILE_C_RUN(transpose, exec, A, options);
  };
  with_call(MovedElements{}, a.typed(), call.exec, options.workspace, run);
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_FUNCTIONS(transpose, (exec, A, B, options), pantile_exec const* exec, pantile_matrix const* A,
                    pantile_matrix const* B, pantile_transpose_options const* options)
PANTILE_C_FUNCTIONS(transpose_batched, (exec, A, B, options), pantile_exec const* exec, pantile_batch const* A,
                    pantile_batch const* B, pantile_transpose_options const* options)
PANTILE_C_FUNCTIONS(transpose_in_place, (exec, A, nullptr, options), pantile_exec const* exec, pantile_matrix const* A,
                    pantile_transpose_options const* options)
