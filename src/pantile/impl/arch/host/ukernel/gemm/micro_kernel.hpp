// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The micro-kernel of the blocked matmul: one register tile of C, the whole depth of a block. The tile's shape
///        is that of F. Van Zee, R. van de Geijn, "BLIS: A Framework for Rapidly Instantiating BLAS Functionality", ACM
///        TOMS 41(3), 2015.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/batch.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/dot_product.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/tile.hpp>
#include <pantile/impl/arch/host/ukernel/shuffle.hpp>

namespace pantile::impl::arch {

/// \brief  Rows of Vecs registers: elements of A are broadcast, B is loaded along its rows. Complex rows of A are two
///         rows each, Re(A) B and Im(A) B, which the epilogue puts together. Chains of gemm_chain, all in rising k.
/// \tparam Product  of an element of A and a register of B: numbers, or k-packs of low precision
template <class S, class R, bool Complex, int Rows, int Vecs, bool Edge, class Product = OneProduct>
struct GemmMicro {
  using V = Register<S, R>;
  using Call = GemmTileCall<R>;
  static constexpr int step = lanes<S, R>, line = 64 / static_cast<int>(sizeof(R));

  static PANTILE_INLINE V load_b(R const* b, int v, [[maybe_unused]] int last) {
    if constexpr (Edge) {
      if (v == Vecs - 1) return load_first<S>(b + v * step, last);
    }
    return load<S>(b + v * step);
  }

  /// Rows of A, half as many for complex elements, and how many of them share a pointer that moves along k: there are
  /// not enough general registers for one each.
  static constexpr int a_rows = Complex ? Rows / 2 : Rows;
  static constexpr int sharing = Complex ? 1 : 4;

