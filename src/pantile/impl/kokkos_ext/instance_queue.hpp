// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What tells instances of an execution space apart by the order of their work.

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::kokkos_ext {

/// \brief  The queue that the instance's work goes through: equal for instances whose kernels never run at the same
///         time. A new stream may reuse the handle of a destroyed one: whoever destroys a stream waits for
///         its work before.
template <class Exec>
void const* instance_queue([[maybe_unused]] Exec const& exec) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return exec.cuda_stream();
#endif
#if defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) return exec.hip_stream();
#endif
  return nullptr;  // of hosts, where a launch returns when its work is done
}

}  // namespace pantile::impl::kokkos_ext
