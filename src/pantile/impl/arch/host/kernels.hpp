// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The tables of host kernels for this process. The compiled library has one per instruction set and takes the one
///        for the CPU; header-only use has one, for the flags that it is compiled with.

#include <pantile/impl/arch/host/add_kernels.hpp>
#include <pantile/impl/arch/host/gemm_kernels.hpp>
#include <pantile/impl/arch/host/histogram_kernels.hpp>
#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/transpose_kernels.hpp>

#include <cstdint>
#include <type_traits>

// The front ends of device compilers know vector registers of hosts only in part: without the library they get none.
#if !defined(PANTILE_USE_LIBRARY) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define PANTILE_HAS_NATIVE_KERNELS
#include <pantile/impl/arch/host/simd/add.hpp>
#include <pantile/impl/arch/host/simd/gemm_table.hpp>
#include <pantile/impl/arch/host/simd/histogram.hpp>
#include <pantile/impl/arch/host/simd/narrow.hpp>
#include <pantile/impl/arch/host/simd/transpose.hpp>
#endif

namespace pantile::impl::arch {

/// The library's table for one instruction set, defined in src/lib/isa.
template <class Kernels, Isa I>
Kernels const* compiled_kernels();

/// Is there a table of its own for the sets that differ in products of narrow elements only?
template <class Kernels>
inline constexpr bool differs_by_dots = false;
template <>
inline constexpr bool differs_by_dots<GemmKernels<Bytes>> = true;
template <>
inline constexpr bool differs_by_dots<GemmKernels<Half16>> = true;
template <>
inline constexpr bool differs_by_dots<GemmKernels<Brain16>> = true;

/// The table for this process, null if there is none.
template <class Kernels>
Kernels const* host_kernels() {
#if defined(PANTILE_USE_LIBRARY)
  switch (host_isa()) {
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
#elif defined(PANTILE_HAS_NATIVE_KERNELS)
  return native_kernels<NativeSimd>(static_cast<Kernels const*>(nullptr));
#else
  return nullptr;
#endif
}

/// Numbers that there are matmul kernels for; integers are computed unsigned.
#if defined(PANTILE_USE_LIBRARY) || defined(PANTILE_HAS_NATIVE_KERNELS)
template <class R>
inline constexpr bool has_gemm_kernels = std::is_same_v<R, float> || std::is_same_v<R, double> ||
                                         std::is_same_v<R, std::uint32_t> || std::is_same_v<R, std::uint64_t>;
#else
template <class R>
inline constexpr bool has_gemm_kernels = false;
#endif

}  // namespace pantile::impl::arch
