// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operation.hpp>

#include <pantile/reverse.hpp>

namespace pantile::c {
namespace {

ReverseOptions options_of(pantile_reverse_options const* given) {
  pantile_reverse_options const o = read("options", given);
  return {o.tile, workspace_of(o.workspace)};
}

/// In place there is no y.
struct ReverseCall {
  pantile_exec const* exec;
  pantile_vector const *x, *y;
  pantile_reverse_options const* options;
};

void reverse(ReverseCall const& call, pantile_explanation* explanation) {
  Operand const from = checked("x", call.x), to = checked("y", call.y);
  ReverseOptions const options = options_of(call.options);
  common_element({from.typed(), to.typed()});
  auto const run = [&]<class T>(auto const& exec, std::type_identity<T>) {
    auto const x = vector<T const>(exec, from);
    auto const y = vector<T>(exec, to);
    PANTILE_C_RUN(reverse, exec, x, y, options);
  };
  with_call(MatrixElements{}, to.typed(), call.exec, options.workspace, run);
}

void reverse_in_place(ReverseCall const& call, pantile_explanation* explanation) {
  Operand const both = checked("x", call.x);
  ReverseOptions const options = options_of(call.options);
  auto const run = [&]<class T>(auto const& exec, std::type_identity<T>) {
    auto const x = vector<T>(exec, both);
    PANTILE_C_RUN(reverse, exec, x, options);
  };
  with_call(MatrixElements{}, both.typed(), call.exec, options.workspace, run);
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_FUNCTIONS(reverse, (exec, x, y, options), pantile_exec const* exec, pantile_vector const* x,
                    pantile_vector const* y, pantile_reverse_options const* options)
PANTILE_C_FUNCTIONS(reverse_in_place, (exec, x, nullptr, options), pantile_exec const* exec, pantile_vector const* x,
                    pantile_reverse_options const* options)
