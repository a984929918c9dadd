// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrix instructions: products of small matrices by a whole warp. Source of the lanes' places: NVIDIA, PTX
///        ISA, "Matrix fragments for mma.m8n8k4 / mma.m16n8k4 with .f64 floating point type".

#include <Kokkos_Core.hpp>

namespace pantile::impl::arch {

/// \brief  C (16 x 8) += A (16 x 4) B (4 x 8) of doubles by 32 lanes. With g = lane / 4 and t = lane % 4, a lane has of
///         A (g, t) and (g + 8, t), of B (t, g), and of C (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1).
struct DoubleProduct {
  static constexpr int m = 16, n = 8, k = 4;

  /// This lane's part; called by all lanes of the warp together. On devices only.
  KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] double const (&a)[2], [[maybe_unused]] double b,
                                              [[maybe_unused]] double (&c)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(b));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    for (int half = 0; half < 2; ++half) {
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
          : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
          : "d"(a[half]), "d"(b));
    }
#endif
  }
};

}  // namespace pantile::impl::arch
