// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpu/contest.hpp>

#include <optional>
#include <type_traits>

namespace pantile::perf::gpu {

namespace {

Settings the_settings;
std::optional<Exec> the_instance;

}  // namespace

Session::Session(Settings const& settings) {
  the_settings = settings;
  the_instance.emplace();
}

Session::~Session() { the_instance.reset(); }

Settings const& settings() { return the_settings; }

Exec const& instance() { return *the_instance; }

void* native_stream() {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return the_instance->cuda_stream();
#elif defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) return the_instance->hip_stream();
#endif
  return nullptr;
}

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

}  // namespace pantile::perf::gpu
