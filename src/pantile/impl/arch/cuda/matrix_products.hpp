// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  NVIDIA's matrix instructions, sm_80 and later. Source of the lanes' places: NVIDIA, PTX ISA, "Warp-level
///        matrix instructions", matrix fragments for mma.m16n8k4 (.f64), .m16n8k8 (.tf32), .m16n8k16 (.f16, .bf16) and
///        .m16n8k32 (.s8, .u8).

#include <pantile/impl/arch/matrix_multiply.hpp>

#include <type_traits>

namespace pantile::impl::arch::cuda {

/// \brief  Places of an instruction with so many k-packs along k. NVIDIA's rows g and g + 8 are called 2 g and 2 g + 1,
///         in A as in C, so that a lane's k-packs of A are neighbours. Columns of B keep their order (interleave = 1):
///         an instruction wants its two k-packs of B in neighbouring registers.
template <int Depth>
struct WarpPlaces {
  static constexpr int m = 16, n = 8, depth = Depth, warp = 32;
  static constexpr int a_k_packs = Depth / 2, b_k_packs = Depth / 4, sums = 4;
  static constexpr int a_neighbours = 2, neighbours = 2, interleave = 1, joining = 4;
  KOKKOS_INLINE_FUNCTION static Place a_place(unsigned lane, int x) {
    return {static_cast<int>(lane / 4) * 2 + x % 2, static_cast<int>(lane % 4) + x / 2 * 4};
  }
  KOKKOS_INLINE_FUNCTION static Place b_place(unsigned lane, int x) {
    return {static_cast<int>(lane % 4) + x * 4, static_cast<int>(lane / 4)};
  }
  KOKKOS_INLINE_FUNCTION static Place sum_place(unsigned lane, int v) {
    return {static_cast<int>(lane / 4) * 2 + v / 2, static_cast<int>(lane % 4) * 2 + v % 2};
  }
};

/// double; sm_80 has the instruction for 8 rows.
struct DoubleProduct : WarpPlaces<4>, PlainOperands<double> {
  using Sum = double;

  KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] double const (&a)[2],
                                              [[maybe_unused]] double const (&b)[1], [[maybe_unused]] double (&c)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b[0]));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    for (int half = 0; half < 2; ++half) {
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                   : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
                   : "d"(a[half]), "d"(b[0]));
    }
#elif defined(__CUDA_ARCH__)
    __trap();  // compiled for another architecture than Kokkos was
#endif
  }
};

/// complex<double>, of whose parts the instruction forms four products. A k-pack is all that a load or store takes.
struct ComplexDoubleProduct : WarpPlaces<4>, PlainOperands<Kokkos::complex<double>> {
  using Sum = Kokkos::complex<double>;
  static constexpr int a_neighbours = 1, neighbours = 1, joining = 1;
  /// Rows and columns of an instruction in another order, so that eight lanes read from different banks, where rows of
  /// k-packs are one longer than their edge, and four store neighbours.
  KOKKOS_INLINE_FUNCTION static int order(int number) { return number / 2 + number % 2 * 4; }
  KOKKOS_INLINE_FUNCTION static Place a_place(int lane, int x) { return {order(lane / 4) + x * 8, lane % 4}; }
  KOKKOS_INLINE_FUNCTION static Place b_place(int lane, int) { return {lane % 4, order(lane / 4)}; }
  KOKKOS_INLINE_FUNCTION static Place sum_place(int lane, int v) {
    return {order(lane / 4) + v / 2 * 8, lane % 4 + v % 2 * 4};
  }

  KOKKOS_INLINE_FUNCTION static void multiply(Sum const (&a)[2], Sum const (&b)[1], Sum (&c)[4]) {
    double const real_a[2] = {a[0].real(), a[1].real()}, imag_a[2] = {a[0].imag(), a[1].imag()};
    double const minus_imag_a[2] = {-imag_a[0], -imag_a[1]};
    double const real_b[1] = {b[0].real()}, imag_b[1] = {b[0].imag()};
    double real[4] = {c[0].real(), c[1].real(), c[2].real(), c[3].real()};
    double imag[4] = {c[0].imag(), c[1].imag(), c[2].imag(), c[3].imag()};
    DoubleProduct::multiply(real_a, real_b, real);
    DoubleProduct::multiply(real_a, imag_b, imag);
    DoubleProduct::multiply(minus_imag_a, imag_b, real);
    DoubleProduct::multiply(imag_a, real_b, imag);
    c[0] = Sum(real[0], imag[0]), c[1] = Sum(real[1], imag[1]);
    c[2] = Sum(real[2], imag[2]), c[3] = Sum(real[3], imag[3]);
  }
};

// The instructions of four k-packs of A and two of B differ in their names alone.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define PANTILE_MMA(NAME, SUM)                                                                   \
  asm volatile("mma.sync.aligned." NAME " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+" SUM(c[0]), "+" SUM(c[1]), "+" SUM(c[2]), "+" SUM(c[3])                      \
               : "r"(bits_as<std::uint32_t>(a[0])), "r"(bits_as<std::uint32_t>(a[1])),           \
                 "r"(bits_as<std::uint32_t>(a[2])), "r"(bits_as<std::uint32_t>(a[3])),           \
                 "r"(bits_as<std::uint32_t>(b[0])), "r"(bits_as<std::uint32_t>(b[1])))
