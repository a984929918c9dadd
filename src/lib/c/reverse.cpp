// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/explanation.hpp>
#include <c/face.hpp>
#include <c/operands.hpp>
#include <c/options.hpp>

#include <pantile/reverse.hpp>

namespace pantile::c {
namespace {

ReverseOptions options_of(pantile_reverse_options const* given) {
  pantile_reverse_options const o = read("options", given);
  return {o.tile, workspace_of(o.workspace)};
}

struct ReverseCall {
  pantile_exec const* exec;
  pantile_vector const *x, *y;
  pantile_reverse_options const* options;
};

void reverse(ReverseCall const& call, pantile_explanation* explanation) {
  Operand const from = checked("x", call.x), to = checked("y", call.y);
  ReverseOptions const options = options_of(call.options);
  common_element({from.typed(), to.typed()});
  with_type(MatrixElements{}, to.typed(), [&]<class T>(std::type_identity<T>) {
    on_instance(call.exec, [&](auto const& exec) {
      check_place(exec, "workspace", options.workspace.data);
      auto const x = vector<T const>(exec, from);
      auto const y = vector<T>(exec, to);
      PANTILE_C_RUN(reverse, exec, x, y, options);
    });
  });
}

struct ReverseInPlaceCall {
  pantile_exec const* exec;
  pantile_vector const* x;
  pantile_reverse_options const* options;
};

void reverse_in_place(ReverseInPlaceCall const& call, pantile_explanation* explanation) {
  Operand const both = checked("x", call.x);
  ReverseOptions const options = options_of(call.options);
  with_type(MatrixElements{}, both.typed(), [&]<class T>(std::type_identity<T>) {
    on_instance(call.exec, [&](auto const& exec) {
      check_place(exec, "workspace", options.workspace.data);
      auto const x = vector<T>(exec, both);
      PANTILE_C_RUN(reverse, exec, x, options);
    });
  });
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_FUNCTIONS(reverse, (exec, x, y, options), pantile_exec const* exec, pantile_vector const* x,
                    pantile_vector const* y, pantile_reverse_options const* options)
PANTILE_C_FUNCTIONS(reverse_in_place, (exec, x, options), pantile_exec const* exec, pantile_vector const* x,
                    pantile_reverse_options const* options)
