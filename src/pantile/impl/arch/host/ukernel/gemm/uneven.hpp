// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Register tiles whose last column of registers is half as wide, where a full one would waste half of its
///        multiplications (perf_tests/notes/batches.md).

#include <pantile/impl/arch/host/ukernel/gemm/micro_kernel.hpp>

namespace pantile::impl::arch {

/// \brief  Rows of Full registers and a half one, operands where they lie, in one chain: the sums and the last step are
///         those of GemmMicro.
/// \tparam Edge  the half register is not full
template <class S, class R, int Rows, int Full, bool Edge>
struct GemmUneven {
  using Half = PartOf<S, S::bytes / 2>;
  using Left = GemmMicro<S, R, false, Rows, Full, false>;
  using Right = GemmMicro<Half, R, false, Rows, 1, Edge>;
  using Call = GemmTileCall<R>;
  static constexpr int step = lanes<S, R>;

  static __attribute__((noinline)) void strided(Call const& call, GemmUpdate<R> const& update) {
    // Rows that share a pointer: with more of them GCC keeps pointers in vector registers.
    constexpr int sharing = 4, pointers = (Rows + sharing - 1) / sharing;
    Index const a_rs = call.a_rs, a_cs = call.a_cs, b_rs = call.b_rs;
    R const* a[pointers];
#pragma GCC unroll 16
    for (int p = 0; p < pointers; ++p) a[p] = call.a + sharing * p * a_rs;
    R const* b = call.b;
    Register<S, R> sum[Rows][Full] = {};
    Register<Half, R> last_sum[Rows][1] = {};
    for (Index left = call.k; left > 0; --left) {
      Register<S, R> row[Full];
#pragma GCC unroll 16
      for (int v = 0; v < Full; ++v) row[v] = load<S>(b + v * step);
      Register<Half, R> const last = Right::load_b(b + Full * step, 0, call.last);
#pragma GCC unroll 16
      for (int r = 0; r < Rows; ++r) {
        R const* const element = a[r / sharing] + (r % sharing) * a_rs;
#pragma GCC unroll 16
        for (int v = 0; v < Full; ++v) sum[r][v] += broadcast<S>(*element) * row[v];
        last_sum[r][0] += broadcast<Half>(*element) * last;
      }
#pragma GCC unroll 16
      for (int p = 0; p < pointers; ++p) {
        a[p] += a_cs;
        asm volatile("" : "+r"(a[p]));
      }
      b += b_rs;
      asm volatile("" : "+r"(b), "+r"(left));
    }
    Left::finish(call, update, sum);
    Right::template finish<Full * step>(call, update, last_sum);
  }
};

}  // namespace pantile::impl::arch
