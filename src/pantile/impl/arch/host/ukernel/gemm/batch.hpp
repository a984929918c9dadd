// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of products: prefetch of the next product's operands; and interleaved batches, which store one
///        element of all matrices side by side, computed a register of problems at a time.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/tile.hpp>
#include <pantile/impl/arch/host/ukernel/streaming_stores.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch {

/// \brief  Fetches what the products to come read, A and then B, while this one is computed: with each of its tiles a
///         share of them. Of operands that follow each other; others would take more lines than they are worth.
template <class R>
class BatchAhead {
 public:
  /// \param  tiles  in which a product is computed
  BatchAhead(GemmCall<R> const& call, GemmBatch const& batch, Index tiles)
      : m_fetch(batch.fetch), m_a(of(call.m * call.k, batch.a_step)), m_b(of(call.k * call.n, batch.b_step)) {
    if (m_fetch == BatchFetch::none) return;
    m_share = ((m_a.bytes + m_b.bytes + tiles - 1) / tiles + line - 1) / line * line;
  }

  /// Do the kernels of the tiles fetch, where they can?
  [[nodiscard]] PANTILE_INLINE bool with_depth() const { return m_fetch == BatchFetch::with_depth && m_share > 0; }
  /// Before a product of a and b.
  PANTILE_INLINE void begin(R const* a, R const* b) {
    m_next = reinterpret_cast<char const*>(a) + m_a.away;
    m_b_next = reinterpret_cast<char const*>(b) + m_b.away;
    m_left = m_a.bytes;
  }
  /// Before each of its tiles.
  /// \param  by_kernel  which fetches of the tile's share a line with each step
  PANTILE_INLINE void operator()(GemmTileCall<R>& tile, bool by_kernel) {
    if (m_share == 0) return;
    if (m_left <= 0) {
      m_next = m_b_next;
      m_left = m_b.bytes;
    }
    tile.soon = m_next;
    for (Index i = by_kernel ? line * tile.k : 0; i < m_share; i += line) __builtin_prefetch(m_next + i);
    m_next += m_share;
    m_left -= m_share;
  }

 private:
  static constexpr Index line = 64, least = host::batch_ahead_bytes;
  /// Bytes of an operand that are fetched for a product, and from its place to theirs.
  struct Operand {
    Index bytes, away;
  };
  static Operand of(Index size, Index apart) {
    if (apart < size || apart > 2 * size) return {0, 0};
    Index const all = apart * static_cast<Index>(sizeof(R));
    return {all, (least + all - 1) / all * all};
  }

  BatchFetch m_fetch;
  Operand m_a, m_b;
  Index m_share = 0;  ///< bytes with each tile
  Index m_left = 0;   ///< of the operand at m_next
  char const *m_next = nullptr, *m_b_next = nullptr;
};
/// Of one product.
struct NothingAhead {
  [[nodiscard]] static constexpr bool with_depth() { return false; }
  template <class Tile>
  PANTILE_INLINE void operator()(Tile const&, bool) const {}
};

/// \brief  Where the rows of a product's C are written, those of a batch one product after the other: into C, or past
///         the cache.
template <class S, class R>
class BatchRows {
 public:
  /// \param  window  of window_bytes, aligned to a line, where batch.streams
  PANTILE_INLINE BatchRows(GemmCall<R> const& call, GemmBatch const& batch, std::byte* window)
      : m_stores(window, call.c),
        m_streams(batch.streams),
        m_c(call.c),
        m_rs(call.c_rs),
        m_step(batch.c_step - call.m * call.c_rs) {}
  /// One product's, in C.
  explicit PANTILE_INLINE BatchRows(GemmCall<R> const& call) : BatchRows(call, {}, nullptr) {}
  static constexpr Index window_bytes = StreamingStores<S>::window_bytes(host::batch_piece_bytes);

  [[nodiscard]] PANTILE_INLINE R* next() const { return m_streams ? reinterpret_cast<R*>(m_stores.next()) : m_c; }
  /// So many rows are written there, of a product that may end with them.
  PANTILE_INLINE void wrote(Index rows, bool last) {
    if (m_streams) return m_stores.wrote(rows * m_rs * static_cast<Index>(sizeof(R)));
    m_c += rows * m_rs + (last ? m_step : 0);
  }
  PANTILE_INLINE void end() {
    if (m_streams) m_stores.end();
  }

 private:
  StreamingStores<S> m_stores;
  bool m_streams;
  R* m_c;
  Index m_rs, m_step;  ///< from the end of a product's rows to the next one's
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
  /// A register of products by single elements, to C's edges.
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