#elif defined(__CUDA_ARCH__)
#define PANTILE_MMA(NAME, SUM) __trap()
#else
#define PANTILE_MMA(NAME, SUM) static_cast<void>(0)
#endif

/// IEEE half or bfloat16, summed in float. Products are exact.
template <class T>
struct HalfProduct : WarpPlaces<8>, PlainOperands<KPack<T, 2>> {
  using Sum = float;
  using Pair = KPack<T, 2>;

  KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] Pair const (&a)[4], [[maybe_unused]] Pair const (&b)[2],
                                              [[maybe_unused]] float (&c)[4]) {
    if constexpr (is_half<T>) {
      PANTILE_MMA("m16n8k16.row.col.f32.f16.f16.f32", "f");
    } else {
      PANTILE_MMA("m16n8k16.row.col.f32.bf16.bf16.f32", "f");
    }
  }
};

/// Bytes with and without sign, summed modulo 2^32.
template <class TA, class TB>
struct ByteProduct : WarpPlaces<8>, PlainOperands<KPack<TA, 4>, KPack<TB, 4>> {
  using Sum = std::uint32_t;

  KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] KPack<TA, 4> const (&a)[4],
                                              [[maybe_unused]] KPack<TB, 4> const (&b)[2],
                                              [[maybe_unused]] std::uint32_t (&c)[4]) {
    if constexpr (std::is_signed_v<TA> && std::is_signed_v<TB>) {
      PANTILE_MMA("m16n8k32.row.col.s32.s8.s8.s32", "r");
    } else if constexpr (std::is_signed_v<TA>) {
      PANTILE_MMA("m16n8k32.row.col.s32.s8.u8.s32", "r");
    } else if constexpr (std::is_signed_v<TB>) {
      PANTILE_MMA("m16n8k32.row.col.s32.u8.s8.s32", "r");
    } else {
      PANTILE_MMA("m16n8k32.row.col.s32.u8.u8.s32", "r");
    }
  }
};

/// A float rounded to the 11 significant bits of tf32, ties away from zero.
KOKKOS_INLINE_FUNCTION float to_tf32(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(value));
  return bits_as<float>(rounded);
#else
  auto const bits = bits_as<std::uint32_t>(value);
  if ((bits & 0x7f800000U) == 0x7f800000U) return value;  // infinity and NaN
  return bits_as<float>((bits + 0x1000U) & ~0x1fffU);
#endif
}

/// floats rounded to tf32.
struct Tf32Product : WarpPlaces<8>, PlainOperands<float> {
  using Sum = float;
  KOKKOS_INLINE_FUNCTION static float prepare(float value) { return to_tf32(value); }

  KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] float const (&a)[4],
                                              [[maybe_unused]] float const (&b)[2], [[maybe_unused]] float (&c)[4]) {
    PANTILE_MMA("m16n8k8.row.col.f32.tf32.tf32.f32", "f");
  }
};

/// A float as the sum of two tf32 numbers.
struct Tf32Pair {
  float big, small;
};

/// floats as such sums, of whose four products the least is left out: the error of a product is 2^-20 of it at most,
/// and infinities, or what rounds to one, give NaN. Source: NVIDIA, CUTLASS, example 27 ("3xTF32"). The big part is
/// rounded, the small one cut, by integer instructions that need not tell NaN: it stays in one of both.
struct ThreeTf32Product : WarpPlaces<8> {
  using Sum = float;
  using KPackA = float;
  using KPackB = float;
  using OperandA = Tf32Pair;
  using OperandB = Tf32Pair;
  KOKKOS_INLINE_FUNCTION static Tf32Pair prepare(float value) {
    auto const cut = [](std::uint32_t bits) { return bits_as<float>(bits & ~0x1fffU); };
    float const big = cut(bits_as<std::uint32_t>(value) + 0x1000U);
    return {big, cut(bits_as<std::uint32_t>(value - big))};
  }

  KOKKOS_INLINE_FUNCTION static void multiply(Tf32Pair const (&from_a)[4], Tf32Pair const (&from_b)[2], float (&c)[4]) {
    float const big_a[4] = {from_a[0].big, from_a[1].big, from_a[2].big, from_a[3].big};
    float const small_a[4] = {from_a[0].small, from_a[1].small, from_a[2].small, from_a[3].small};
    float const big_b[2] = {from_b[0].big, from_b[1].big}, small_b[2] = {from_b[0].small, from_b[1].small};
    Tf32Product::multiply(small_a, big_b, c);
    Tf32Product::multiply(big_a, small_b, c);
    Tf32Product::multiply(big_a, big_b, c);
  }
};

#undef PANTILE_MMA

}  // namespace pantile::impl::arch::cuda
