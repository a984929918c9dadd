// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products with small k: as many columns of B as fit stay in registers for many rows of A and C, so that
///        nothing but C is stored and each element of A is loaded once.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/tile.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch {

/// C = alpha A B + beta C of numbers, A read where it lies; the sums are those of register tiles.
template <class S, class R>
struct GemmShallow {
  using V = Register<S, R>;
  using Call = GemmCall<R>;
  static constexpr int step = lanes<S, R>, line = 64 / static_cast<int>(sizeof(R));
  /// Registers that hold B, three across where its depth leaves room; two across pay where C is cached or wide.
  static constexpr int held = 24;
  static constexpr Index most = S::bytes >= 64 && R(1) / R(2) != R(0) ? held / 2 : 0, most_large_c = most * 2 / 3;

  static PANTILE_INLINE bool takes(Call const& call) {
    bool const deep = !call.hints.large_c || call.hints.wide;
    return !call.packed_a && call.k >= 1 && call.k <= (deep ? most : most_large_c) && call.n >= step &&
           call.m >= GemmTile<S, R>::rows;
  }

  /// The same of operands in caches.
  static PANTILE_INLINE bool takes_tiny(Call const& call) {
    return call.k <= host::tiny_shallow_depth && call.k <= most && call.n >= step &&
           call.m * call.n > host::tiny_shallow_sums;
  }

  /// Of a call that it takes.
  static void run(Call const& call) {
    with_constant<1, most>(call.k, [&]<int Depth>() { blocks<Depth>(call); });
  }

 private:
  template <int Depth>
  static __attribute__((noinline)) void blocks(Call const& call) {
    constexpr int across = held / Depth < 3 ? held / Depth : 3, panel = GemmTile<S, R>::cols;
    for (Index i = 0; i < call.m; i += host::shallow_block_rows) {
      Call rows = call;
      rows.m = smaller(host::shallow_block_rows, call.m - i);
      rows.a += i * call.a_rs;
      rows.c += i * call.c_rs;
      Index const next_rows = host::shallow_block_rows * call.c_rs;
      for (Index j = 0; j < call.n;) {
        Index const of_panel = call.packed_b ? j % panel : 0;
        R const* const b = call.packed_b ? call.b + (j - of_panel) * Depth + of_panel : call.b + j;
        Index const b_rs = call.packed_b ? panel : call.b_rs, left = call.n - j;
        Index const room = call.packed_b ? smaller(left, panel - of_panel) : left;
        // Two strips of about equal width instead of a full one and one of a single register.
        Index const registers = (room + step - 1) / step;
        Index const width = registers == across + 1 ? (across + 2) / 2 : smaller(registers, across);
        Index const cols = smaller(room, width * step);
        Index const ahead = left > cols ? cols : next_rows - j;
        with_constant<1, across>(width, [&]<int Width>() {
          int const last = static_cast<int>(cols) - (Width - 1) * step;
          auto const run = last < step ? &strip<Depth, Width, true> : &strip<Depth, Width, false>;
          run(rows, b, b_rs, j, ahead, last);
        });
        j += cols;
      }
    }
  }

  /// All rows of so many registers across, the last with `last` elements. C's lines are prefetched so far ahead.
  template <int Depth, int Across, bool Edge>
  static __attribute__((noinline)) void strip(Call const& call, R const* from, Index b_rs, Index j, Index c_ahead,
                                              int last) {
    R* c = call.c + j;
    V b[Depth][Across];
#pragma GCC unroll 16
    for (int k = 0; k < Depth; ++k) {
#pragma GCC unroll 4
      for (int v = 0; v < Across; ++v) {
        R const* const at = from + k * b_rs + v * step;
        b[k][v] = Edge && v == Across - 1 ? load_first<S>(at, last) : load<S>(at);
      }
    }
    V const alpha = broadcast<S>(call.alpha[0]), beta = broadcast<S>(call.beta[0]), share = rounded(alpha);
    R const* a = call.a;
    Index const a_rs = call.a_rs, a_cs = call.a_cs, c_rs = call.c_rs;
    bool const reads = call.reads_c, ahead = call.hints.large_c;
    for (Index left = call.m; left > 0; --left) {
      if (ahead) {
#pragma GCC unroll 4
        for (int at = 0; at < Across * step; at += line) __builtin_prefetch(c + c_ahead + at, 1);
      }
      V sum[Across] = {};
#pragma GCC unroll 16
      for (int k = 0; k < Depth; ++k) {
        V const element = broadcast<S>(a[k * a_cs]);
#pragma GCC unroll 4
        for (int v = 0; v < Across; ++v) sum[v] += element * b[k][v];
      }
#pragma GCC unroll 4
      for (int v = 0; v < Across; ++v) {
        bool const edge = Edge && v == Across - 1;
        V result = alpha * sum[v];
        R* const to = c + v * step;
        if (reads) {
          V old = beta * (edge ? load_first<S>(to, last) : load<S>(to));
          if constexpr (Edge) {
            rounded_first(old, sum[v]);
          } else {
            old = rounded(old);
          }
          result = share * sum[v] + old;
        }
        if (edge) {
          store_first<S>(to, result, last);
        } else {
          store<S>(to, result);
        }
      }
      a += a_rs;
      c += c_rs;
    }
  }
};

}  // namespace pantile::impl::arch
