// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Few rows times a B with contiguous columns: dot products, each split over the lanes of registers.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/shuffle.hpp>

namespace pantile::impl::arch {

template <class S, class R, bool Complex>
struct GemmDots {
  using V = Register<S, R>;
  using Call = GemmCall<R>;
  static constexpr int parts = Complex ? 2 : 1;
  static constexpr int step = lanes<S, R>;

  /// Is A read where it lies? More than two rows of it that map to one set of a first-level cache are held elsewhere.
  static PANTILE_INLINE bool reads_in_place(Call const& call) {
    return call.a_cs == 1 &&
           (call.m <= 2 || call.a_rs * parts * static_cast<Index>(sizeof(R)) % host::alias_bytes != 0);
  }

  /// Rows of A one after the other, contiguous.
  static PANTILE_INLINE void hold(Call const& call, Index p, Index depth, Index held_depth, R* a) {
    if (!Complex && call.a_rs == 1 && call.m > 1 && call.m <= SkinnyBlocks::rows) {
      return with_constant<2, SkinnyBlocks::rows>(
          call.m, [&]<int Rows>() { part_rows<Rows>(call.a + p * call.a_cs, call.a_cs, depth, held_depth, a); });
    }
    for (Index r = 0; r < call.m; ++r) {
      R const* const from = call.a + (r * call.a_rs + p * call.a_cs) * parts;
      if (call.a_cs == 1) {
        __builtin_memcpy(a + r * held_depth, from, static_cast<std::size_t>(depth * parts) * sizeof(R));
        continue;
      }
      for (Index k = 0; k < depth; ++k) {
        for (int part = 0; part < parts; ++part)
          a[r * held_depth + k * parts + part] = from[k * call.a_cs * parts + part];
      }
    }
  }

  /// \brief  Four columns of B at a time, or eight, from top to bottom, in pieces that stay in a first-level cache
  ///         while all rows of A pass: streams that the hardware sees coming. Each lane of a sum is one chain within a
  ///         piece.
  static PANTILE_INLINE void add(Call const& call, Index depth, Index cols, R const* a, Index held_depth, R const* b,
                                 R* sums) {
    Dots const of{.call = call,
                  .depth = depth,
                  .a = a,
                  .held_depth = held_depth,
                  .b = b,
                  .sums = sums,
                  .cols = cols,
                  .piece = (call.m > 2 ? host::dots_numbers : host::dots_numbers_of_two) / parts};
    Index j = 0;
    // Short columns: more sums at a time, each of which waits for its lanes to be added up. One row by columns that a
    // near cache does not hold: more streams, where they do not map to one set.
    bool const streams = call.m == 1 && call.hints.prefetches &&
                         call.b_cs * parts * static_cast<Index>(sizeof(R)) % host::alias_bytes != 0;
    if (16 * parts <= S::registers / 2 && (depth <= host::short_dots_registers * step || streams)) {
      for (; j + 8 <= cols; j += 8) add_columns<8>(of, j);
    }
    for (; j + 4 <= cols; j += 4) add_columns<4>(of, j);
    with_constant<1, 3>(cols - j, [&]<int Across>() { add_columns<Across>(of, j); });
  }

 private:
  /// Neighbours of rows in memory, all of them at once.
  template <int Rows>
  static __attribute__((noinline)) void part_rows(R const* from, Index apart, Index depth, Index held_depth, R* a) {
    for (Index k = 0; k < depth; ++k) {
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) a[r * held_depth + k] = from[k * apart + r];
    }
  }

  /// Rows of A that are held, columns of B as they lie, sums in rows of `cols`; and the depth taken at a time.
  struct Dots {
    Call const& call;
    Index depth;
    R const* a;
    Index held_depth;
    R const* b;
    R* sums;
    Index cols, piece;
  };

  template <int Across>
  static PANTILE_INLINE void add_columns(Dots const& of, Index j) {
    // Sums of four columns: twelve registers, complex ones eight; of eight columns: twenty-four.
    constexpr int down = Complex ? 1 : 3;
    for (Index p = 0; p < of.depth; p += of.piece) {
      for (Index i = 0; i < of.call.m;) {
        Index const left = of.call.m - i, rows = left <= down ? left : left < 2 * down ? (left + 1) / 2 : down;
        if (rows == down) {
          dots<down, Across>(of, i, j, p);
        } else if (rows == 2) {
          dots<(down + 1) / 2, Across>(of, i, j, p);
        } else {
          dots<1, Across>(of, i, j, p);
        }
        i += rows;
      }
    }
  }

  /// Rows x Cols dot products of a piece. The first of several rows prefetch what comes next: from memory the
  /// hardware's own prefetches would be late, but they serve one row better.
  template <int Rows, int Cols>
  static PANTILE_INLINE void dots(Dots const& of, Index i, Index j, Index p) {
    if (Rows * parts > 1 && of.call.hints.prefetches && i == 0 && of.call.m > 1)
      return dots<Rows, Cols, true>(of, i, j, p);
    dots<Rows, Cols, false>(of, i, j, p);
  }
  /// Complex ones sum re re, im im and re im, im re in the lanes of two registers. Operands are found here: a pointer
  /// that the caller keeps in a vector register would wait for all products of the piece before.
  template <int Rows, int Cols, bool Prefetches>
  static __attribute__((noinline)) void dots(Dots const& of, Index i, Index j, Index p) {
    Call const& call = of.call;
    Index const numbers = smaller(of.piece, of.depth - p) * parts, b_cs = call.b_cs * parts, held_depth = of.held_depth;
    R const* const a = of.a + i * held_depth + p * parts;
    R const* const b = of.b + p * parts + j * b_cs;
    R* const sums = of.sums + (i * of.cols + j) * parts;
    [[maybe_unused]] Index const ahead = p + of.piece < of.depth ? numbers : Cols * b_cs - p * parts;
    V sum[Rows][Cols][parts] = {};
    Index k = 0;
    // Of few sums counting would take as long as the products.
#pragma GCC unroll 2
    for (; k + step <= numbers; k += step) {
      V row[Rows];
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) row[r] = load<S>(a + r * held_depth + k);
#pragma GCC unroll 8
      for (int c = 0; c < Cols; ++c) {
        R const* const at = b + c * b_cs + k;
        if constexpr (Prefetches) __builtin_prefetch(at + ahead);
        add_products<Rows, Cols>(row, load<S>(at), c, sum);
      }
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
      R* const total = sums + r * of.cols * parts;
      if constexpr (Complex || Cols < 4) {
#pragma GCC unroll 8
        for (int c = 0; c < Cols; ++c) add_lanes(call, sum[r][c], total + c * parts);
      } else {
        constexpr int together = Cols < step ? Cols : step;
        using Part = PartOf<S, together* static_cast<int>(sizeof(R))>;
#pragma GCC unroll 8
        for (int c = 0; c < Cols; c += together) {
          V const all = lane_sums<together, S, R>(sum[r][c]);
          store<Part>(total + c, load<Part>(total + c) + part_of<R, Part::bytes, 0, S::bytes>(all));
        }
      }
    }
  }

  template <int Rows, int Cols>
  static PANTILE_INLINE void add_products(V const (&row)[Rows], V const& column, int c, V (&sum)[Rows][Cols][parts]) {
    V swapped = column;
    if constexpr (Complex) swapped = swap_pairs<S, R>(column);
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) {
      sum[r][c][0] += row[r] * column;
      if constexpr (Complex) sum[r][c][1] += row[r] * swapped;
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
};

}  // namespace pantile::impl::arch
