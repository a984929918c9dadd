// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Execution space -> machine. A new machine is one folder here and one line in this file.
///        PANTILE_HAS_DEVICES: one of them is a device. Operations include what only devices run where there is one;
///        their calls of it have a Problem among the arguments, through which it is found.

#include <Kokkos_Macros.hpp>  // before the questions below

#include <pantile/impl/arch/host/traits.hpp>
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define PANTILE_HAS_DEVICES
#endif
#if defined(KOKKOS_ENABLE_CUDA)
#include <pantile/impl/arch/cuda/traits.hpp>
#endif
#if defined(KOKKOS_ENABLE_HIP)
#include <pantile/impl/arch/hip/traits.hpp>
#endif

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <type_traits>

namespace pantile::impl::arch {

template <class Exec>
struct CurrentArch {
  using type = Host;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct CurrentArch<Kokkos::Cuda> {
  using type = Cuda;
};
#endif
#if defined(KOKKOS_ENABLE_HIP)
template <>
struct CurrentArch<Kokkos::HIP> {
  using type = Hip;
};
#endif

/// Traits of the machine that Exec runs on.
template <class Exec>
using Current = typename CurrentArch<Exec>::type;

/// Lower-case name of the execution space, as used in labels.
template <class Exec>
std::string const& space_name() {
  static std::string const name = [] {
    std::string lower = Exec::name();
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return lower;
  }();
  return name;
}

/// The machine behind this instance: limits are asked, not assumed. What cannot change is asked once.
template <class Exec>
Machine machine(Exec const& exec) {
  using Arch = Current<Exec>;
  static Machine const constant = [] {
    Machine found;
    found.name = space_name<Exec>().c_str();
    found.device = Arch::device;
    found.max_team_size = Arch::max_team_size;
    if constexpr (Arch::device) {
      using Range = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>;
      found.scratch_of_thread = Arch::tuning.scratch_of_thread;
      found.scratch_of_driver = Arch::tuning.scratch_of_driver;
      found.max_tile_size = Range(Exec{}, {0, 0}, {1, 1}).max_total_tile_size();
    }
    found.scratch_levels = Arch::scratch_levels;
    for (int level = 0; level < Arch::scratch_levels; ++level) {
      found.scratch_limit[level] = static_cast<std::size_t>(Kokkos::TeamPolicy<Exec>::scratch_size_max(level));
    }
#if defined(KOKKOS_ENABLE_CUDA)
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
      Exec const instance;
      auto const& properties = instance.cuda_device_prop();
      found.multiprocessors = properties.multiProcessorCount;
      found.scratch_of_multiprocessor = properties.sharedMemPerMultiprocessor;
    }
#endif
    return found;
  }();
  Machine found = constant;
  found.concurrency = exec.concurrency();
  return found;
}

}  // namespace pantile::impl::arch
