// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Vector registers for the host kernels, through the vector extensions of GCC and Clang. Compiled for several
///        instruction sets: all takes the set as a template argument and is forced inline, and nothing is of the
///        standard library, or the linker would merge functions, and run those that the CPU lacks.

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#define PANTILE_INLINE inline __attribute__((always_inline))

namespace pantile::impl::arch {

using Index = std::int64_t;

PANTILE_INLINE constexpr Index smaller(Index a, Index b) { return a < b ? a : b; }

/// f.template operator()<number>() of a number from Least to Most that the compiler does not know; nothing of others.
template <int Least, int Most, class F>
PANTILE_INLINE void with_constant(Index number, F const& f) {
  if constexpr (Least <= Most) {
    if (number == Least) return f.template operator()<Least>();
    with_constant<Least + 1, Most>(number, f);
  }
}

/// \brief  An instruction set, as far as kernels depend on it: bytes and number of its vector registers.
/// \tparam Dots  how many of the sets with products of elements of low precision it has: a type of its own for each
template <int Bytes, int Registers, int Dots = 0>
struct Simd {
  static constexpr int bytes = Bytes;
  static constexpr int registers = Registers;
};

/// Registers of fewer bytes than the set's own: a type of its own for each set.
template <class S, int Bytes>
struct PartOf {
  static constexpr int bytes = Bytes;
  static constexpr int registers = S::registers;
};

/// What the flags of this compilation allow.
#if defined(__AVX512BF16__) && defined(__AVX512VNNI__)
using NativeSimd = Simd<64, 32, 2>;
#elif defined(__AVX512VNNI__)
using NativeSimd = Simd<64, 32, 1>;
#elif defined(__AVX512F__)
using NativeSimd = Simd<64, 32>;
#elif defined(__AVX2__)
using NativeSimd = Simd<32, 16>;
#elif defined(__aarch64__)
using NativeSimd = Simd<16, 32>;
#else
using NativeSimd = Simd<16, 16>;
#endif

template <class T, int Bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(Bytes)));
  typedef T unaligned __attribute__((vector_size(Bytes), aligned(1), may_alias));
};

/// A full register of T.
template <class S, class T>
using Register = typename VectorOf<T, S::bytes>::type;

/// Elements in a register.
template <class S, class T>
inline constexpr int lanes = S::bytes / static_cast<int>(sizeof(T));

template <class S, class T>
PANTILE_INLINE Register<S, T> load(T const* p) {
  return *reinterpret_cast<typename VectorOf<T, S::bytes>::unaligned const*>(p);
}

template <class S, class T>
PANTILE_INLINE void store(T* p, Register<S, T> const& v) {
  *reinterpret_cast<typename VectorOf<T, S::bytes>::unaligned*>(p) = v;
}

/// Store past the cache, to memory aligned to the register; plainly where the instruction set has no such stores.
template <class S, class T>
PANTILE_INLINE void stream(T* p, Register<S, T> const& v) {
#if defined(__AVX512F__)
  if constexpr (S::bytes == 64) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(p), reinterpret_cast<__m512i>(v));
    return;
  }
#endif
#if defined(__AVX2__)
  if constexpr (S::bytes == 32) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(p), reinterpret_cast<__m256i>(v));
    return;
  }
#endif
#if defined(__SSE2__)
  if constexpr (S::bytes == 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(p), reinterpret_cast<__m128i>(v));
    return;
  }
#endif
  store<S>(p, v);
}

/// Order what was streamed before what is stored from here on.
PANTILE_INLINE void stream_end() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

template <class S, class T>
PANTILE_INLINE Register<S, T> broadcast(T value) {
  return value - Register<S, T>{};  // x - 0 is x, bit by bit: compilers make one broadcast of it, which x + 0 is not
}

/// \brief  A product that is rounded before it is used. In x y + z w a compiler may fuse either product with the sum,
///         and not the same one in every instance of a kernel; the bits must not depend on which instance an element
///         meets.
template <class V>
PANTILE_INLINE V rounded(V value) {
  if constexpr (sizeof(V) <= NativeSimd::bytes) {
#if defined(__x86_64__)
    asm("" : "+v"(value));
#elif defined(__aarch64__)
    asm("" : "+w"(value));
#endif
  } else {
    asm("" : "+m"(value));
  }
  return value;
}

/// `value`, rounded before anything is done with later.
template <class V>
PANTILE_INLINE void rounded_first(V& value, V& later) {
  if constexpr (sizeof(V) <= NativeSimd::bytes) {
#if defined(__x86_64__)
    asm("" : "+v"(value), "+v"(later));
#elif defined(__aarch64__)
    asm("" : "+w"(value), "+w"(later));
#endif
  } else {
    asm("" : "+m"(value), "+m"(later));
  }
}

