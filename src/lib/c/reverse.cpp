// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operation.hpp>

#include <pantile/reverse.hpp>

namespace pantile::c {
namespace {

ReverseOptions options_of(pantile_reverse_options const* given) {
  pantile_reverse_options const o = read("options", given);
  return {o.tile};
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_OPERATION(reverse, (exec, x, y, options), pantile_exec const* exec, pantile_vector const* x,
                    pantile_vector const* y, pantile_reverse_options const* options) {
  Operand const from = checked("x", x), to = checked("y", y);
  ReverseOptions const how = options_of(options);
  common_element({from.typed(), to.typed()});
  auto const run = [&]<class T>(auto const& instance, std::type_identity<T>) {
    auto const view_from = vector<T const>(instance, from);
    auto const view_to = vector<T>(instance, to);
    PANTILE_C_RUN(reverse, instance, view_from, view_to, how);
  };
  with_call(MatrixElements{}, to.typed(), exec, {}, run);
}

PANTILE_C_OPERATION(reverse_in_place, (exec, x, options), pantile_exec const* exec, pantile_vector const* x,
                    pantile_reverse_options const* options) {
  Operand const both = checked("x", x);
  ReverseOptions const how = options_of(options);
  auto const run = [&]<class T>(auto const& instance, std::type_identity<T>) {
    auto const view = vector<T>(instance, both);
    PANTILE_C_RUN(reverse, instance, view, how);
  };
  with_call(MatrixElements{}, both.typed(), exec, {}, run);
}
