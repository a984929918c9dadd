// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The device's own copy, the bound of everything that moves data, and its stream.

#include <support/operands.hpp>

namespace pantile::perf {

/// The instance's stream as the vendor's libraries want it; null on hosts.
inline void* native_stream([[maybe_unused]] Exec const& exec) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return exec.cuda_stream();
#elif defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) return exec.hip_stream();
#endif
  return nullptr;
}

/// \brief  Add a copy by the runtime that reads so many bytes and writes as many; the contest's unit is GB/s unless
///         there is an amount. In turn between buffers that no cache holds together, as the contestants' operands.
inline void bound_by_copy(Contest& contest, double bytes, double amount = 0) {
  Exec const exec;
  std::vector<Vector<char>> source, target;
  for (std::int64_t set = sets_for(2.0 * bytes); set > 0; --set) {
    source.push_back(make_vector<char>(static_cast<std::int64_t>(bytes)));
    target.push_back(make_vector<char>(static_cast<std::int64_t>(bytes)));
    fill_random(exec, source.back(), 99);
  }
  contest.bound("copy",
                timed(exec,
                      [exec, source, target](std::int64_t call) {
                        std::size_t const set = static_cast<std::size_t>(call) % source.size();
                        Kokkos::deep_copy(exec, target[set], source[set]);
                      }),
                amount > 0 ? amount : 2e-9 * bytes);
}

}  // namespace pantile::perf
