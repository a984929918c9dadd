// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/device_array.hpp"
#include "operations/dispatch.hpp"
#include "operations/matmul_oracle.hpp"
#include "operations/measure.hpp"

#include <pantile/matmul.hpp>

namespace pantile::driver {

std::string_view const matmul_also = has_half ? "; matmul also int8, uint8 (sums in int32) and float16 (in float32)"
                                              : "; matmul also int8 and uint8 (sums in int32)";

namespace {

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

}  // namespace

ElementType matmul_result_type(ElementType a, ElementType b) {
  if (a != b) {
    throw InputError("A and B must have the same element type, not " + element_name(a) + " and " + element_name(b));
  }
  return a == ElementType::int8 || a == ElementType::uint8 ? ElementType(ElementType::int32) : a;
}

Measurement run(MatmulTask const& task, RunOptions const& run_options) {
  return with_matmul_types(task.a.type, task.accumulator,
                           [&]<class T, class TC, class Sum>() { return run_matmul<T, TC, Sum>(task, run_options); });
}

}  // namespace pantile::driver
