// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/device_array.hpp"
#include "operations/dispatch.hpp"
#include "operations/measure.hpp"
#include "operations/oracle.hpp"

#include <pantile/add.hpp>

namespace pantile::driver {

namespace {

/// Bound: three roundings of |alpha a| + |beta b|; Higham, section 3.1. A factor of zero leaves its matrix unread.
template <class T>
Verification verify_add(AddTask const& task, T alpha, T beta, Progress const& progress) {
  using WideT = Wide<T>;
  using Real = typename WideT::real_type;
  HostMatrix<T> const a(task.a), b(task.b), c(task.c);
  Verification result{.scope = "all " + std::to_string(c.rows * c.cols) + " elements",
                      .oracle = "a serial loop in " + oracle_name<T>()};
  Judge<T> judge(result);
  using W = typename WideT::type;
  W const wide_alpha = WideT::of(alpha), wide_beta = WideT::of(beta);
  for (std::int64_t i = 0; i < c.rows; ++i) {
    for (std::int64_t j = 0; j < c.cols; ++j) {
      W const left = wide_alpha == W(0) ? W(0) : product(wide_alpha, WideT::of(a(i, j)));
      W const right = wide_beta == W(0) ? W(0) : product(wide_beta, WideT::of(b(i, j)));
      Tolerance<Real> tolerance;
      if constexpr (!std::is_integral_v<T>) {
        tolerance = {finite_part(magnitude(left)) + finite_part(magnitude(right)), compounded(3, roundoff<T>()),
                     static_cast<Real>(3 * smallest<T>()), static_cast<Real>(largest<T>())};
      }
      judge.compare(i, j, c(i, j), left + right, tolerance);
    }
    if (progress) progress(static_cast<std::uint64_t>(i) + 1, static_cast<std::uint64_t>(c.rows));
  }
  return result;
}

template <class T>
Measurement run_add(AddTask const& task, RunOptions const& run_options) {
  T const alpha = task.alpha.as<T>("alpha"), beta = task.beta.as<T>("beta");
  Exec const exec;
  Measurement result;
  Kokkos::Timer const timer;
  DeviceInput<T> const a(exec, task.a), b(exec, task.b);
  DeviceOutput<T> const c(task.c);
  exec.fence("pantile driver: operands are there");
  result.transfer_in = timer.seconds();

  result.explanation = pantile::explain::add(exec, alpha, a.matrix(), beta, b.matrix(), c.matrix(), task.options);
  measure(
      exec, run_options.repeat, result, [] {},
      [&] { pantile::add(exec, alpha, a.matrix(), beta, b.matrix(), c.matrix(), task.options); });
  result.transfer_out = timed(exec, [&] { c.copy_to_host(exec); });
  if (run_options.verify) result.verification = verify_add<T>(task, alpha, beta, run_options.progress);
  return result;
}

}  // namespace

Measurement run(AddTask const& task, RunOptions const& run_options) {
  return with_element("add", task.a.type,
                      [&]<class T>(std::type_identity<T>) { return run_add<T>(task, run_options); });
}

}  // namespace pantile::driver
