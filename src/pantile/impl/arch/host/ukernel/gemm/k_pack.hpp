// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  K-packs, 32 bits with `k_pack` elements of low precision, or one converted to float: a register of them
///        along the depth, one beside each other from as many lines, and one of the first `count` elements, zeroes
///        behind them. s is the side's sign, see each type; `Product` what the micro-kernel does with them.

#include <pantile/impl/arch/host/ukernel/gemm/dot_product.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::impl::arch {

/// The bits of an element of a format.
template <class Format>
using low_precision_t = std::conditional_t<std::is_same_v<Format, Bytes>, std::uint8_t, std::uint16_t>;
template <class Format>
inline constexpr bool is_low_precision =
    std::is_same_v<Format, Bytes> || std::is_same_v<Format, Half16> || std::is_same_v<Format, Brain16>;

template <class S>
using KPackRegister = Register<S, std::uint32_t>;

/// As many elements as a register has k-packs, times Count, at any address.
template <class S, class E, int Count>
PANTILE_INLINE auto load_low_precision(E const* p) {
  constexpr int bytes = lanes<S, std::uint32_t> * Count * static_cast<int>(sizeof(E));
  typename VectorOf<E, bytes>::type v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

/// One element; what it is in the caller's memory is another type.
template <class E>
PANTILE_INLINE std::uint32_t element_bits(E const* p) {
  E value;
  __builtin_memcpy(&value, p, sizeof value);
  return value;
}

/// So many elements as a register has k-packs, each with its bits in one.
template <class S, class E>
PANTILE_INLINE KPackRegister<S> widened(E const* p) {
  return __builtin_convertvector(load_low_precision<S, E, 1>(p), KPackRegister<S>);
}

/// \brief  Pairs of bytes as signed numbers of 16 bits.
/// \param  s  0 for unsigned bytes, 0x80 for signed ones
struct PairKPack {
  using Product = PairProduct;
  static constexpr int k_pack = 2;

  template <class S>
  static PANTILE_INLINE KPackRegister<S> along(std::uint8_t const* p, std::uint32_t s) {
    auto const pairs = __builtin_convertvector(load_low_precision<S, std::uint8_t, 2>(p), Register<S, std::uint16_t>);
    auto const sign = broadcast<S>(static_cast<std::uint16_t>(s));
    return reinterpret_cast<KPackRegister<S>>((pairs ^ sign) - sign);
  }
  template <class S>
  static PANTILE_INLINE KPackRegister<S> beside(std::uint8_t const* p, Index stride, std::uint32_t s) {
    auto const sign = broadcast<S>(s);
    auto const low = (widened<S>(p) ^ sign) - sign, high = (widened<S>(p + stride) ^ sign) - sign;
    return (low & 0xffffU) | (high << 16);
  }
  static PANTILE_INLINE std::uint32_t one(std::uint8_t const* p, Index stride, int count, std::uint32_t s) {
    std::uint32_t word = 0;
    for (int i = 0; i < count; ++i) word |= (((element_bits(p + i * stride) ^ s) - s) & 0xffffU) << (16 * i);
    return word;
  }
};

#if defined(__AVX512VNNI__)
/// \brief  Four bytes each, moved by 128 where the side's instruction wants the other signedness.
/// \param  s  what is exclusive-or'ed to each byte: 0 or 0x80
struct ByteKPack {
  using Product = ByteProduct;
  static constexpr int k_pack = 4;

  template <class S>
  static PANTILE_INLINE KPackRegister<S> along(std::uint8_t const* p, std::uint32_t s) {
    return reinterpret_cast<KPackRegister<S>>(load_low_precision<S, std::uint8_t, 4>(p)) ^
           broadcast<S>(s * 0x01010101U);
  }
  template <class S>
  static PANTILE_INLINE KPackRegister<S> beside(std::uint8_t const* p, Index stride, std::uint32_t s) {
    return (widened<S>(p) | (widened<S>(p + stride) << 8) | (widened<S>(p + 2 * stride) << 16) |
            (widened<S>(p + 3 * stride) << 24)) ^
           broadcast<S>(s * 0x01010101U);
  }
  static PANTILE_INLINE std::uint32_t one(std::uint8_t const* p, Index stride, int count, std::uint32_t s) {
    std::uint32_t word = 0;
    for (int i = 0; i < count; ++i) word |= (element_bits(p + i * stride) ^ s) << (8 * i);
    return word;
  }
};
#endif

#if defined(__AVX512BF16__)
/// Pairs of bfloat16 as they are.
struct BrainKPack {
  using Product = BrainProduct;
  static constexpr int k_pack = 2;

  template <class S>
  static PANTILE_INLINE KPackRegister<S> along(std::uint16_t const* p, std::uint32_t) {
    return reinterpret_cast<KPackRegister<S>>(load_low_precision<S, std::uint16_t, 2>(p));
  }
  template <class S>
  static PANTILE_INLINE KPackRegister<S> beside(std::uint16_t const* p, Index stride, std::uint32_t) {
    return widened<S>(p) | (widened<S>(p + stride) << 16);
  }
  static PANTILE_INLINE std::uint32_t one(std::uint16_t const* p, Index stride, int count, std::uint32_t) {
    return element_bits(p) | (count == 2 ? element_bits(p + stride) << 16 : 0U);
  }
};
#endif

/// The bits of the floats of the same value as bfloat16's.
struct FromBrain {
  template <class S>
  static PANTILE_INLINE KPackRegister<S> bits(KPackRegister<S> const& bits16) {
    return bits16 << 16;
  }
  template <class S>
  static PANTILE_INLINE KPackRegister<S> load(std::uint16_t const* p) {
    return bits<S>(widened<S>(p));
  }
};

/// \brief  The bits of the float of the same value as IEEE binary16's: moved to a float's place the number is too small
///         by a factor of 2^112, subnormal numbers too; what is no finite number gets the exponent that says so.
struct FromHalf {
  template <class S>
  static PANTILE_INLINE KPackRegister<S> bits(KPackRegister<S> const& bits16) {
    using V = KPackRegister<S>;
    V const size = (bits16 & 0x7fffU) << 13, sign = (bits16 & 0x8000U) << 16;
    V const not_finite = V(size >= 0x0f800000U) & 0x7f800000U;
    using F = Register<S, float>;
    return reinterpret_cast<V>(reinterpret_cast<F>(size) * broadcast<S>(0x1p112F)) | not_finite | sign;
  }
  /// By the instruction for it where there is one.
  template <class S>
  static PANTILE_INLINE KPackRegister<S> load(std::uint16_t const* p) {
#if defined(__AVX512F__)
    if constexpr (S::bytes == 64) {
      return reinterpret_cast<KPackRegister<S>>(
          _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p))));
    }
