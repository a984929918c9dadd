// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The kernels of the instruction set that this process uses.
#include <pantile/impl/arch/host/isa.hpp>

#include <lib/isa/matmul.hpp>

namespace pantile::impl::arch {
namespace {

template <class Table>
Table const& choose([[maybe_unused]] Table const* avx512, [[maybe_unused]] Table const* avx2,
                    [[maybe_unused]] Table const* neon, Table const& generic) {
  switch (host_isa()) {
    case Isa::avx512: return *avx512;
    case Isa::avx2: return *avx2;
    case Isa::neon: return *neon;
    default: return generic;
  }
}

}  // namespace

#if defined(__x86_64__)
#define PANTILE_TABLES(NAME) &avx512::NAME, &avx2::NAME, &generic::NAME, generic::NAME
#elif defined(__aarch64__)
#define PANTILE_TABLES(NAME) &generic::NAME, &generic::NAME, &neon::NAME, generic::NAME
#else
#define PANTILE_TABLES(NAME) &generic::NAME, &generic::NAME, &generic::NAME, generic::NAME
#endif

template <>
GemmKernels<float> const& gemm_kernels<float>() noexcept {
  static GemmKernels<float> const& chosen = choose(PANTILE_TABLES(gemm_float));
  return chosen;
}
template <>
GemmKernels<double> const& gemm_kernels<double>() noexcept {
  static GemmKernels<double> const& chosen = choose(PANTILE_TABLES(gemm_double));
  return chosen;
}
template <>
GemmKernels<std::uint32_t> const& gemm_kernels<std::uint32_t>() noexcept {
  static GemmKernels<std::uint32_t> const& chosen = choose(PANTILE_TABLES(gemm_uint32));
  return chosen;
}
template <>
GemmKernels<std::uint64_t> const& gemm_kernels<std::uint64_t>() noexcept {
  static GemmKernels<std::uint64_t> const& chosen = choose(PANTILE_TABLES(gemm_uint64));
  return chosen;
}

}  // namespace pantile::impl::arch
