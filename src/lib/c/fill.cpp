// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operation.hpp>

#include <pantile/fill.hpp>

namespace pantile::c {
namespace {

FillOptions options_of(pantile_fill_options const* given) {
  pantile_fill_options const o = read("options", given);
  return {FillAlgorithm{o.algorithm}, launch_of(o.launch), Coordinates::element};
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_OPERATION(fill, (exec, C, value, options), pantile_exec const* exec, pantile_matrix const* C,
                    void const* value, pantile_fill_options const* options) {
  Operand const c = checked("C", C);
  FillOptions const how = options_of(options);
  with_call(MatrixElements{}, c.typed(), exec, {}, [&]<class T>(auto const& instance, std::type_identity<T>) {
    auto const view = matrix<T>(instance, c);
    T const element = scalar(value, T(0));
    PANTILE_C_RUN(fill, instance, view, element, how);
  });
}
