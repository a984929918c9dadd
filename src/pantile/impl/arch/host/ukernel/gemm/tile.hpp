// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The register tile of the blocked matmul: its size, the arguments of a micro-kernel, and how its sums are
///        stored.

#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch {

/// Rows and registers across of the largest register tile: sums, one row of B and a broadcast fit the register file.
template <class S, class R>
struct GemmTile {
  static constexpr bool wide = S::registers >= 32;
  static constexpr bool emulated = sizeof(R) == 8 && R(1) / R(2) == R(0);  // 64-bit integer products take temporaries
  static constexpr bool fused = S::bytes > 16 || wide;                     // else products need a register too
  static constexpr int vecs = emulated ? 1 : wide ? 3 : 2;
  static constexpr int rows = emulated ? 4 : wide ? 8 : fused ? 6 : 4;
  /// Rows of a tile that is one register wide, A not packed (perf_tests/notes/matmul.md).
  static constexpr int single_rows = emulated ? 4 : wide ? 12 : 8;
  static constexpr int cols = vecs * lanes<S, R>;
  /// A tile for C that is four registers wide: it reads whole rows of a B where it lies. Of double: float lost by it
  /// (perf_tests/notes/batches.md).
  static constexpr bool has_broad = wide && !emulated && sizeof(R) == 8;
  static constexpr int broad_vecs = 4, broad_rows = 6;
  /// Tiles that end with half a register, of 256 bits, see uneven.hpp; rows of the highest of them, by full registers
  /// across.
  static constexpr bool has_uneven = wide && S::bytes == 64 && R(1) / R(2) != R(0);
  static constexpr int most_uneven = 2;
  static constexpr int uneven_rows(int full) { return full == 1 ? single_rows : rows; }
};

/// What becomes of a tile's sums: C = alpha sum + beta C. Complex factors are kept as whole registers: made once per
/// product, not once per tile.
template <class R>
struct GemmUpdate {
  static constexpr int most_lanes = 64 / static_cast<int>(sizeof(R));
  /// x, y, x, y ...
  struct Pairs {
    R values[most_lanes];
    PANTILE_INLINE void set(R x, R y) {
      for (int i = 0; i < most_lanes; i += 2) {
        values[i] = x;
        values[i + 1] = y;
      }
    }
  };
  R alpha[2], beta[2];
  bool reads_c;
  Pairs times_i, flip, alpha_im, beta_im;  // complex elements only
};

/// With P = Re(A) B and Q = Im(A) B: A B = P + iQ, conj(A) B = P - iQ, A conj(B) = conj(P - iQ), and so on.
template <bool Complex, class R>
PANTILE_INLINE GemmUpdate<R> update_of(GemmCall<R> const& call) {
  GemmUpdate<R> update;
  update.alpha[0] = call.alpha[0];
  update.beta[0] = call.beta[0];
  update.reads_c = call.reads_c;
  if constexpr (Complex) {
    R const sign = call.conj_a != call.conj_b ? R(1) : -R(1);
    update.alpha[1] = call.alpha[1];
    update.beta[1] = call.beta[1];
    update.alpha_im.set(-call.alpha[1], call.alpha[1]);
    update.beta_im.set(-call.beta[1], call.beta[1]);
    update.times_i.set(sign, -sign);
    update.flip.set(R(1), call.conj_b ? -R(1) : R(1));
  }
  return update;
}

/// Operands of a micro-kernel. Strides in R; a complex row of A is a_rs apart from the next one. No neighbours here are
/// neighbours in GemmCall: GCC would copy both at once, and wait for two numbers that have just been stored one by one.
template <class R>
struct GemmTileCall {
  Index k;
  R const* a;
  R const* b;
  R* c;
  Index a_rs, b_rs, c_rs, a_cs;
  Index a_ahead;          ///< Prefetch::down: how far from the elements of A to prefetch others
  bool prefetch_c_lines;  ///< C's lines are prefetched: they come from beyond the second-level cache
  Index c_ahead;          ///< how far further along C's rows to do so, for the tiles to come; 0: this tile
  char const* soon;       ///< what to prefetch meanwhile. packed: a part of the next panel of B, a line for four steps;
                          ///< Prefetch::soon: a line with each step
  int last;  ///< elements of R in the last register of a row: fewer than a register's lanes at the right edge
};

/// The first tile of a product of numbers whose operands are in caches and read where they lie, but for `last`.
template <class R>
PANTILE_INLINE GemmTileCall<R> in_place_tile(GemmCall<R> const& call) {
  GemmTileCall<R> tile;
  tile.k = call.k;
  tile.a = call.a;
  tile.a_rs = call.a_rs;
  tile.a_cs = call.a_cs;
  tile.b = call.b;
  tile.b_rs = call.b_rs;
  tile.c = call.c;
  tile.c_rs = call.c_rs;
  tile.prefetch_c_lines = false;
  return tile;
}

/// What is prefetched by hand, because it comes from beyond the second-level cache.
enum class Prefetch {
  none,
  soon,   ///< what later products of a batch read; C of few columns: the next rows of A
  down,   ///< few columns: rows of A, which are many streams that end with every page, and B
  across  ///< few rows: further along the rows of B and C, which lie in pages of their own
};

}  // namespace pantile::impl::arch
