// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  One or two rows of A times a B with short rows, or a small B: the sums of several registers of columns stay
///        in registers over all rows of B.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch {

template <class S, class R, bool Complex>
struct GemmShortB {
  using Call = GemmCall<R>;
  static constexpr int parts = Complex ? 2 : 1;

  /// Long rows of B, of which the registers take a part at a time, only if a second-level cache holds all of B.
  static PANTILE_INLINE bool takes(Call const& call) {
    Index const row_bytes = call.n * parts * static_cast<Index>(sizeof(R));
    return call.m * parts <= 2 && (row_bytes <= host::short_b_row_bytes || call.k * row_bytes <= host::short_b_bytes);
  }

  /// Products p ... p + depth - 1 of the columns that begin at b are added to totals, by each number of A apart; each
  /// sum takes them in rising k, in one chain.
  static PANTILE_INLINE void add(Call const& call, Index p, Index depth, Index cols, R const* b, R* totals) {
    Columns const of{.depth = depth,
                     .a = call.a + p * call.a_cs * parts,
                     .a_rs = Complex ? 1 : call.a_rs,
                     .a_cs = call.a_cs * parts,
                     .b = b,
                     .b_rs = call.b_rs * parts,
                     .totals = totals,
                     .numbers = cols * parts};
    if (call.m * parts == 1) return all<1>(of);
    all<2>(of);
  }

 private:
  using V = Register<S, R>;
  static constexpr int step = lanes<S, R>;

  /// In numbers.
  struct Columns {
    Index depth;
    R const* a;
    Index a_rs, a_cs;
    R const* b;
    Index b_rs;
    R* totals;
    Index numbers;
  };

  /// In groups of about the same number of registers.
  template <int Rows>
  static PANTILE_INLINE void all(Columns const& of) {
    constexpr int most = S::registers >= 32 || Rows == 1 ? 8 : 4;
    Index const registers = (of.numbers + step - 1) / step, groups = (registers + most - 1) / most;
    Index begin = 0;
    for (Index number = 1; number <= groups; ++number) {
      Index const end = registers * number / groups, left = of.numbers - begin * step;
      with_constant<1, most>(end - begin, [&]<int Across>() {
        if (left < Across * step) return group<Rows, Across, true>(of, begin * step, static_cast<int>(left % step));
        group<Rows, Across, false>(of, begin * step, step);
      });
      begin = end;
    }
  }

  /// So many registers across from a column on; of the last one, where Edge, `last` numbers.
  template <int Rows, int Across, bool Edge>
  static __attribute__((noinline)) void group(Columns const& of, Index col, int last) {
    V sum[Rows][Across] = {};
    R const *a = of.a, *b = of.b + col;
    for (Index k = 0; k < of.depth; ++k) {
      V row[Across];
#pragma GCC unroll 8
      for (int v = 0; v < Across; ++v) {
        row[v] = Edge && v == Across - 1 ? load_first<S>(b + v * step, last) : load<S>(b + v * step);
      }
#pragma GCC unroll 2
      for (int r = 0; r < Rows; ++r) {
        V const left = broadcast<S>(a[r * of.a_rs]);
#pragma GCC unroll 8
        for (int v = 0; v < Across; ++v) sum[r][v] += left * row[v];
      }
      a += of.a_cs;
      b += of.b_rs;
    }
#pragma GCC unroll 2
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
      for (int v = 0; v < Across; ++v) {
        R* const at = of.totals + r * of.numbers + col + v * step;
        if (Edge && v == Across - 1) {
          store_first<S>(at, load_first<S>(at, last) + sum[r][v], last);
        } else {
          store<S>(at, load<S>(at) + sum[r][v]);
        }
      }
    }
  }
};

}  // namespace pantile::impl::arch
