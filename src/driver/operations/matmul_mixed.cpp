// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/matmul_run.hpp"

namespace pantile::driver {

Measurement run_mixed_matmul(MatmulTask const& task, RunOptions const& run_options) {
  ElementType const type = task.a.type;
  ElementType const own = type == ElementType::float32 ? ElementType::float64 : ElementType::int32;
  if (task.accumulator.value_or(own) == own) {
    if (type == ElementType::float32) return run_matmul<float, float, double>(task, run_options);
    if (type == ElementType::int8) return run_matmul<std::int8_t, std::int32_t, std::int32_t>(task, run_options);
    if (type == ElementType::uint8) return run_matmul<std::uint8_t, std::int32_t, std::int32_t>(task, run_options);
  }
  throw InputError("matmul of " + element_name(type) + " elements cannot sum in " +
                   element_name(task.accumulator.value_or(own)) +
                   ": each type sums in itself, float32 in float64 too, int8 and uint8 in int32");
}

}  // namespace pantile::driver
