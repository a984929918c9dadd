// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/dispatch.hpp"
#include "operations/matmul_run.hpp"

namespace pantile::driver {

std::string_view const matmul_also = has_half ? "; matmul also int8, uint8 (sums in int32) and float16 (in float32)"
                                              : "; matmul also int8 and uint8 (sums in int32)";

Measurement run_mixed_matmul(MatmulTask const& task, RunOptions const& run_options) {
  return with_mixed_types(task.a.type, task.accumulator, [&]<class Types>(Types) {
    return run_matmul<typename Types::Input, typename Types::Output, typename Types::Sum>(task, run_options);
  });
}

}  // namespace pantile::driver
