// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Which instruction set of the host the micro-kernels use, and their table for this process. Where they are
///        compiled for themselves (src/lib/isa) there is one per instruction set, and the CPU decides; else there is
///        one, for the flags of this compilation. ukernel/<operation>/table.hpp adds what the operation's table needs.

// The front ends of device compilers know vector registers of hosts only in part: they take compiled ones or none.
#if !defined(PANTILE_USE_MICRO_KERNELS) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define PANTILE_HAS_NATIVE_KERNELS
#include <pantile/impl/arch/host/ukernel/vector.hpp>
#endif

#include <cstdio>
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

/// \brief  The widest instruction set of this CPU, or the one named by the environment variable PANTILE_ISA. A name
///         that this CPU has no kernels for is reported on stderr, and the widest one is used.
inline Isa best_isa() noexcept {
  Isa best = Isa::generic;
  for (Isa const isa : all_isas) {
    if (has_isa(isa)) best = isa;
  }
  char const* const name = std::getenv("PANTILE_ISA");
  if (name == nullptr || *name == 0) return best;
  for (Isa const isa : all_isas) {
    if (std::strcmp(name, to_string(isa)) == 0 && has_isa(isa)) return isa;
  }
  std::fprintf(stderr, "pantile: PANTILE_ISA=%s is not an instruction set of this CPU, %s is used\n", name,
               to_string(best));
  return best;
}

/// The choice of this process.
inline Isa host_isa() noexcept {
  static Isa const chosen = best_isa();
  return chosen;
}

/// The library's table for one instruction set, defined in src/lib/isa.
template <class Kernels, Isa I>
Kernels const* compiled_kernels();

/// Is there a table of its own for the sets that differ in products of low precision only?
template <class Kernels>
inline constexpr bool differs_by_dots = false;

#if defined(PANTILE_USE_MICRO_KERNELS)
/// The library's table for the widest of its sets that this one contains.
template <class Kernels>
Kernels const* compiled_kernels(Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Isa::avx512bf16:
      if constexpr (differs_by_dots<Kernels>) return compiled_kernels<Kernels, Isa::avx512bf16>();
      [[fallthrough]];
    case Isa::avx512vnni:
      if constexpr (differs_by_dots<Kernels>) return compiled_kernels<Kernels, Isa::avx512vnni>();
      [[fallthrough]];
    case Isa::avx512: return compiled_kernels<Kernels, Isa::avx512>();
    case Isa::avx2: return compiled_kernels<Kernels, Isa::avx2>();
#elif defined(__aarch64__)
    case Isa::neon: return compiled_kernels<Kernels, Isa::neon>();
#endif
    default: return compiled_kernels<Kernels, Isa::generic>();
  }
}
#endif

/// The table for this process, null if there is none.
template <class Kernels>
Kernels const* host_kernels() {
#if defined(PANTILE_USE_MICRO_KERNELS)
  static Kernels const* const table = compiled_kernels<Kernels>(host_isa());
  return table;
#elif defined(PANTILE_HAS_NATIVE_KERNELS)
  return native_kernels<NativeSimd>(static_cast<Kernels const*>(nullptr));
#else
  return nullptr;
#endif
}

/// The instruction set of these tables, for people; empty where there are none.
inline char const* micro_kernel_isa() {
#if defined(PANTILE_USE_MICRO_KERNELS)
  return to_string(host_isa());
#elif defined(PANTILE_HAS_NATIVE_KERNELS)
  return NativeSimd::bytes == 64       ? to_string(Isa::avx512)
         : NativeSimd::bytes == 32     ? to_string(Isa::avx2)
         : NativeSimd::registers == 32 ? to_string(Isa::neon)
                                       : to_string(Isa::generic);
#else
  return "";
#endif
}

}  // namespace pantile::impl::arch
