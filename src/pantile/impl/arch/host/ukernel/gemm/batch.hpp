// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What products of a batch have in common: the next ones are fetched meanwhile; and interleaved ones, whose
///         elements of one place lie side by side, are computed a register of problems at a time.

#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/tile.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch {

/// \brief  Fetches what the products to come read, a few lines at a time: so many that all of it has been asked for
///         when it is wanted. Of operands that follow each other; others would take more lines than they are worth.
template <class R>
class BatchAhead {
 public:
  /// \param  steps  in which a product is computed
  BatchAhead(GemmCall<R> const& call, GemmBatch const& batch, Index steps)
      : m_a(of(call.a, call.m * call.k, batch.a_step, steps)), m_b(of(call.b, call.k * call.n, batch.b_step, steps)) {}

  /// With each step.
  PANTILE_INLINE void operator()() {
    fetch(m_a);
    fetch(m_b);
  }

 private:
  static constexpr Index line = 64 / static_cast<Index>(sizeof(R)), least = 2048 / static_cast<Index>(sizeof(R));
  struct Stream {
    R const* next;
    Index size;  ///< of a step's part, in whole lines
  };
  static Stream of(R const* data, Index size, Index step, Index steps) {
    if (step < size || step > 2 * size) return {data, 0};
    return {data + (least + step - 1) / step * step, ((step + steps - 1) / steps + line - 1) / line * line};
  }
  static PANTILE_INLINE void fetch(Stream& stream) {
    for (Index i = 0; i < stream.size; i += line) __builtin_prefetch(stream.next + i);
    stream.next += stream.size;
  }

  Stream m_a, m_b;
};

/// \brief  C_p = alpha A_p B_p + beta C_p where elements of the problems p lie side by side (steps of one), or are one
///         for all (zero; not C's). Sums and last step are those of register tiles, for k up to gemm_chain.
template <class S, class R>
struct GemmInterleaved {
  using V = Register<S, R>;
  using Call = GemmCall<R>;
  static constexpr Index step = lanes<S, R>;
  static constexpr int rows = 4, cols = GemmTile<S, R>::wide ? 4 : 2;

  static void run(Call const& call, GemmBatch const& batch) {
    for (Index p = 0; p < batch.count; p += step) {
      for (Index i = 0; i < call.m; i += rows) {
        for (Index j = 0; j < call.n; j += cols) tile_of(call, batch, p, i, j);
      }
    }
  }

 private:
  template <bool Whole>
  static PANTILE_INLINE V take(R const* from, Index apart, int count) {
    if (apart == 0) return broadcast<S>(*from);
    if constexpr (Whole) return load<S>(from);
    return load_first<S>(from, count);
  }

  /// The tile from (i, j) on of a register of problems, or of the last ones.
  static PANTILE_INLINE void tile_of(Call const& call, GemmBatch const& batch, Index problem, Index i, Index j) {
    Call some = call;
    some.a += problem * batch.a_step;
    some.b += problem * batch.b_step;
    some.c += problem;
    if (Index const left = batch.count - problem; left < step) {
      part<false>(some, batch, static_cast<int>(left), i, j);
    } else if (i + rows <= call.m && j + cols <= call.n) {
      tile<true, rows, cols>(some, batch, step, i, j);
    } else {
      part<true>(some, batch, step, i, j);
    }
  }
  /// The same by single elements, to C's edges.
  template <bool Whole>
  static __attribute__((noinline)) void part(Call const& call, GemmBatch const& batch, int count, Index i, Index j) {
    for (Index r = i; r < call.m && r < i + rows; ++r) {
      for (Index c = j; c < call.n && c < j + cols; ++c) tile<Whole, 1, 1>(call, batch, count, r, c);
    }
  }

  template <bool Whole, int Rows, int Cols>
  static PANTILE_INLINE void tile(Call const& call, GemmBatch const& batch, int count, Index i, Index j) {
    V sum[Rows][Cols] = {};
    R const* a = call.a + i * call.a_rs;
    R const* b = call.b + j * call.b_cs;
    for (Index k = call.k; k > 0; --k) {
      V row[Cols];
#pragma GCC unroll 4
      for (int c = 0; c < Cols; ++c) row[c] = take<Whole>(b + c * call.b_cs, batch.b_step, count);
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) {
        V const element = take<Whole>(a + r * call.a_rs, batch.a_step, count);
#pragma GCC unroll 4
        for (int c = 0; c < Cols; ++c) sum[r][c] += element * row[c];
      }
      a += call.a_cs;
      b += call.b_rs;
    }
    V const alpha = broadcast<S>(call.alpha[0]);
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
      for (int c = 0; c < Cols; ++c) {
        R* const to = call.c + (i + r) * call.c_rs + (j + c) * call.c_cs;
        V result = rounded(alpha) * sum[r][c];
        if (call.reads_c) {
          V const old = rounded(broadcast<S>(call.beta[0]) * take<Whole>(to, 1, count));
          result = rounded(alpha) * sum[r][c] + old;
        }
        if constexpr (Whole) {
          store<S>(to, result);
        } else {
          store_first<S>(to, result, count);
        }
      }
    }
  }
};

}  // namespace pantile::impl::arch
