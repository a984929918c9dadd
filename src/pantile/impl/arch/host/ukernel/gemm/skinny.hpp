// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products with few rows: B is far larger than what is computed from it, so it is read once, in long
///        contiguous pieces, and never packed. The sums wait in workspace.

#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/short_b.hpp>
#include <pantile/impl/arch/host/ukernel/shuffle.hpp>

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

  /// The latter in two steps, for few columns and k up to gemm_chain, where products have A in common: A goes to
  /// call.m * call.k numbers.
  static void hold(Call const& call, R* held) { hold_rows(call, 0, call.k, call.k, held); }
  static void by_held(Call const& call, R const* held) {
    R sums[SkinnyBlocks::rows * most_held_cols] = {};
    add_dots(call, call.k, call.n, held, call.k, call.b, sums);
    finish<false>(call, 0, call.n, sums);
  }
  static constexpr Index most_held_cols = 16;

 private:
  template <bool Rows>
  static PANTILE_INLINE void run(Call const& call) {
    Index const number_rows = call.m * parts;
    Index const held_cols = SkinnyBlocks::cols(number_rows, sizeof(R), call.n * parts);
    Index const held_depth = SkinnyBlocks::depth(number_rows, call.k * parts);
    R* const totals = static_cast<R*>(call.workspace);
    R* const sums = totals + number_rows * held_cols;
    R* const a = sums + number_rows * held_cols;
    Index const block = held_cols / parts;
    // One or two rows of A do not meet in a set of a first-level cache.
    [[maybe_unused]] bool const as_they_lie = call.a_cs == 1 && call.m <= 2;
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
          if (as_they_lie) {
            add_dots(call, depth, cols, call.a + p * parts, call.a_rs * parts, b, totals);
          } else {
            hold_rows(call, p, depth, held_depth, a);
            add_dots(call, depth, cols, a, held_depth, b, totals);
          }
        }
      }
      finish<Rows>(call, j, cols, totals);
    }
  }

  static PANTILE_INLINE constexpr Index smaller(Index a, Index b) { return a < b ? a : b; }

  // --- B's rows are contiguous: sums (row of numbers of A, numbers of B's row) -------------------------------------

  static constexpr int batch = 4;  // rows of B at a time

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
    switch (call.m * parts) {
      case 1: return add_some_rows<1>(call, depth, cols, a, b, sums);
      case 2: return add_some_rows<2>(call, depth, cols, a, b, sums);
      case 3: return add_some_rows<3>(call, depth, cols, a, b, sums);
      case 4: return add_some_rows<4>(call, depth, cols, a, b, sums);
      case 5: return add_some_rows<5>(call, depth, cols, a, b, sums);
      case 6: return add_some_rows<6>(call, depth, cols, a, b, sums);
      case 7: return add_some_rows<7>(call, depth, cols, a, b, sums);
      default: return add_some_rows<8>(call, depth, cols, a, b, sums);
    }
  }

  template <int Rows>
  static __attribute__((noinline)) void add_some_rows(Call const& call, Index depth, Index cols, R const* a, R const* b,
                                                      R* sums) {
    Index const b_rs = call.b_rs * parts, numbers = cols * parts;
    Index k = 0;
    for (; k + batch <= depth; k += batch) {
      add_batch<Rows, batch>(numbers, a + k * Rows, b + k * b_rs, b_rs, sums);
    }
    for (; k < depth; ++k) {
      add_batch<Rows, 1>(numbers, a + k / batch * batch * Rows + k % batch, b + k * b_rs, b_rs, sums);
    }
  }

  /// Batch rows of B, all columns: each sum takes its products in rising k.
  template <int Rows, int Batch>
  static PANTILE_INLINE void add_batch(Index numbers, R const* a, R const* b, Index b_rs, R* sums) {
    constexpr int across = 2;
    Index j = 0;
    for (; j + across * step <= numbers; j += across * step) {
      V row[Batch][across];
#pragma GCC unroll 4
      for (int k = 0; k < Batch; ++k) {
#pragma GCC unroll 2
        for (int v = 0; v < across; ++v) row[k][v] = load<S>(b + k * b_rs + j + v * step);
        // Short pieces of rows: the hardware does not see the next ones coming. It does see long ones, and then
        // prefetch only takes its place.
        if constexpr (Rows > 2) __builtin_prefetch(b + (k + Batch) * b_rs + j, 0, 2);
      }
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) {
        V sum[across];
#pragma GCC unroll 2
        for (int v = 0; v < across; ++v) sum[v] = load<S>(sums + r * numbers + j + v * step);
#pragma GCC unroll 4
        for (int k = 0; k < Batch; ++k) {
          V const left = broadcast<S>(a[r * batch + k]);
#pragma GCC unroll 2
          for (int v = 0; v < across; ++v) sum[v] += left * row[k][v];
        }
#pragma GCC unroll 2
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

  // --- B's columns are contiguous: dot products ---------------------------------------------------------------------

  /// Rows of numbers that take turns in memory, all of them at once.
  template <int Rows>
  static __attribute__((noinline)) void part_rows(R const* from, Index depth, Index held_depth, R* a) {
    for (Index k = 0; k < depth; ++k) {
      for (int r = 0; r < Rows; ++r) a[r * held_depth + k] = from[k * Rows + r];
    }
  }

  /// Rows of A one after the other, contiguous.
  static PANTILE_INLINE void hold_rows(Call const& call, Index p, Index depth, Index held_depth, R* a) {
    if (!Complex && call.a_rs == 1 && call.a_cs == call.m) {
      R const* const from = call.a + p * call.a_cs;
      if (call.m == 2) return part_rows<2>(from, depth, held_depth, a);
      if (call.m == 4) return part_rows<4>(from, depth, held_depth, a);
      if (call.m == 8) return part_rows<8>(from, depth, held_depth, a);
    }
    for (Index r = 0; r < call.m; ++r) {
      R const* const from = call.a + (r * call.a_rs + p * call.a_cs) * parts;
      for (Index k = 0; k < depth; ++k) {
        for (int part = 0; part < parts; ++part)
          a[r * held_depth + k * parts + part] = from[k * call.a_cs * parts + part];
      }
    }
  }

  /// \brief  Four columns of B at a time, eight where they are short, from top to bottom, in pieces that stay in a near
  ///         cache while all rows of A pass: four streams that the hardware sees coming. Each lane of a sum is one
  ///         chain within a piece.
  static PANTILE_INLINE void add_dots(Call const& call, Index depth, Index cols, R const* a, Index held_depth,
                                      R const* b, R* sums) {
    // Short columns in a near cache: more sums at a time, each of which waits for its lanes to be added up.
    if (16 * parts <= S::registers / 2 && depth <= 32 * step)
      return add_groups<8>(call, depth, cols, a, held_depth, b, sums);
    add_groups<4>(call, depth, cols, a, held_depth, b, sums);
  }

  template <int Across>
  static PANTILE_INLINE void add_groups(Call const& call, Index depth, Index cols, R const* a, Index held_depth,
                                        R const* b, R* sums) {
    // Sums of four columns: twelve registers, complex ones eight; of eight columns: sixteen.
    constexpr int across = Across, down = Complex ? 1 : Across > 4 ? 2 : 3;
    Index const piece = (call.m > 2 ? 512 : 1024) / parts, groups = (call.m + down - 1) / down;
    for (Index j = 0; j < cols; j += across) {
      Index const here = smaller(across, cols - j);
      R* const to = sums + j * parts;
      for (Index k = 0; k < depth; k += piece) {
        Index const steps = smaller(piece, depth - k);
        R const* const from = b + (k * call.b_rs + j * call.b_cs) * parts;
        Index r = 0;
        for (Index group = 0; group < groups; ++group) {
          Index const rows = call.m / groups + (group < call.m % groups ? 1 : 0);
          R const* const left = a + r * held_depth + k * parts;
          R* const total = to + r * cols * parts;
          r += rows;
          if (here < across) {
            for (Index i = 0; i < rows * here; ++i) {
              dots<1, 1>(call, steps, left + i / here * held_depth, held_depth, from + i % here * call.b_cs * parts,
                         total + (i / here * cols + i % here) * parts, cols);
            }
          } else if (rows == down) {
            dots<down, across>(call, steps, left, held_depth, from, total, cols);
          } else if (rows == 2) {
            dots<(down + 1) / 2, across>(call, steps, left, held_depth, from, total, cols);
          } else {
            dots<1, across>(call, steps, left, held_depth, from, total, cols);
          }
        }
      }
    }
  }

  /// Rows x Cols dot products. Complex ones sum re re, im im and re im, im re in the lanes of two registers.
  template <int Rows, int Cols>
  static __attribute__((noinline)) void dots(Call const& call, Index depth, R const* a, Index held_depth, R const* b,
                                             R* sums, Index sums_rs) {
    V sum[Rows][Cols][parts] = {};
    Index const numbers = depth * parts, b_cs = call.b_cs * parts;
    Index k = 0;
    for (; k + step <= numbers; k += step) {
      V row[Rows];
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) row[r] = load<S>(a + r * held_depth + k);
#pragma GCC unroll 8
      for (int c = 0; c < Cols; ++c) add_products<Rows, Cols>(row, load<S>(b + c * b_cs + k), c, sum);
    }
    if (k < numbers) {
      int const count = static_cast<int>(numbers - k);
      V row[Rows];
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) row[r] = load_first<S>(a + r * held_depth + k, count);
#pragma GCC unroll 8
      for (int c = 0; c < Cols; ++c) add_products<Rows, Cols>(row, load_first<S>(b + c * b_cs + k, count), c, sum);
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
      for (int c = 0; c < Cols; ++c) add_lanes(call, sum[r][c], sums + (r * sums_rs + c) * parts);
    }
  }

  template <int Rows, int Cols>
  static PANTILE_INLINE void add_products(V const (&row)[Rows], V const& column, int c, V (&sum)[Rows][Cols][parts]) {
    V turned = column;
    if constexpr (Complex) turned = swap_pairs<S, R>(column);
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) {
      sum[r][c][0] += row[r] * column;
      if constexpr (Complex) sum[r][c][1] += row[r] * turned;
    }
  }

  /// Complex sums are put together here, conjugations included.
  static PANTILE_INLINE void add_lanes(Call const& call, V const (&sum)[parts], R* total) {
    if constexpr (Complex) {
      V const same = folded<2, S, R>(sum[0]), other = folded<2, S, R>(sum[1]);
      R const re_re = same[0], im_im = same[1], re_im = other[0], im_re = other[1];
      total[0] += call.conj_a == call.conj_b ? re_re - im_im : re_re + im_im;
      total[1] += (call.conj_b ? -re_im : re_im) + (call.conj_a ? -im_re : im_re);
    } else {
      *total += folded<1, S, R>(sum[0])[0];
    }
  }

  // --- C = alpha sums + beta C ---------------------------------------------------------------------------------------

  template <bool Rows>
  static PANTILE_INLINE void finish(Call const& call, Index j0, Index cols, R* sums) {
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
