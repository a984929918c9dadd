// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "operations/device_array.hpp"
#include "operations/matmul_oracle.hpp"
#include "operations/measure.hpp"

#include <pantile/matmul.hpp>

namespace pantile::driver {

/// The task for A and B of T, C of TC, and sums in Accumulator.
template <class T, class TC, class Accumulator>
Measurement run_matmul(MatmulTask const& task, RunOptions const& run_options) {
  auto const alpha = task.alpha.as<Accumulator>("alpha");
  auto const beta = task.beta.as<Accumulator>("beta");
  Exec const exec;
  Measurement result;
  Kokkos::Timer const timer;
  DeviceInput<T> const a(exec, task.a), b(exec, task.b);
  DeviceOutput<TC> const c(task.c);
  std::optional<DeviceInput<TC>> c_in;
  if (task.c_in != nullptr) c_in.emplace(exec, *task.c_in);
  exec.fence("pantile driver: operands are there");
  result.transfer_in = timer.seconds();

  result.explanation =
      pantile::explain::matmul<Accumulator>(exec, alpha, a.matrix(), b.matrix(), beta, c.matrix(), task.options);
  measure(
      exec, run_options.repeat, result,
      [&] {
        if (c_in) pantile::copy(exec, c.matrix(), c_in->matrix());
      },
      [&] { pantile::matmul<Accumulator>(exec, alpha, a.matrix(), b.matrix(), beta, c.matrix(), task.options); });
  result.transfer_out = timed(exec, [&] { c.copy_to_host(exec); });
  if (run_options.verify) result.verification = MatmulOracle<T, TC, Accumulator>(task).verify(run_options.progress);
  return result;
}

/// The pairings that the compiled library does not hold: 8-bit integers summed in 32, half in float, float in double.
Measurement run_mixed_matmul(MatmulTask const& task, RunOptions const& run_options);

}  // namespace pantile::driver