/// The first count elements of p, zeroes behind them; nothing else of p is touched. 0 < count <= lanes.
template <class S, class T>
PANTILE_INLINE Register<S, T> load_first(T const* p, int count) {
  constexpr int all = lanes<S, T>;
#if defined(__AVX512F__)
  if constexpr (S::bytes == 64) {
    if constexpr (sizeof(T) == 4) {
      auto const mask = static_cast<__mmask16>((1U << count) - 1U);
      return reinterpret_cast<Register<S, T>>(_mm512_maskz_loadu_epi32(mask, p));
    } else {
      auto const mask = static_cast<__mmask8>((1U << count) - 1U);
      return reinterpret_cast<Register<S, T>>(_mm512_maskz_loadu_epi64(mask, p));
    }
  }
#endif
#if defined(__AVX512VL__)
  if constexpr (S::bytes == 32) {
    auto const mask = static_cast<__mmask8>((1U << count) - 1U);
    if constexpr (sizeof(T) == 4) {
      return reinterpret_cast<Register<S, T>>(_mm256_maskz_loadu_epi32(mask, p));
    } else {
      return reinterpret_cast<Register<S, T>>(_mm256_maskz_loadu_epi64(mask, p));
    }
  }
#elif defined(__AVX2__)
  if constexpr (S::bytes == 32) {
    if constexpr (sizeof(T) == 4) {
      __m256i const mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
      return reinterpret_cast<Register<S, T>>(_mm256_maskload_epi32(reinterpret_cast<int const*>(p), mask));
    } else {
      __m256i const mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
      return reinterpret_cast<Register<S, T>>(_mm256_maskload_epi64(reinterpret_cast<long long const*>(p), mask));
    }
  }
#endif
  Register<S, T> v{};
  for (int i = 0; i < all; ++i) {
    if (i < count) v[i] = p[i];
  }
  return v;
}

/// The first Half of a register's bytes, or the rest.
template <class T, int Bytes, bool Upper>
PANTILE_INLINE typename VectorOf<T, Bytes / 2>::type half_of(typename VectorOf<T, Bytes>::type const& v) {
  struct Halves {
    typename VectorOf<T, Bytes / 2>::type part[2];
  };
  return __builtin_bit_cast(Halves, v).part[Upper ? 1 : 0];
}

/// Store the first count elements, by halves: masked stores of 256 bits are slow on AMD's Zen 1 to 3 (uops.info lists
/// 18 and more operations for VMASKMOVPS to memory).
template <class T, int Bytes>
PANTILE_INLINE void store_halves(T* p, typename VectorOf<T, Bytes>::type const& v, int count) {
  constexpr int all = Bytes / static_cast<int>(sizeof(T)), half = all / 2;
  if constexpr (Bytes / 2 >= 16) {
    using Unaligned = typename VectorOf<T, Bytes / 2>::unaligned;
    if (count >= half) {
      *reinterpret_cast<Unaligned*>(p) = half_of<T, Bytes, false>(v);
      store_halves<T, Bytes / 2>(p + half, half_of<T, Bytes, true>(v), count - half);
    } else {
      store_halves<T, Bytes / 2>(p, half_of<T, Bytes, false>(v), count);
    }
  } else {
    for (int i = 0; i < all; ++i) {
      if (i < count) p[i] = v[i];
    }
  }
}

/// Store count elements from lane First on; nothing else of p is touched. 0 <= count <= lanes - First.
template <class S, int First, class T>
PANTILE_INLINE void store_lanes(T* p, Register<S, T> const& v, int count) {
#if defined(__AVX512F__)
  if constexpr (S::bytes == 64) {
    auto const mask = ((1U << count) - 1U) << First;
    if constexpr (sizeof(T) == 4) {
      _mm512_mask_storeu_epi32(p - First, static_cast<__mmask16>(mask), reinterpret_cast<__m512i>(v));
    } else {
      _mm512_mask_storeu_epi64(p - First, static_cast<__mmask8>(mask), reinterpret_cast<__m512i>(v));
    }
    return;
  }
#endif
  if constexpr (First > 0) {
    for (int i = First; i < lanes<S, T>; ++i) {
      if (i - First < count) p[i - First] = v[i];
    }
    return;
  }
#if defined(__AVX512VL__)
  if constexpr (S::bytes == 32) {
    auto const mask = static_cast<__mmask8>((1U << count) - 1U);
    if constexpr (sizeof(T) == 4) {
      _mm256_mask_storeu_epi32(p, mask, reinterpret_cast<__m256i>(v));
    } else {
      _mm256_mask_storeu_epi64(p, mask, reinterpret_cast<__m256i>(v));
    }
    return;
  }
#endif
  store_halves<T, S::bytes>(p, v, count);
}
/// Store the first count elements.
template <class S, class T>
PANTILE_INLINE void store_first(T* p, Register<S, T> const& v, int count) {
  store_lanes<S, 0>(p, v, count);
}

/// Lanes of a register from First on, To bytes of them: a part that halving leads to.
template <class T, int To, int First, int Bytes>
PANTILE_INLINE typename VectorOf<T, To>::type part_of(typename VectorOf<T, Bytes>::type const& v) {
  if constexpr (To == Bytes) {
    return v;
  } else {
    constexpr int half = Bytes / 2 / static_cast<int>(sizeof(T));
    return part_of<T, To, First % half, Bytes / 2>(half_of<T, Bytes, (First >= half)>(v));
  }
}

/// Unsigned integer to move elements of Size bytes as, whose type says nothing; those of 16 bytes take two.
template <int Size>
struct WordOf;
template <>
struct WordOf<1> {
  using type = std::uint8_t;
};
template <>
struct WordOf<2> {
  using type = std::uint16_t;
};
template <>
struct WordOf<4> {
  using type = std::uint32_t;
};
template <>
struct WordOf<8> {
  using type = std::uint64_t;
};
template <>
struct WordOf<16> {
  using type = std::uint64_t;
};

}  // namespace pantile::impl::arch
