// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  AMD's matrix instructions, gfx90a and gfx942, by waves of 64 lanes. Sources of the lanes' places: AMD, "CDNA3
///        Instruction Set Architecture", chapter 7; AMD lab notes, "AMD matrix cores" (GPUOpen, 2022).

#include <pantile/impl/arch/matrix_multiply.hpp>

namespace pantile::impl::arch::hip {

/// Registers of a lane, as the builtins take them; other compilers only name them.
#if defined(__clang__)
using HalfRegister = _Float16;
template <class T, int Count>
struct Registers {
  using type = T __attribute__((ext_vector_type(Count)));
};
#else
using HalfRegister = short;
template <class T, int Count>
struct Registers {
  using type = KPack<T, Count>;
};
#endif

/// 32 x 32 outputs, two k-packs along k, which products of them does not matter while it is the same in A and B: a lane
/// has one row of A and one column of B, and of C sixteen in its column.
struct Places32 {
  static constexpr int m = 32, n = 32, depth = 2, warp = 64, a_k_packs = 1, b_k_packs = 1, sums = 16;
  static constexpr int a_neighbours = 1, neighbours = 1, interleave = 2, joining = 4;
  KOKKOS_INLINE_FUNCTION static Place a_place(int lane, int) { return {lane % 32, lane / 32}; }
  KOKKOS_INLINE_FUNCTION static Place b_place(int lane, int) { return {lane / 32, lane % 32}; }
  KOKKOS_INLINE_FUNCTION static Place sum_place(int lane, int v) {
    return {v / 4 * 8 + lane / 32 * 4 + v % 4, lane % 32};
  }
};

/// 16 x 16 outputs of double, four k-packs along k.
struct Places16 {
  static constexpr int m = 16, n = 16, depth = 4, warp = 64, a_k_packs = 1, b_k_packs = 1, sums = 4;
  static constexpr int a_neighbours = 1, neighbours = 1, interleave = 2, joining = 4;
  KOKKOS_INLINE_FUNCTION static Place a_place(int lane, int) { return {lane % 16, lane / 16}; }
  KOKKOS_INLINE_FUNCTION static Place b_place(int lane, int) { return {lane / 16, lane % 16}; }
  KOKKOS_INLINE_FUNCTION static Place sum_place(int lane, int v) { return {v * 4 + lane / 16, lane % 16}; }
};

// sums = BUILTIN(a, b, sums), where the architecture has it.
#if defined(__gfx90a__) || defined(__gfx942__)
#define PANTILE_MFMA(BUILTIN, A, B, SUMS)            \
  {                                                  \
    auto const after = BUILTIN(A, B, SUMS, 0, 0, 0); \
    memcpy(c, &after, sizeof(after));                \
  }
#elif defined(__HIP_DEVICE_COMPILE__)
#define PANTILE_MFMA(BUILTIN, A, B, SUMS) __builtin_trap();  // compiled for another architecture than Kokkos was
#else
#define PANTILE_MFMA(BUILTIN, A, B, SUMS) \
  {}
#endif

struct DoubleProduct : Places16, PlainOperands<double> {
  using Sum = double;
  using Sums = typename Registers<double, 4>::type;
  KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] double const (&a)[1],
                                              [[maybe_unused]] double const (&b)[1], [[maybe_unused]] double (&c)[4]) {
    PANTILE_MFMA(__builtin_amdgcn_mfma_f64_16x16x4f64, a[0], b[0], bits_as<Sums>(c))
  }
};

struct FloatProduct : Places32, PlainOperands<float> {
  using Sum = float;
  using Sums = typename Registers<float, 16>::type;
  KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] float const (&a)[1],
                                              [[maybe_unused]] float const (&b)[1], [[maybe_unused]] float (&c)[16]) {
    PANTILE_MFMA(__builtin_amdgcn_mfma_f32_32x32x2f32, a[0], b[0], bits_as<Sums>(c))
  }
};

/// \brief  IEEE half or bfloat16, four along k, summed in float. Products are exact, but gfx90a takes subnormal
///         elements for zero (AMD, MIOpen documentation, "MI200 MFMA behavior specifics").
template <class T>
struct HalfProduct : Places32, PlainOperands<KPack<T, 4>> {
  using Sum = float;
  using Four = KPack<T, 4>;
  using Sums = typename Registers<float, 16>::type;
  KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] Four const (&a)[1], [[maybe_unused]] Four const (&b)[1],
                                              [[maybe_unused]] float (&c)[16]) {
    if constexpr (is_half<T>) {
      using In [[maybe_unused]] = typename Registers<HalfRegister, 4>::type;
      PANTILE_MFMA(__builtin_amdgcn_mfma_f32_32x32x8f16, bits_as<In>(a[0]), bits_as<In>(b[0]), bits_as<Sums>(c))
    } else {
      using In [[maybe_unused]] = typename Registers<short, 4>::type;
      PANTILE_MFMA(__builtin_amdgcn_mfma_f32_32x32x8bf16_1k, bits_as<In>(a[0]), bits_as<In>(b[0]), bits_as<Sums>(c))
    }
  }
};

/// Signed bytes, eight along k, summed modulo 2^32; gfx90a has the instruction for four.
struct ByteProduct : Places32, PlainOperands<KPack<std::int8_t, 8>> {
  using Sum = std::uint32_t;
  using Eight = KPack<std::int8_t, 8>;
  using Sums = typename Registers<int, 16>::type;
  KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] Eight const (&a)[1],
                                              [[maybe_unused]] Eight const (&b)[1],
                                              [[maybe_unused]] std::uint32_t (&c)[16]) {
#if defined(__gfx90a__)
    for (int half = 0; half < 2; ++half) {
      PANTILE_MFMA(__builtin_amdgcn_mfma_i32_32x32x8i8, part(a[0], half), part(b[0], half), bits_as<Sums>(c))
    }
#else
    PANTILE_MFMA(__builtin_amdgcn_mfma_i32_32x32x16_i8, bits_as<long>(a[0]), bits_as<long>(b[0]), bits_as<Sums>(c))
#endif
  }

 private:
  KOKKOS_INLINE_FUNCTION static int part(Eight const& k_pack, int half) {
    return static_cast<int>(bits_as<std::uint64_t>(k_pack) >> (32 * half));
  }
};

#undef PANTILE_MFMA

}  // namespace pantile::impl::arch::hip