#endif
#if defined(__AVX2__) && defined(__F16C__)
    if constexpr (S::bytes == 32) {
      return reinterpret_cast<KPackRegister<S>>(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<__m128i const*>(p))));
    }
#endif
    return bits<S>(widened<S>(p));
  }
};

/// Floats.
template <class From>
struct FloatKPack {
  using Product = OneProduct;
  static constexpr int k_pack = 1;

  template <class S>
  static PANTILE_INLINE KPackRegister<S> along(std::uint16_t const* p, std::uint32_t) {
    return From::template load<S>(p);
  }
  template <class S>
  static PANTILE_INLINE KPackRegister<S> beside(std::uint16_t const* p, Index, std::uint32_t) {
    return From::template load<S>(p);
  }
  static PANTILE_INLINE std::uint32_t one(std::uint16_t const* p, Index, int, std::uint32_t) {
    using Small = Simd<16, 16>;
    return From::template bits<Small>(broadcast<Small>(element_bits(p)))[0];
  }
};

/// The k-packs of a format on this instruction set; those of NativeSimd where its flags have instructions for them.
template <class S, class Format>
struct KPackOf;
template <class S>
struct KPackOf<S, Half16> {
  using type = FloatKPack<FromHalf>;
};
template <class S>
struct KPackOf<S, Bytes> {
  using type = PairKPack;
};
template <class S>
struct KPackOf<S, Brain16> {
  using type = FloatKPack<FromBrain>;
};
#if defined(__AVX512VNNI__)
template <>
struct KPackOf<NativeSimd, Bytes> {
  using type = ByteKPack;
};
#endif
#if defined(__AVX512BF16__)
template <>
struct KPackOf<NativeSimd, Brain16> {
  using type = BrainKPack;
};
#endif

}  // namespace pantile::impl::arch
