// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products with few rows: B is much larger than A and C, so it is read once, in long contiguous chunks, and
///        never packed. The sums are kept in workspace.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/short_b.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/skinny_dots.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/transposed_c.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch {

template <class S, class R, bool Complex>
struct GemmSkinny {
  using V = Register<S, R>;
  using Call = GemmCall<R>;
  static constexpr int parts = Complex ? 2 : 1;
  static constexpr int step = lanes<S, R>;

  /// B's rows are contiguous: they are added to sums in workspace.
  static void by_rows(Call const& call) { run<true>(call); }
  /// B's columns are contiguous: dot products, each split over the lanes of registers.
  static void by_dots(Call const& call) { run<false>(call); }
  /// The same for few columns: A's columns are contiguous, or its rows.
  static void by_rows_of_transpose(Call const& call) { by_rows(transposed(call)); }
  static void by_dots_of_transpose(Call const& call) { by_dots(transposed(call)); }

  /// by_dots in two steps, for few columns and k up to gemm_chain, where products have A in common: A goes to
  /// call.m * call.k numbers.
  static void hold(Call const& call, R* held) { Dots::hold(call, 0, call.k, call.k, held); }
  static void by_held(Call const& call, R const* held) {
    R sums[SkinnyBlocks::rows * most_held_cols] = {};
    Dots::add(call, call.k, call.n, held, call.k, call.b, sums);
    finish<false>(call, 0, call.n, sums);
  }
  static constexpr Index most_held_cols = host::most_held_cols;

 private:
  using Dots = GemmDots<S, R, Complex>;

  template <bool Rows>
  static PANTILE_INLINE void run(Call const& call) {
    Index const number_rows = call.m * parts;
    Index const held_cols = SkinnyBlocks::cols(number_rows, sizeof(R), call.n * parts);
    Index const held_depth = SkinnyBlocks::depth(number_rows, call.k * parts);
    R* const totals = static_cast<R*>(call.workspace);
    R* const sums = totals + number_rows * held_cols;
    R* const a = sums + number_rows * held_cols;
    Index const block = held_cols / parts;
    Index const step_k = (Rows ? SkinnyBlocks::rows_depth : held_depth) / parts;
    for (Index j = 0; j < call.n; j += block) {
      Index const cols = smaller(block, call.n - j);
      Index const count = call.m * cols * parts * (Rows ? parts : 1);
      for (Index i = 0; i < count; ++i) totals[i] = R(0);
      for (Index p = 0; p < call.k; p += step_k) {
        Index const depth = smaller(step_k, call.k - p);
        R const* const b = call.b + (p * call.b_rs + j * call.b_cs) * parts;
        if constexpr (Rows) {
          if (GemmShortB<S, R, Complex>::takes(call)) {
            GemmShortB<S, R, Complex>::add(call, p, depth, cols, b, totals);
            continue;
          }
          for (Index i = 0; i < count; ++i) sums[i] = R(0);
          hold_broadcasts(call, p, depth, a);
          add_rows(call, depth, cols, a, b, sums);
          for (Index i = 0; i < count; ++i) totals[i] += sums[i];
        } else {
          bool const in_place = Dots::reads_in_place(call);
          if (!in_place) Dots::hold(call, p, depth, held_depth, a);
          Dots::add(call, depth, cols, in_place ? call.a + p * parts : a, in_place ? call.a_rs * parts : held_depth, b,
                    totals);
        }
      }
      finish<Rows>(call, j, cols, totals);
    }
  }

  // --- B's rows are contiguous: sums (row of numbers of A, numbers of B's row) -------------------------------------

  static constexpr int batch = host::skinny_streams;  // rows of B at a time

  /// A as a[(k / batch) (rows) + r][k % batch], padded with zeroes to whole batches that are never read.
  static PANTILE_INLINE void hold_broadcasts(Call const& call, Index p, Index depth, R* a) {
    Index const rows = call.m * parts;
    for (Index k = 0; k < depth; ++k) {
      R const* const from = call.a + (p + k) * call.a_cs * parts;
      for (Index r = 0; r < rows; ++r) {
        a[(k / batch * rows + r) * batch + k % batch] = from[r / parts * call.a_rs * parts + r % parts];
      }
    }
  }

  static PANTILE_INLINE void add_rows(Call const& call, Index depth, Index cols, R const* a, R const* b, R* sums) {
    with_constant<1, SkinnyBlocks::rows>(call.m * parts,
                                         [&]<int Rows>() { add_some_rows<Rows>(call, depth, cols, a, b, sums); });
  }

  template <int Rows>
  static __attribute__((noinline)) void add_some_rows(Call const& call, Index depth, Index cols, R const* a, R const* b,
                                                      R* sums) {
    Index const b_rs = call.b_rs * parts, numbers = cols * parts;
    bool const far = call.hints.prefetches, asks = Rows > 1 && far;
    Index k = 0;
    if constexpr (Rows == 1) {  // more streams, which the hardware follows by itself
      for (; far && k + 2 * batch <= depth; k += 2 * batch) {
        add_batch<Rows, 2 * batch>(numbers, a + k, b + k * b_rs, b_rs, false, sums);
      }
    }
    for (; k + batch <= depth; k += batch) {
      add_batch<Rows, batch>(numbers, a + k * Rows, b + k * b_rs, b_rs, asks, sums);
    }
    for (; k < depth; ++k) {
      add_batch<Rows, 1>(numbers, a + k / batch * batch * Rows + k % batch, b + k * b_rs, b_rs, asks, sums);
    }
  }

