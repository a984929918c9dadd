// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "operations/operations.hpp"

#include <Kokkos_Core.hpp>

namespace pantile::driver {

/// Wall time of f() in seconds, with the instance idle before and after.
template <class Exec, class F>
double timed(Exec const& exec, F const& f) {
  exec.fence("pantile driver: before the clock starts");
  Kokkos::Timer const timer;
  f();
  exec.fence("pantile driver: before the clock stops");
  return timer.seconds();
}

/// First run and later runs of `run`, each after `prepare`, which is not timed.
template <class Exec, class Prepare, class Run>
void measure(Exec const& exec, int repeat, Measurement& result, Prepare const& prepare, Run const& run) {
  prepare();
  result.first_run = timed(exec, run);
  for (int i = 0; i < repeat; ++i) {
    prepare();
    result.later_runs.push_back(timed(exec, run));
  }
}

}  // namespace pantile::driver
