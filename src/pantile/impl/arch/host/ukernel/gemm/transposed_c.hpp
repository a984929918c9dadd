// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Register tiles of few rows for a C with contiguous columns: sums formed beside C, transposed in registers.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/shuffle.hpp>

namespace pantile::impl::arch {

/// Rows of numbers, transposed by squares of up to eight.
template <class S, class R>
struct GemmTransposedC {
  static constexpr int step = lanes<S, R>, rows = 8;
  static constexpr Index most_cols = host::most_tiny_edge;

  /// \param  call  with contiguous columns of C, at most most_cols of them
  /// \param  tiny  computes a call, to a C whose rows are contiguous
  template <class Tiny>
  static PANTILE_INLINE void run(GemmCall<R> call, Tiny const& tiny) {
    alignas(64) R window[rows * most_cols];
    Index const c_cs = call.c_cs, width = (call.n + step - 1) / step * step;
    R* c = call.c;
    call.c = window;
    call.c_rs = width;
    call.c_cs = 1;
    for (Index left = call.m; left > 0; left -= rows) {
      int const here = static_cast<int>(smaller(rows, left));
      call.m = here;
      for (Index j = 0; call.reads_c && j < call.n; ++j) {
        for (int i = 0; i < here; ++i) window[i * width + j] = c[j * c_cs + i];
      }
      tiny(call);
      store_columns(window, width, here, call.n, c, c_cs);
      call.a += rows * call.a_rs;
      c += rows;
    }
  }

  /// \brief  Rows of sums to columns of C.
  /// \param  from  so many rows of cols elements, width apart. More is read: rows of whole registers, and of the next
  ///               `edge` rows, whatever lies there
  static PANTILE_INLINE void store_columns(R const* from, Index width, int count, Index cols, R* c, Index c_cs) {
    for (int i = 0; i < count;) {
      int const some = count - i;
      i += some >= edge  ? put<edge, true>(from + i * width, width, edge, cols, c + i, c_cs)
           : some == low ? put<low, true>(from + i * width, width, low, cols, c + i, c_cs)
           : some < low  ? put<low, false>(from + i * width, width, some, cols, c + i, c_cs)
                         : put<edge, false>(from + i * width, width, some, cols, c + i, c_cs);
    }
  }

 private:
  static constexpr int edge = step < rows ? step : rows,
                       low = edge * static_cast<int>(sizeof(R)) > 16 ? edge / 2 : edge;

  /// So many rows, Edge at most: squares beside each other in registers.
  template <int Edge, bool Whole>
  static __attribute__((noinline)) int put(R const* from, Index width, int count, Index cols, R* c, Index c_cs) {
    for (Index j = 0; j < cols; j += step) {
      Register<S, R> row[Edge];
#pragma GCC unroll 8
      for (int i = 0; i < Edge; ++i) row[i] = load<S>(from + i * width + j);
      transpose_squares<S, R>(row);
      put_columns<0, Edge, Whole>(row, count, static_cast<int>(smaller(step, cols - j)), c + j * c_cs, c_cs);
    }
    return count;
  }
  template <int First, int Edge, bool Whole>
  static PANTILE_INLINE void put_columns(Register<S, R> const (&row)[Edge], int count, int cols, R* c, Index c_cs) {
    if constexpr (First < step) {
#pragma GCC unroll 8
      for (int i = 0; i < Edge; ++i) {
        if (First + i >= cols) return;
        if constexpr (Whole) {
          constexpr int bytes = Edge * static_cast<int>(sizeof(R));
          store<PartOf<S, bytes>>(c, part_of<R, bytes, First, S::bytes>(row[i]));
        } else {
          store_lanes<S, First>(c, row[i], count);
        }
        c += c_cs;
      }
      put_columns<First + Edge, Edge, Whole>(row, count, cols, c, c_cs);
    }
  }
};

}  // namespace pantile::impl::arch
