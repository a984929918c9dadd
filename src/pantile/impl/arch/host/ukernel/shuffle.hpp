// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Vector registers whose lanes change places, written like vector.hpp.

#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch {

/// Lane numbers as a pack: what the shuffles below are written with.
template <int... I>
struct Lanes {};
template <int N, int... I>
struct LanesUpTo : LanesUpTo<N - 1, N - 1, I...> {};
template <int... I>
struct LanesUpTo<0, I...> {
  using type = Lanes<I...>;
};

/// The lanes I of a and b one after the other, b's counted on from a's.
template <class V, int... I>
PANTILE_INLINE V shuffled(V const& a, V const& b, Lanes<I...>) {
#if defined(__clang__) || __GNUC__ >= 12
  return __builtin_shufflevector(a, b, I...);
#else
  decltype(a == b) const order = {I...};
  return __builtin_shuffle(a, b, order);
#endif
}

/// Has the instruction set `permuted` for registers of T?
template <class S, class T>
#if defined(__AVX512F__)
inline constexpr bool can_permute = S::bytes == 64 && sizeof(T) >= 4;
#elif defined(__AVX2__)
inline constexpr bool can_permute = S::bytes == 32 && sizeof(T) == 4;
#else
inline constexpr bool can_permute = false;
#endif

/// In lane i the lane order[i] of v, modulo their number; where can_permute.
template <class V, class Order>
PANTILE_INLINE V permuted(V const& v, [[maybe_unused]] Order const& order) {
#if defined(__AVX512F__)
  auto const all = reinterpret_cast<__m512i>(v), from = reinterpret_cast<__m512i>(order);
  if constexpr (sizeof(v[0]) == 4) return reinterpret_cast<V>(_mm512_permutexvar_epi32(from, all));
  return reinterpret_cast<V>(_mm512_permutexvar_epi64(from, all));
#elif defined(__AVX2__)
  auto const all = reinterpret_cast<__m256i>(v), from = reinterpret_cast<__m256i>(order);
  return reinterpret_cast<V>(_mm256_permutevar8x32_epi32(all, from));
#else
  return v;
#endif
}

template <class V, int... I>
PANTILE_INLINE V swap_pairs_of(V const& v, Lanes<I...>) {
  return shuffled(v, v, Lanes<(I ^ 1)...>{});
}
/// Exchange neighbours: real with imaginary parts.
template <class S, class T>
PANTILE_INLINE Register<S, T> swap_pairs(Register<S, T> const& v) {
  return swap_pairs_of(v, typename LanesUpTo<lanes<S, T>>::type{});
}

template <int Half, int Left, class V, int... I>
PANTILE_INLINE V fold(V const& v, Lanes<I...> all) {
  if constexpr (Half < Left) {
    return v;
  } else {
    return fold<Half / 2, Left>(v + shuffled(v, v, Lanes<(I ^ Half)...>{}), all);
  }
}
/// In lane i the sum of lanes i, i + Left, i + 2 Left ..., in halves: the upper half is added to the lower one.
template <int Left, class S, class T>
PANTILE_INLINE Register<S, T> folded(Register<S, T> const& v) {
  return fold<lanes<S, T> / 2, Left>(v, typename LanesUpTo<lanes<S, T>>::type{});
}

/// As many registers as each has lanes.
template <class S, class T>
using Square = Register<S, T>[lanes<S, T>];

template <int Half, class V, int... I>
PANTILE_INLINE void exchange_blocks(V& a, V& b, Lanes<I...>) {
  constexpr int all = sizeof...(I);
  V const low = shuffled(a, b, Lanes<((I & Half) == 0 ? I : I - Half + all)...>{});
  b = shuffled(a, b, Lanes<((I & Half) == 0 ? I + Half : I + all)...>{});
  a = low;
}
template <int Half, class S, class T>
PANTILE_INLINE void transpose_stage(Square<S, T>& square) {
  if constexpr (Half > 0) {
#pragma GCC unroll 16
    for (int i = 0; i < lanes<S, T>; ++i) {
      if ((i & Half) == 0) exchange_blocks<Half>(square[i], square[i + Half], typename LanesUpTo<lanes<S, T>>::type{});
    }
    transpose_stage<Half / 2, S, T>(square);
  }
}
/// Transpose a square of registers in place: blocks off the diagonal change places, at half the size in each stage.
template <class S, class T>
PANTILE_INLINE void transpose_square(Square<S, T>& square) {
  transpose_stage<lanes<S, T> / 2, S, T>(square);
}

}  // namespace pantile::impl::arch
