// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Shuffles: permutations of the lanes of vector registers, written like vector.hpp.

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

template <int Half, int Count, class V, int... I>
PANTILE_INLINE V lane_sums_of(V* v, Lanes<I...> all) {
  constexpr int lanes_of = sizeof...(I);
  if constexpr (Count == 1) {
    if constexpr (Half == 0) return *v;
    return shuffled(fold<Half, 1>(*v, all), *v, Lanes<(I * 2 * Half) % lanes_of...>{});
  } else {
#pragma GCC unroll 8
    for (int i = 0; i < Count / 2; ++i) {
      V const &a = v[i], &b = v[i + Count / 2];
      V const kept = shuffled(a, b, Lanes<((I & Half) == 0 ? I : I + lanes_of)...>{});
      v[i] = kept + shuffled(a, b, Lanes<((I & Half) == 0 ? I + Half : I - Half + lanes_of)...>{});
    }
    return lane_sums_of<Half / 2, Count / 2>(v, all);
  }
}
/// \brief  In lane i the sum of v[i]'s lanes, which are added up in the order of `folded`: Count registers at a time, a
///         power of two of them up to their lanes.
template <int Count, class S, class T>
PANTILE_INLINE Register<S, T> lane_sums(Register<S, T>* v) {
  return lane_sums_of<lanes<S, T> / 2, Count>(v, typename LanesUpTo<lanes<S, T>>::type{});
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
/// \brief  Transpose squares of registers in place, one beside the other, as many as so few rows of them hold: blocks
///         off the diagonal change places, at half the size in each stage.
template <class S, class T, int Edge, int Half = Edge / 2>
PANTILE_INLINE void transpose_squares(Register<S, T> (&rows)[Edge]) {
  if constexpr (Half > 0) {
#pragma GCC unroll 16
    for (int i = 0; i < Edge; ++i) {
      if ((i & Half) == 0) exchange_blocks<Half>(rows[i], rows[i + Half], typename LanesUpTo<lanes<S, T>>::type{});
    }
    transpose_squares<S, T, Edge, Half / 2>(rows);
  }
}
/// The same of one square as wide as a register.
template <class S, class T>
PANTILE_INLINE void transpose_square(Square<S, T>& square) {
  transpose_squares<S, T>(square);
}

}  // namespace pantile::impl::arch