  /// Batch rows of B, all columns: each sum takes its products in rising k.
  template <int Rows, int Batch>
  static PANTILE_INLINE void add_batch(Index numbers, R const* a, R const* b, Index b_rs, bool asks, R* sums) {
    constexpr int across = Rows == 1 ? 4 : 2;
    Index j = 0;
    for (; j + across * step <= numbers; j += across * step) {
      V row[Batch][across];
#pragma GCC unroll 8
      for (int k = 0; k < Batch; ++k) {
#pragma GCC unroll 4
        for (int v = 0; v < across; ++v) row[k][v] = load<S>(b + k * b_rs + j + v * step);
        // Short chunks of rows: the hardware does not prefetch the next ones. It does prefetch long ones from a cache.
        R const* const next = b + (k + Batch) * b_rs + j;
        if (Rows > 2 || asks) __builtin_prefetch(next);
        if (asks) __builtin_prefetch(next + step);
      }
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) {
        V sum[across];
#pragma GCC unroll 4
        for (int v = 0; v < across; ++v) sum[v] = load<S>(sums + r * numbers + j + v * step);
#pragma GCC unroll 8
        for (int k = 0; k < Batch; ++k) {
          V const left = broadcast<S>(a[r * batch + k]);
#pragma GCC unroll 4
          for (int v = 0; v < across; ++v) sum[v] += left * row[k][v];
        }
#pragma GCC unroll 4
        for (int v = 0; v < across; ++v) store<S>(sums + r * numbers + j + v * step, sum[v]);
      }
    }
    for (; j < numbers; j += step) {
      int const count = static_cast<int>(smaller(step, numbers - j));
      V row[Batch];
#pragma GCC unroll 4
      for (int k = 0; k < Batch; ++k) row[k] = load_first<S>(b + k * b_rs + j, count);
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) {
        R* const at = sums + r * numbers + j;
        V sum = load_first<S>(at, count);
#pragma GCC unroll 4
        for (int k = 0; k < Batch; ++k) sum += broadcast<S>(a[r * batch + k]) * row[k];
        store_first<S>(at, sum, count);
      }
    }
  }

  // --- C = alpha sums + beta C ---------------------------------------------------------------------------------------

  template <bool Rows>
  static PANTILE_INLINE void finish(Call const& call, Index j0, Index cols, R* sums) {
    if constexpr (!Complex) {
      if (call.c_rs == 1 && call.c_cs != 1 && call.m > 1 && !call.reads_c) {
        for (Index i = 0; i < call.m * cols; ++i) sums[i] *= call.alpha[0];
        GemmTransposedC<S, R>::store_columns(sums, cols, static_cast<int>(call.m), cols, call.c + j0 * call.c_cs,
                                             call.c_cs);
        return;
      }
    }
    for (Index i = 0; i < call.m; ++i) {
      R* const c = call.c + (i * call.c_rs + j0 * call.c_cs) * parts;
      R* const row = sums + i * parts * cols * (Complex && !Rows ? 1 : parts);
      if constexpr (Complex) {
        for (Index j = 0; j < cols; ++j) finish_complex<Rows>(call, row + 2 * j, cols, c + 2 * j * call.c_cs);
      } else {
        finish_row(call, cols, row, c);
      }
    }
  }

  /// In two passes, so that alpha's product is rounded before beta's is fused with it, in registers or not.
  static PANTILE_INLINE void finish_row(Call const& call, Index cols, R* row, R* c) {
    R const alpha = call.alpha[0], beta = call.beta[0];
    for (Index j = 0; j < cols; ++j) row[j] *= alpha;
    if (call.c_cs == 1 && !call.reads_c) {
      for (Index j = 0; j < cols; ++j) c[j] = row[j];
    } else if (call.c_cs == 1) {
      for (Index j = 0; j < cols; ++j) c[j] = row[j] + beta * c[j];
    } else {
      for (Index j = 0; j < cols; ++j) c[j * call.c_cs] = call.reads_c ? row[j] + beta * c[j * call.c_cs] : row[j];
    }
  }

  template <bool Rows>
  static PANTILE_INLINE void finish_complex(Call const& call, R const* sum, Index cols, R* c) {
    R re = sum[0], im = sum[1];
    if constexpr (Rows) {
      // Re(A) B and Im(A) B, as in the epilogue of the tiles.
      R const sign = call.conj_a != call.conj_b ? -R(1) : R(1);
      R const* const q = sum + 2 * cols;
      re -= sign * q[1];
      im += sign * q[0];
      if (call.conj_b) im = -im;
    }
    R result_re = rounded(call.alpha[0] * re) - rounded(call.alpha[1] * im);
    R result_im = rounded(call.alpha[0] * im) + rounded(call.alpha[1] * re);
    if (call.reads_c) {
      result_re += rounded(call.beta[0] * c[0]) - rounded(call.beta[1] * c[1]);
      result_im += rounded(call.beta[0] * c[1]) + rounded(call.beta[1] * c[0]);
    }
    c[0] = result_re;
    c[1] = result_im;
  }
};

}  // namespace pantile::impl::arch
