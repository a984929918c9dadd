// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The tables of matmul's micro-kernels for this process.

#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>

#include <cstdint>
#include <type_traits>

#if defined(PANTILE_HAS_NATIVE_KERNELS)
#include <pantile/impl/arch/host/ukernel/gemm/full_precision.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/low_precision.hpp>
#endif

namespace pantile::impl::arch {

template <>
inline constexpr bool differs_by_dots<GemmKernels<Bytes>> = true;
template <>
inline constexpr bool differs_by_dots<GemmKernels<Half16>> = true;
template <>
inline constexpr bool differs_by_dots<GemmKernels<Brain16>> = true;

/// Numbers that there are matmul kernels for; integers are computed unsigned.
#if defined(PANTILE_USE_MICRO_KERNELS) || defined(PANTILE_HAS_NATIVE_KERNELS)
template <class R>
inline constexpr bool has_gemm_kernels = std::is_same_v<R, float> || std::is_same_v<R, double> ||
                                         std::is_same_v<R, std::uint32_t> || std::is_same_v<R, std::uint64_t>;
#else
template <class R>
inline constexpr bool has_gemm_kernels = false;
#endif

}  // namespace pantile::impl::arch
