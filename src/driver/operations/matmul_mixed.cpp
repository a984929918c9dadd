// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/dispatch.hpp"
#include "operations/matmul_run.hpp"

namespace pantile::driver {

Measurement run_mixed_matmul(MatmulTask const& task, RunOptions const& run_options) {
  Measurement result;
  with_mixed_types(task.a.type, task.accumulator, [&]<class Types>(Types) {
    result = run_matmul<typename Types::Input, typename Types::Output, typename Types::Sum>(task, run_options);
  });
  return result;
}

}  // namespace pantile::driver
