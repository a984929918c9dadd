// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The table of micro-kernels for this process. Where they are compiled for themselves (src/lib/isa) there is
///        one per instruction set, and the CPU decides; else there is one, for the flags of this compilation.
///        <operation>/table.hpp includes this and what the table of the operation needs.

#include <pantile/impl/arch/host/isa.hpp>

// The front ends of device compilers know vector registers of hosts only in part: they take compiled ones or none.
#if !defined(PANTILE_USE_MICRO_KERNELS) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define PANTILE_HAS_NATIVE_KERNELS
#include <pantile/impl/arch/host/ukernel/vector.hpp>
#endif

namespace pantile::impl::arch {

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
