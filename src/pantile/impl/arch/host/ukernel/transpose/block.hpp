// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Transposition of blocks in registers, elements as bytes of a size: 1, 2, 4, 8 or 16.

#include <pantile/impl/arch/host/ukernel/shuffle.hpp>

#include <cstddef>

namespace pantile::impl::arch::transposing {

/// \brief  A block of as many rows as elements fit into a register, by as many columns as fit into 16 bytes of it.
///         Register r takes such pieces from rows r, r + cols, r + 2 cols ...: shuffles stay within pieces, which cost
///         one operation on every machine, and loads from memory put pieces together.
template <class S, int Size, bool Conjugates = false>
struct Block {
  static constexpr int rows = S::bytes / Size;
  static constexpr int cols = 16 / Size;
  static constexpr int pieces = S::bytes / 16;
  using Word = typename WordOf<Size>::type;
  using Vector = Register<S, Word>;
  static constexpr int words = S::bytes / static_cast<int>(sizeof(Word));
  static constexpr int piece_words = 16 / static_cast<int>(sizeof(Word));

  /// One piece from each of rows p, p + step, p + 2 step ...
  static PANTILE_INLINE Vector gather(std::byte const* p, Index step) {
    if constexpr (pieces == 1) {
      return load<S>(reinterpret_cast<Word const*>(p));
    } else {
      return gather_pieces(p, step);
    }
  }

  /// The words of a and b in turn, from the lower or the upper half of each piece.
  template <bool Upper>
  static PANTILE_INLINE Vector interleave(Vector const& a, Vector const& b) {
    return interleave_words<Upper>(a, b, typename LanesUpTo<words>::type{});
  }

  /// log2(cols) times: register 2 i and 2 i + 1 from i and i + cols / 2.
  static PANTILE_INLINE void exchange(Vector (&v)[cols]) {
    for (int done = 1; done < cols; done *= 2) {
      Vector next[cols];
      for (int i = 0; i < cols / 2; ++i) {
        next[2 * i] = interleave<false>(v[i], v[i + cols / 2]);
        next[2 * i + 1] = interleave<true>(v[i], v[i + cols / 2]);
      }
      for (int i = 0; i < cols; ++i) v[i] = next[i];
    }
  }

  /// The block at source, transposed, in registers: v[j] is row j of the result.
  static PANTILE_INLINE void take(std::byte const* source, Index source_ld, Vector (&v)[cols]) {
    for (int r = 0; r < cols; ++r) v[r] = gather(source + r * source_ld, cols * source_ld);
    exchange(v);
    if constexpr (Conjugates) {
      for (int r = 0; r < cols; ++r) v[r] ^= signs(typename LanesUpTo<words>::type{});
    }
  }

  static PANTILE_INLINE void put(std::byte* target, Vector const& v) { store<S>(reinterpret_cast<Word*>(target), v); }

 private:
  static constexpr int source_word(int i, bool upper) {
    int const piece = i / piece_words, place = i % piece_words;
    return piece * piece_words + place / 2 + (upper ? piece_words / 2 : 0) + (place % 2 == 1 ? words : 0);
  }

  /// The sign bits of the imaginary parts: the upper half of a complex<float>, every other word of a complex<double>.
  template <int... I>
  static PANTILE_INLINE Vector signs(Lanes<I...>) {
    constexpr Word sign = Word(1) << (8 * sizeof(Word) - 1);
    return Vector{(Size == 8 || I % 2 == 1 ? sign : Word(0))...};
  }

  template <bool Upper, int... I>
  static PANTILE_INLINE Vector interleave_words(Vector const& a, Vector const& b, Lanes<I...>) {
    return shuffled(a, b, Lanes<source_word(I, Upper)...>{});
  }

  static PANTILE_INLINE Vector gather_pieces([[maybe_unused]] std::byte const* p, [[maybe_unused]] Index step) {
#if defined(__AVX2__)
    auto const piece = [&](int k) __attribute__((always_inline)) {
      return _mm_loadu_si128(reinterpret_cast<__m128i const*>(p + k * step));
    };
    if constexpr (pieces == 2) {
      return reinterpret_cast<Vector>(_mm256_inserti128_si256(_mm256_castsi128_si256(piece(0)), piece(1), 1));
    }
#endif
#if defined(__AVX512F__)
    if constexpr (pieces == 4) {
      __m512i v = _mm512_castsi128_si512(piece(0));
      v = _mm512_inserti32x4(v, piece(1), 1);
      v = _mm512_inserti32x4(v, piece(2), 2);
      return reinterpret_cast<Vector>(_mm512_inserti32x4(v, piece(3), 3));
    }
#endif
    return Vector{};
  }
};

}  // namespace pantile::impl::arch::transposing
