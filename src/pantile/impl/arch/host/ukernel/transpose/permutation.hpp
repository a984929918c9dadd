// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Tiny transpositions of contiguous matrices: all elements of one, or of a few, permuted in registers.

#include <pantile/impl/arch/host/ukernel/transpose/functions.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

#include <cstddef>

namespace pantile::impl::arch::transposing {

/// Where there are shuffles of two registers by numbers that are known at run time: AVX-512's, of words of 2 bytes and
/// more. Nowhere else: run does nothing.
template <class S, int Size, bool Conjugates>
struct Permutation {
  /// \returns  how many matrices are done; the last ones are not, which registers would go beyond
  static PANTILE_INLINE Index run([[maybe_unused]] Move const& first, [[maybe_unused]] MoveBatch const& batch) {
#if defined(__AVX512F__)
    if constexpr (S::bytes == 64 && Size > 1) return of_registers<1>(first, batch);
#endif
    return 0;
  }

#if defined(__AVX512F__)
 private:
  using Word = typename WordOf<Size>::type;
  using V = Register<S, Word>;
  static constexpr int words = lanes<S, Word>, parts = Size / static_cast<int>(sizeof(Word)), most_registers = 8;

  /// Of Count registers, or of as many more as hold a matrix.
  template <int Count>
  static PANTILE_INLINE Index of_registers(Move const& first, MoveBatch const& batch) {
    Index const all = first.rows * first.cols * Size;
    if (first.source_ld != first.cols * Size || batch.source_step != all) return 0;
    if (all <= Count * S::bytes) return permute<Count>(first, batch);
    if constexpr (Count < most_registers) return of_registers<Count + 1>(first, batch);
    return 0;
  }

  /// Which words the result takes, from each pair of registers, and which signs change.
  template <int Count>
  struct Order {
    static constexpr int pairs = (Count + 1) / 2;
    alignas(64) Word from[Count][words];
    alignas(64) Word signs[Count][words];
    std::uint32_t of_pair[Count][pairs];

    PANTILE_INLINE Order(Index rows, Index cols, Index group) {
      Index const size = rows * cols, taken = group * size * parts;
      for (int r = 0; r < Count; ++r) {
        for (int p = 0; p < pairs; ++p) of_pair[r][p] = 0;
        for (int w = 0; w < words; ++w) {
          Index const to = r * Index{words} + w, element = to / parts % size, matrix = to / parts / size;
          Index const source = (matrix * size + element % rows * cols + element / rows) * parts + to % parts;
          Index const place = to < taken ? source : 0;
          from[r][w] = static_cast<Word>(place % (2 * words));
          of_pair[r][place / (2 * words)] |= 1U << w;
          bool const negates = Conjugates && to % parts == parts - 1;
          signs[r][w] = negates ? Word(Word(1) << (8 * sizeof(Word) - 1)) : Word(0);
        }
      }
    }
  };

  template <int Count>
  static __attribute__((noinline)) Index permute(Move const& first, MoveBatch const& batch) {
    Index const size = first.rows * first.cols * Size, group = Count * S::bytes / size;
    Index const step = group * size, over = Count * S::bytes - step;
    Index const groups = (batch.count * size - over) / step;
    Order<Count> const order(first.rows, first.cols, group);
    std::byte const* source = first.source;
    std::byte* target = first.target;
    for (Index left = groups; left > 0; --left, source += step, target += step) {
      V v[Count], result[Count];
#pragma GCC unroll 8
      for (int r = 0; r < Count; ++r) v[r] = load<S>(reinterpret_cast<Word const*>(source) + r * words);
#pragma GCC unroll 8
      for (int r = 0; r < Count; ++r) {
        result[r] = picked(order.from[r], v[0], v[Count > 1 ? 1 : 0]);
#pragma GCC unroll 4
        for (int p = 1; p < order.pairs; ++p) {
          V const other = picked(order.from[r], v[2 * p], v[2 * p + 1 < Count ? 2 * p + 1 : 2 * p]);
          result[r] = chosen(order.of_pair[r][p], other, result[r]);
        }
        if constexpr (Conjugates) result[r] ^= load<S>(order.signs[r]);
      }
#pragma GCC unroll 8
      for (int r = 0; r < Count; ++r) store<S>(reinterpret_cast<Word*>(target) + r * words, result[r]);
    }
    return groups > 0 ? groups * group : 0;
  }

  static PANTILE_INLINE V picked(Word const* from, V const& a, V const& b) {
    auto const order = reinterpret_cast<__m512i>(load<S>(from));
    auto const x = reinterpret_cast<__m512i>(a), y = reinterpret_cast<__m512i>(b);
    if constexpr (sizeof(Word) == 2) return reinterpret_cast<V>(_mm512_permutex2var_epi16(x, order, y));
    if constexpr (sizeof(Word) == 4) return reinterpret_cast<V>(_mm512_permutex2var_epi32(x, order, y));
    return reinterpret_cast<V>(_mm512_permutex2var_epi64(x, order, y));
  }
  /// Of a where the mask says so.
  static PANTILE_INLINE V chosen(std::uint32_t mask, V const& a, V const& b) {
    auto const x = reinterpret_cast<__m512i>(a), y = reinterpret_cast<__m512i>(b);
    if constexpr (sizeof(Word) == 2) return reinterpret_cast<V>(_mm512_mask_blend_epi16(mask, y, x));
    if constexpr (sizeof(Word) == 4)
      return reinterpret_cast<V>(_mm512_mask_blend_epi32(static_cast<__mmask16>(mask), y, x));
    return reinterpret_cast<V>(_mm512_mask_blend_epi64(static_cast<__mmask8>(mask), y, x));
  }
#endif
};

}  // namespace pantile::impl::arch::transposing
