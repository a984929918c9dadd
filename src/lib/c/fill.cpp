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

struct FillCall {
  pantile_exec const* exec;
  pantile_matrix const* C;
  void const* value;
  pantile_fill_options const* options;
};

void fill(FillCall const& call, pantile_explanation* explanation) {
  Operand const c = checked("C", call.C);
  FillOptions const options = options_of(call.options);
  with_call(MatrixElements{}, c.typed(), call.exec, {}, [&]<class T>(auto const& exec, std::type_identity<T>) {
    auto const C = matrix<T>(exec, c);
    T const value = scalar(call.value, T(0));
    PANTILE_C_RUN(fill, exec, C, value, options);
  });
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_FUNCTIONS(fill, (exec, C, value, options), pantile_exec const* exec, pantile_matrix const* C,
                    void const* value, pantile_fill_options const* options)
