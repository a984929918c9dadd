// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The multiply-add of a micro-kernel for a register of A's elements and one of B's: of numbers, or of k-packs
///        of low precision.

#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch {

/// Products in a k-pack; whether a packed panel ends with a word per line that is added to the line's sums.
template <int Terms, bool Corrected>
struct ProductTraits {
  static constexpr int terms = Terms;
  static constexpr bool corrected = Corrected;
};

/// One product of numbers.
struct OneProduct : ProductTraits<1, false> {
  template <class S, class V>
  static PANTILE_INLINE void add(V& sum, V const& a, V const& b) {
    sum += a * b;
  }
};

/// Two signed numbers of 16 bits, whose products are added up before the sum takes them.
struct PairProduct : ProductTraits<2, false> {
  template <class S, class V>
  static PANTILE_INLINE void add(V& sum, V const& a, V const& b) {
#if defined(__AVX512BW__)
    if constexpr (S::bytes == 64) {
      // Together, or GCC forms the products of several steps before it adds any, and has no registers for them.
      V product;
      asm("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0" : "+v"(sum), "=&v"(product) : "v"(a), "v"(b));
      return;
    }
#endif
    sum = rounded(V(sum + products<S>(a, b)));
  }

 private:
  template <class S, class V>
  static PANTILE_INLINE V products(V const& a, V const& b) {
#if defined(__AVX2__)
    if constexpr (S::bytes == 32) {
      return reinterpret_cast<V>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
    }
#endif
#if defined(__SSE2__)
    if constexpr (S::bytes == 16) {
      return reinterpret_cast<V>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
    }
#endif
    using Signed = Register<S, std::int32_t>;
    auto const x = reinterpret_cast<Signed>(a), y = reinterpret_cast<Signed>(b);
    return reinterpret_cast<V>(((x << 16) >> 16) * ((y << 16) >> 16)) + reinterpret_cast<V>((x >> 16) * (y >> 16));
  }
};

#if defined(__AVX512VNNI__)
/// Four unsigned bytes of A with four signed ones of B; wraps modulo 2^32.
struct ByteProduct : ProductTraits<4, true> {
  template <class S, class V>
  static PANTILE_INLINE void add(V& sum, V const& a, V const& b) {
    sum = reinterpret_cast<V>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum), reinterpret_cast<__m512i>(a),
                                                  reinterpret_cast<__m512i>(b)));
  }
};
#endif

#if defined(__AVX512BF16__)
/// Two numbers of bfloat16; takes subnormal numbers for zero.
struct BrainProduct : ProductTraits<2, false> {
  template <class S, class V>
  static PANTILE_INLINE void add(V& sum, V const& a, V const& b) {
    sum = reinterpret_cast<V>(
        _mm512_dpbf16_ps(reinterpret_cast<__m512>(sum), reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b)));
  }
};
#endif

}  // namespace pantile::impl::arch
