// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products of many rows with a small B, such as rotations of points: a register holds several rows of A, and of
///        C.

#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/shuffle.hpp>

namespace pantile::impl::arch {

/// C = alpha A B + beta C of numbers, A and C without gaps between their rows; the sums are those of register tiles.
template <class S, class R>
struct GemmShortRows {
  using V = Register<S, R>;
  using Call = GemmCall<R>;
  static constexpr int all = lanes<S, R>;
  /// Two rows of A or more are in a register. Rows of C that fill half a register are tiles as fast.
  static constexpr Index most = can_permute<S, R> ? all / 2 : 0;
  /// Where a few lanes are slow to store by themselves.
  static constexpr bool must_fill = S::bytes < 64;

  static PANTILE_INLINE bool takes(Call const& call) {
    Index const edge = call.n > call.k ? call.n : call.k;
    bool const contiguous = call.a_cs == 1 && call.a_rs == call.k && call.c_rs == call.n;
    if (!contiguous || edge > most || call.n == most || call.k < 1) return false;
    return !must_fill || all / edge * call.n == all;
  }

  /// Of a call that it takes.
  static void run(Call const& call) {
    with_constant<1, most>(call.k, [&]<int Depth>() { rows<Depth>(call); });
  }

 private:
  using Word = typename WordOf<static_cast<int>(sizeof(R))>::type;
  using Numbers = Register<S, Word>;

  /// Lane r n + j of a register has the sum of row r and column j.
  template <int Depth>
  static __attribute__((noinline)) void rows(Call const& call) {
    Index const cols = call.n, together = all / (cols > Depth ? cols : Depth), used = together * cols;
    Numbers lane;
    for (int i = 0; i < all; ++i) lane[i] = static_cast<Word>(i);
    Numbers const row = lane * static_cast<Word>(65536 / cols + 1) >> 16, col = lane - row * static_cast<Word>(cols);
    V right[Depth];
    Numbers of_a[Depth];
#pragma GCC unroll 16
    for (int k = 0; k < Depth; ++k) {
      V const of_b = load_first<S>(call.b + k * call.b_rs, static_cast<int>(cols));
      right[k] = lane < static_cast<Word>(used) ? permuted(of_b, col) : V{};
      of_a[k] = row * Depth + static_cast<Word>(k);
    }
    auto const sums = [&](V const& a) __attribute__((always_inline)) {
      V sum = {};
#pragma GCC unroll 16
      for (int k = 0; k < Depth; ++k) sum += permuted(a, of_a[k]) * right[k];
      return sum;
    };
    V const alpha = broadcast<S>(call.alpha[0]), beta = broadcast<S>(call.beta[0]);
    auto const finish = [&](R * c, V sum, int count) __attribute__((always_inline)) {
      if (call.reads_c) {
        V old = beta * load_first<S>(c, count);
        rounded_first(old, sum);
        sum = rounded(alpha) * sum + old;
      } else {
        sum = alpha * sum;
      }
      store_first<S>(c, sum, count);
    };
    R const* a = call.a;
    R* c = call.c;
    Index left = call.m;
    for (; left * Depth >= all; left -= together) {
      V const sum = sums(load<S>(a));
      if (used == all && !call.reads_c) {
        store<S>(c, alpha * sum);
      } else {
        finish(c, sum, static_cast<int>(used));
      }
      a += together * Depth;
      c += used;
    }
    for (; left > 0; left -= together) {
      Index const here = left < together ? left : together;
      finish(c, sums(load_first<S>(a, static_cast<int>(here * Depth))), static_cast<int>(here * cols));
      a += here * Depth;
      c += here * cols;
    }
  }
};

}  // namespace pantile::impl::arch
