// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Which instruction set of the host the compiled kernels use. One binary holds all of them; the choice is made
///        once per process, from the CPU.

#include <cstdlib>
#include <cstring>

namespace pantile::impl::arch {

/// Instruction sets that micro-kernels are compiled for, each a superset of the ones before it on the same machine.
/// avx512vnni and avx512bf16 differ from avx512 in products of elements of low precision only.
enum class Isa { generic, neon, avx2, avx512, avx512vnni, avx512bf16 };

constexpr char const* to_string(Isa isa) {
  switch (isa) {
    case Isa::generic: return "generic";
    case Isa::neon: return "neon";
    case Isa::avx2: return "avx2";
    case Isa::avx512: return "avx512";
    case Isa::avx512vnni: return "avx512vnni";
    case Isa::avx512bf16: return "avx512bf16";
  }
  return "unknown";
}

/// Can this CPU run kernels of that instruction set, and are they compiled for it?
inline bool has_isa(Isa isa) noexcept {
#if defined(__x86_64__) && !defined(__HIP_DEVICE_COMPILE__)  // a device's pass has the host's name and not its builtins
  __builtin_cpu_init();
  bool const avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  bool const avx512 = avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  bool const vnni = avx512 && __builtin_cpu_supports("avx512vnni") != 0;
  switch (isa) {
    case Isa::generic: return true;
    case Isa::avx2: return avx2;
    case Isa::avx512: return avx512;
    case Isa::avx512vnni: return vnni;
    case Isa::avx512bf16: return vnni && __builtin_cpu_supports("avx512bf16") != 0;
    default: return false;
  }
#elif defined(__aarch64__)
  return isa == Isa::generic || isa == Isa::neon;
#else
  return isa == Isa::generic;
#endif
}

/// All of them, each after those that it contains.
inline constexpr Isa all_isas[] = {Isa::generic, Isa::neon, Isa::avx2, Isa::avx512, Isa::avx512vnni, Isa::avx512bf16};

/// The widest instruction set of this CPU, or the one named by the environment variable PANTILE_ISA if the CPU has it.
inline Isa best_isa() noexcept {
  Isa best = Isa::generic;
  for (Isa const isa : all_isas) {
    if (has_isa(isa)) best = isa;
  }
  if (char const* const asked = std::getenv("PANTILE_ISA")) {
    for (Isa const isa : all_isas) {
      if (std::strcmp(asked, to_string(isa)) == 0 && has_isa(isa)) return isa;
    }
  }
  return best;
}

/// The choice of this process.
inline Isa host_isa() noexcept {
  static Isa const chosen = best_isa();
  return chosen;
}

}  // namespace pantile::impl::arch
