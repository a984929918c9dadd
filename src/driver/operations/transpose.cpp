// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/device_array.hpp"
#include "operations/dispatch.hpp"
#include "operations/measure.hpp"
#include "operations/oracle.hpp"

#include <pantile/transpose.hpp>

#include <cstring>

namespace pantile::driver {

namespace {

template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Every element, bit by bit; in blocks, so that large matrices are not read a cache line per element.
template <class T>
Verification verify_transpose(TransposeTask const& task, Progress const& progress) {
  constexpr std::int64_t block = 64;
  HostMatrix<T> const a(task.a), b(task.b);
  Verification result{.scope = "all " + std::to_string(a.rows * a.cols) + " elements", .oracle = "a serial loop"};
  auto const expected = [&](std::int64_t i, std::int64_t j) {
    return task.options.conjugate ? conjugate(a(j, i)) : a(j, i);
  };
  for (std::int64_t i0 = 0; i0 < b.rows && result.first_wrong.empty(); i0 += block) {
    std::int64_t const i1 = std::min(i0 + block, b.rows);
    for (std::int64_t j0 = 0; j0 < b.cols; j0 += block) {
      std::int64_t const j1 = std::min(j0 + block, b.cols);
      for (std::int64_t i = i0; i < i1; ++i) {
        for (std::int64_t j = j0; j < j1; ++j) {
          if (same_bits(b(i, j), expected(i, j)) || !result.first_wrong.empty()) continue;
          result.largest_fraction = result.largest_error = std::numeric_limits<double>::infinity();
          result.first_wrong = "element (" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
                               number_text(b(i, j)) + ", but should be " + number_text(expected(i, j));
        }
      }
    }
    if (progress) progress(static_cast<std::uint64_t>(i1), static_cast<std::uint64_t>(b.rows));
  }
  return result;
}

template <class T>
Measurement run_transpose(TransposeTask const& task, RunOptions const& run_options) {
  Exec const exec;
  Measurement result;
  Kokkos::Timer const timer;
  DeviceInput<T> const a(exec, task.a);
  DeviceOutput<T> const b(task.b);
  exec.fence("pantile driver: operands are there");
  result.transfer_in = timer.seconds();

  result.explanation = pantile::explain::transpose(exec, a.matrix(), b.matrix(), task.options);
  measure(
      exec, run_options.repeat, result, [] {}, [&] { pantile::transpose(exec, a.matrix(), b.matrix(), task.options); });
  result.transfer_out = timed(exec, [&] { b.copy_to_host(exec); });
  if (run_options.verify) result.verification = verify_transpose<T>(task, run_options.progress);
  return result;
}

}  // namespace

Measurement run(TransposeTask const& task, RunOptions const& run_options) {
  Measurement result;
  with_element("transpose", task.a.type,
               [&]<class T>(std::type_identity<T>) { result = run_transpose<T>(task, run_options); });
  return result;
}

}  // namespace pantile::driver
