// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products with small k (rank-k updates): C is far larger than A and B, and little is computed for each of its
///        elements. Its rows are written from left to right, past the cache.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

#include <cstdint>

namespace pantile::impl::arch {

/// \brief  C = alpha A B, C not read, for k up to rank_k_most; the sums are those of register tiles.
template <class S, class R>
struct GemmRankK {
  using V = Register<S, R>;
  using Call = GemmCall<R>;
  static constexpr int step = lanes<S, R>, line = 64;

  static void run(Call const& call) {
    with_constant<1, host::rank_k_most>(call.k, [&]<int Depth>() { columns<Depth>(call); });
    stream_end();
  }

 private:
  /// C's columns in pieces; those of a row begin with a cache line, but for the first.
  template <int Depth>
  static __attribute__((noinline)) void columns(Call const& call) {
    // Elements that lie across lines: nothing can be written past the cache.
    bool const past = reinterpret_cast<std::uintptr_t>(call.c) % sizeof(R) == 0;
    constexpr Index piece = host::rank_k_b_bytes / (Depth * line) * line / static_cast<Index>(sizeof(R));
    for (Index j = 0; j < call.n; j += piece) {
      for (Index i = 0; i < call.m; ++i) {
        R* const c = call.c + i * call.c_rs;
        Index const place = static_cast<Index>(reinterpret_cast<std::uintptr_t>(c) % line);
        Index const head = !past || place == 0 ? 0 : (line - place) / static_cast<Index>(sizeof(R));
        Index const begin = j == 0 ? 0 : j + head, end = j + piece + head;
        row<Depth>(call, i, begin, smaller(j + head, call.n), smaller(end, call.n), past);
      }
    }
  }

  /// Columns from begin to end of row i; from `first` on by whole lines.
  template <int Depth>
  static PANTILE_INLINE void row(Call const& call, Index i, Index begin, Index first, Index end, bool past) {
    V const alpha = broadcast<S>(call.alpha[0]);
    R* const c = call.c + i * call.c_rs;
    V left[Depth];
    R const* b[Depth];
#pragma GCC unroll 8
    for (int k = 0; k < Depth; ++k) {
      left[k] = broadcast<S>(call.a[i * call.a_rs + k * call.a_cs]);
      b[k] = call.b + k * call.b_rs;
    }
    auto const products = [&](auto const& load_b) __attribute__((always_inline)) {
      V sum = {};
#pragma GCC unroll 8
      for (int k = 0; k < Depth; ++k) sum += left[k] * load_b(b[k]);
      return alpha * sum;
    };
    auto const some = [&](Index j, Index count) __attribute__((always_inline)) {
      int const here = static_cast<int>(smaller(count, step));
      store_first<S>(c + j, products([&](R const* from) { return load_first<S>(from + j, here); }), here);
    };
    for (Index j = begin; j < first; j += step) some(j, first - j);
    Index j = first;
    for (; j + step <= end; j += step) {
      V const values = products([&](R const* from) { return load<S>(from + j); });
      if (past) {
        stream<S>(c + j, values);
      } else {
        store<S>(c + j, values);
      }
    }
    if (j < end) some(j, end - j);
  }
};

}  // namespace pantile::impl::arch
