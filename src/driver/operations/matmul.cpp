// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/dispatch.hpp"
#include "operations/matmul_run.hpp"

namespace pantile::driver {

ElementType matmul_result_type(ElementType a, ElementType b) {
  if (a != b) {
    throw InputError("A and B must have the same element type, not " + element_name(a) + " and " + element_name(b));
  }
  return a == ElementType::int8 || a == ElementType::uint8 ? ElementType(ElementType::int32) : a;
}

Measurement run(MatmulTask const& task, RunOptions const& run_options) {
  ElementType const type = task.a.type;
  if (is_mixed(type, task.accumulator)) return run_mixed_matmul(task, run_options);
  return with_element(
      "matmul", type, [&]<class T>(std::type_identity<T>) { return run_matmul<T, T, T>(task, run_options); },
      matmul_also);
}

}  // namespace pantile::driver
