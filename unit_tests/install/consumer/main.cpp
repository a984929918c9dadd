// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/explain.hpp>
#include <pantile/matmul.hpp>
#include <pantile/version.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

// Names of ours without their folder must not reach a user's files.
#if __has_include(<matmul.hpp>) || __has_include(<impl/matmul/call.hpp>) || __has_include(<config.hpp>)
#error "include/pantile itself is on the include path"
#endif

double product_elsewhere();

/// Are these kernels for the widest registers of this CPU? This file is compiled for any.
static bool is_widest(std::string const& instruction_set) {
  if (std::getenv("PANTILE_ISA") != nullptr) return true;
#if defined(__x86_64__)
  __builtin_cpu_init();
  bool const avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (avx512) return instruction_set.rfind("avx512", 0) == 0;
  return instruction_set == (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "avx2" : "generic");
#elif defined(__aarch64__)
  return instruction_set == "neon";
#else
  return instruction_set == "generic";
#endif
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<double**, Kokkos::LayoutRight> const a("a", 3, 4);
  Kokkos::View<double**, Kokkos::LayoutLeft> const b("b", 4, 5);
  Kokkos::View<double**> const c("c", 3, 5);
  Kokkos::deep_copy(a, 2.0);
  Kokkos::deep_copy(b, 3.0);
  pantile::matmul(1.0, a, b, 0.0, c);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
  bool right = host(2, 4) == 24.0 && product_elsewhere() == 24.0;
  auto const plan = pantile::explain::matmul(Kokkos::DefaultHostExecutionSpace(), 1.0, a, b, 0.0, c);
  if (!is_widest(plan.instruction_set)) {
    std::printf("kernels for %s\n", plan.instruction_set.c_str());
    right = false;
  }
#if defined(PANTILE_USE_LIBRARY)
  right = right && pantile::library_version() == pantile::header_version;
#endif
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