  /// A in a packed panel: Panel rows beside each other for every k. B packed too, or its edge may be read over.
  template <int Panel>
  static __attribute__((noinline)) void packed(Call const& call, GemmUpdate<R> const& update) {
    R const* a = call.a;
    R const* b = call.b;
    Index const b_rs = call.b_rs;
    [[maybe_unused]] char const* soon = call.soon;
    Held held;
    prefetch_c(call);
    for (Index left = call.k;;) {
      V sum[Rows][Vecs] = {};
      Index const depth = held.next(left);
      auto const take = [&]() __attribute__((always_inline)) {
        V row[Vecs];
#pragma GCC unroll 16
        for (int v = 0; v < Vecs; ++v) row[v] = load_b(b, v, call.last);
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r) {
          V const element = broadcast<S>(a[r]);
#pragma GCC unroll 16
          for (int v = 0; v < Vecs; ++v) Product::template add<S>(sum[r][v], element, row[v]);
        }
        a += Panel;
        b += b_rs;
      };
      if constexpr (GemmTile<S, R>::wide) {
        for (Index group = depth / 4; group > 0; --group) {
          __builtin_prefetch(soon, 0, 2);
          soon += 64;
#pragma GCC unroll 4
          for (int k = 0; k < 4; ++k) {
            take();
            // Or GCC loads elements of the next steps early, and keeps sums in memory for it.
            asm volatile("" : "+r"(a), "+r"(b));
          }
        }
        for (Index k = depth % 4; k > 0; --k) take();
      } else {
#pragma GCC unroll 4
        for (Index k = depth; k > 0; --k) take();
      }
      if (left != call.k) held.add_to(sum);
      left -= depth;
      if constexpr (Product::corrected) {
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
          for (int v = 0; v < Vecs; ++v) sum[r][v] += broadcast<S>(a[r]) + load_b(b, v, call.last);
        }
      }
      if (left == 0) return finish(call, update, sum);
      held.take(sum);
    }
  }

  /// A where it lies. Prefetch::down: its columns are contiguous.
  template <Prefetch Fetch>
  static __attribute__((noinline)) void strided(Call const& call, GemmUpdate<R> const& update) {
    strided_inline<Fetch>(call, update);
  }
  template <Prefetch Fetch>
  static PANTILE_INLINE void strided_inline(Call const& call, GemmUpdate<R> const& update) {
    constexpr Index along = Complex ? 2 : 1;
    R const* row_start[(a_rows + sharing - 1) / sharing];
#pragma GCC unroll 16
    for (int r = 0; r < a_rows; r += sharing) row_start[r / sharing] = call.a + r * call.a_rs;
    R const* b = call.b;
    Index const b_rs = call.b_rs, a_rs = call.a_rs, a_cs = Fetch == Prefetch::down ? along : call.a_cs;
    Held held;
    prefetch_c(call);
    if (a_cs == 0) __builtin_unreachable();
    char const* soon = Fetch == Prefetch::soon ? call.soon : nullptr;
    for (Index left = call.k;;) {
      V sum[Rows][Vecs] = {};
      Index const depth = held.next(left);
      auto const row_of_a = [&](int r) __attribute__((always_inline)) {
        return row_start[r / sharing] + (r % sharing) * a_rs;
      };
      auto const take = [&]() __attribute__((always_inline)) {
        V row[Vecs];
#pragma GCC unroll 16
        for (int v = 0; v < Vecs; ++v) row[v] = load_b(b, v, call.last);
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r) {
          // Of complex elements the real and the imaginary part in turn.
          V const element = broadcast<S>(row_of_a(Complex ? r / 2 : r)[Complex ? r % 2 : 0]);
#pragma GCC unroll 16
          for (int v = 0; v < Vecs; ++v) sum[r][v] += element * row[v];
        }
#pragma GCC unroll 16
        for (R const*& start : row_start) {
          start += a_cs;
          asm volatile("" : "+r"(start));
        }
        b += b_rs;
      };
      // Or GCC counts by an address and keeps its end in memory.
      auto const in_register = [](int& count) __attribute__((always_inline)) { asm volatile("" : "+r"(count)); };
      if constexpr (Fetch == Prefetch::down) {
        Index const b_ahead = prefetch_rows * b_rs;
        for (Index group = depth / 8; group > 0; --group) {
#pragma GCC unroll 16
          for (int r = 0; r < a_rows; ++r) __builtin_prefetch(row_of_a(r) + call.a_ahead, 0, 2);
          for (int k = 8; k > 0; --k) {
            in_register(k);
            __builtin_prefetch(b + b_ahead);
            take();
          }
        }
        for (int k = static_cast<int>(depth % 8); k > 0; --k) {
          in_register(k);
          take();
        }
      } else {
        for (Index k = depth; k > 0; --k) {
          asm volatile("" : "+r"(k), "+r"(b));
          fetch<Fetch>(b, soon);
          take();
        }
      }
      if (left != call.k) held.add_to(sum);
      left -= depth;
      if (left == 0) return finish(call, update, sum);
      held.take(sum);
    }
  }

  /// A product that is this tile, all operands in caches and read where they lie, in one chain.
  static __attribute__((noinline)) void whole(GemmCall<R> const& call) {
    Call tile = in_place_tile(call);
    tile.last = static_cast<int>(call.n) - (Vecs - 1) * step;
    if (tile.k > gemm_chain) __builtin_unreachable();
    strided_inline<Prefetch::none>(tile, update_of<false>(call));
  }
  /// \brief  The same for each product of a batch.
  /// \tparam Square  edge of contiguous squares, whose loops are unrolled; zero: of anything
  template <int Square>
  static __attribute__((noinline)) void each(GemmCall<R> const& call, GemmBatch const& batch) {
    Call tile = in_place_tile(call);
    tile.last = static_cast<int>(call.n) - (Vecs - 1) * step;
    if (tile.k > gemm_chain) __builtin_unreachable();
    GemmUpdate<R> const update = update_of<false>(call);
    BatchAhead<R> ahead(call, batch, 1);
    alignas(64) std::byte window[BatchRows<S, R>::window_bytes];
    BatchRows<S, R> rows(call, batch, window);
    for (Index left = batch.count; left > 0; --left) {
      if constexpr (Square > 0) {
        tile.k = tile.a_rs = tile.b_rs = tile.c_rs = Square;
        tile.a_cs = 1;
      }
      ahead.begin(tile.a, tile.b);
      ahead(tile, false);
      tile.c = rows.next();
      strided_inline<Prefetch::none>(tile, update);
      rows.wrote(Rows, true);
      tile.a += batch.a_step;
      tile.b += batch.b_step;
    }
    rows.end();
  }

  /// The sums to C, from column From on. Where C is read alpha's product is fused with the sum. There it has an alpha
  /// that is not known to be the same: what both branches share compilers would take out of them for some rows of some
  /// tiles, and not fuse; and threads begin their tiles elsewhere.
  template <int From = 0>
  static PANTILE_INLINE void finish(Call const& call, GemmUpdate<R> const& update, V (&sum)[Rows][Vecs]) {
    if constexpr (Complex) {
      finish_complex(call, update, sum);
    } else {
      V const alpha = broadcast<S>(update.alpha[0]);
      if (update.reads_c) {
        V const beta = broadcast<S>(update.beta[0]), share = rounded(alpha);
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
          for (int v = 0; v < Vecs; ++v) {
            R* const c = call.c + r * call.c_rs + v * step + From;
            bool const edge = v == Vecs - 1;
            V old = beta * load_c(c, edge, call.last);
            if constexpr (Edge) {
              rounded_first(old, sum[r][v]);  // branches of the load would keep alpha's product and the sum apart
            } else {
              old = rounded(old);
            }
            store_c(c, share * sum[r][v] + old, edge, call.last);
          }
        }
      } else {
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
          for (int v = 0; v < Vecs; ++v) {
            store_c(call.c + r * call.c_rs + v * step + From, alpha * sum[r][v], v == Vecs - 1, call.last);
          }
        }
      }
    }
  }

 private:
  /// The prefetch distances in B: rows, and panels.
  static constexpr Index prefetch_rows = host::prefetch_rows;
  static constexpr Index prefetch_panels = S::bytes >= 64 ? host::prefetch_panels_512 : host::prefetch_panels_256;

  /// With a step of k: across the rows of B, or a line of what comes soon.
  template <Prefetch Fetch>
  static PANTILE_INLINE void fetch([[maybe_unused]] R const* b, [[maybe_unused]] char const*& soon) {
    if constexpr (Fetch == Prefetch::across) {
#pragma GCC unroll 4
      for (int ahead = 0; ahead < Vecs * step; ahead += line)
        __builtin_prefetch(b + prefetch_panels * Vecs * step + ahead);
    } else if constexpr (Fetch == Prefetch::soon) {
      __builtin_prefetch(soon, 0, 2);
      soon += 64;
    }
  }

  /// The sums of earlier chains: in memory, which costs one write and one read of the tile for each chain.
  struct Held {
    V sums[Rows][Vecs];

    /// Nothing is written; the compiler only takes it to be.
    PANTILE_INLINE Held() { asm volatile("" : "=m"(sums)); }
    /// How many of the products that are left the next chain takes. Sums of integers are exact in any order.
    static PANTILE_INLINE Index next(Index left) {
      constexpr Index chain = gemm_chain / Product::terms;
      return R(1) / R(2) == R(0) || left <= chain ? left : chain;
    }
    PANTILE_INLINE void add_to(V (&sum)[Rows][Vecs]) const {
#pragma GCC unroll 16
      for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
        for (int v = 0; v < Vecs; ++v) sum[r][v] = sums[r][v] + sum[r][v];
      }
    }
    PANTILE_INLINE void take(V const (&sum)[Rows][Vecs]) {
#pragma GCC unroll 16
      for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
        for (int v = 0; v < Vecs; ++v) sums[r][v] = sum[r][v];
      }
      // Or GCC would carry them in registers, and move them about for depths of one chain too.
      asm volatile("" : "+m"(sums));
    }
  };

  /// C's lines, early enough for the epilogue, where they are not cached. A C that the cache cannot hold is written the
  /// same way: stores past it hold up the tiles behind them.
  static PANTILE_INLINE void prefetch_c(Call const& call) {
    if (!call.prefetch_c_lines) return;
    R const* const c = call.c + call.c_ahead;
#pragma GCC unroll 16
    for (int r = 0; r < (Complex ? Rows / 2 : Rows); ++r) {
#pragma GCC unroll 4
      for (int at = 0; at < Vecs * step; at += line) __builtin_prefetch(c + r * call.c_rs + at, 1);
      if constexpr (Vecs * step > line) __builtin_prefetch(c + r * call.c_rs + Vecs * step - 1, 1);
    }
  }

  static PANTILE_INLINE V load_c(R const* c, [[maybe_unused]] bool edge, [[maybe_unused]] int last) {
    if constexpr (Edge) {
      if (edge) return load_first<S>(c, last);
    }
    return load<S>(c);
  }
  static PANTILE_INLINE void store_c(R* c, V const& value, [[maybe_unused]] bool edge, [[maybe_unused]] int last) {
    if constexpr (Edge) {
      if (edge) {
        store_first<S>(c, value, last);
        return;
      }
    }
    store<S>(c, value);
  }

  /// The complex numbers of v times a constant: re everywhere, and im as (-im, im) pairs.
  static PANTILE_INLINE V times(V const& v, V const& re, V const& im) {
    return rounded(v * re) + rounded(swap_pairs<S, R>(v) * im);
  }

  static PANTILE_INLINE void finish_complex(Call const& call, GemmUpdate<R> const& update, V (&sum)[Rows][Vecs]) {
    V const times_i = load<S>(update.times_i.values), flip = load<S>(update.flip.values);
    V const alpha_re = broadcast<S>(update.alpha[0]), alpha_im = load<S>(update.alpha_im.values);
    V const beta_re = broadcast<S>(update.beta[0]), beta_im = load<S>(update.beta_im.values);
#pragma GCC unroll 16
    for (int r = 0; r + 1 < Rows; r += 2) {
#pragma GCC unroll 16
      for (int v = 0; v < Vecs; ++v) {
        R* const c = call.c + r / 2 * call.c_rs + v * step;
        bool const edge = v == Vecs - 1;
        V result = times((sum[r][v] + swap_pairs<S, R>(sum[r + 1][v]) * times_i) * flip, alpha_re, alpha_im);
        if (update.reads_c) result += times(load_c(c, edge, call.last), beta_re, beta_im);
        store_c(c, result, edge, call.last);
      }
    }
  }
};

}  // namespace pantile::impl::arch
