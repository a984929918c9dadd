// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/explanation.hpp>
#include <c/face.hpp>
#include <c/operands.hpp>
#include <c/options.hpp>

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
  with_type(MatrixElements{}, c.typed(), [&]<class T>(std::type_identity<T>) {
    on_instance(call.exec, [&](auto const& exec) {
      auto const C = matrix<T>(exec, c);
      T const value = scalar(call.value, T(0));
      PANTILE_C_RUN(fill, exec, C, value, options);
    });
  });
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_FUNCTIONS(fill, (exec, C, value, options), pantile_exec const* exec, pantile_matrix const* C,
                    void const* value, pantile_fill_options const* options)
