// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The product of a block: its register tiles, with either operand packed or not.

#include <pantile/impl/arch/host/tuning/gemm.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/batch_edge.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/micro_kernel.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/micro_table.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/pack.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/shallow.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/short_rows.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/transposed_c.hpp>

namespace pantile::impl::arch {

template <class S, class R, bool Complex>
struct Gemm {
  using Tile = GemmTile<S, R>;
  using Call = GemmCall<R>;
  using Table = GemmMicroTable<S, R, Complex>;
  using Micro = typename Table::Micro;
  static constexpr int parts = Complex ? 2 : 1;  // numbers of R in an element
  static constexpr int element_bytes = parts * static_cast<int>(sizeof(R));
  static constexpr int panel_rows = Tile::rows / parts, panel_cols = Tile::cols / parts;

  static void block(Call const& call) {
    if constexpr (!Complex) {
      using ShortRows = GemmShortRows<S, R>;
      using Shallow = GemmShallow<S, R>;
      if (!call.packed_a && !call.packed_b && ShortRows::takes(call)) return ShortRows::run(call);
      if (Shallow::takes(call)) return in_pieces(call, [](Call const& piece) { Shallow::run(piece); });
    }
    GemmUpdate<R> const update = update_of<Complex>(call);
    if (call.packed_a) {
      macro<true>(call, update);
    } else {
      macro<false>(call, update);
    }
  }

  /// Like block(), for unpacked cached operands and k <= gemm_chain. Tiles are cut differently; the results have the
  /// same bits.
  static void tiny(Call const& call) {
    if constexpr (Complex) {
      block(call);
    } else {
      if (call.m <= max_rows && call.n <= lanes<S, R>) {
        bool const half = has_half && call.n == half_lanes;
        return table.whole[call.m][half ? 2 : call.n < lanes<S, R> ? 1 : 0](call);
      }
      if (GemmShortRows<S, R>::takes(call)) return GemmShortRows<S, R>::run(call);
      if (GemmShallow<S, R>::takes_tiny(call)) return GemmShallow<S, R>::run(call);
      in_place_tiles(call, cut_in_place(call), update_of<false>(call), BatchRows<S, R>(call), NothingAhead(),
                     [](Index, R const*, R*) {});
    }
  }

  /// What tiny does, for an A of contiguous columns and any B, real: tiles of C^T = B^T A^T.
  static void tiny_transposed(Call const& call) {
    if constexpr (!Complex) GemmTransposedC<S, R>::run(transposed(call), [](Call const& rows) { tiny(rows); });
  }

  /// tiny for each product of a batch.
  static void tiny_batch(Call const& first, GemmBatch const& batch) {
    if constexpr (!Complex) {
      if (squares<4>(first, batch) || squares<8>(first, batch)) return;
      if (first.m <= max_rows && first.n <= lanes<S, R>) {
        bool const half = has_half && first.n == half_lanes;
        return table.each[first.m][half ? 2 : first.n < lanes<S, R> ? 1 : 0](first, batch);
      }
      in_place_batch(first, batch);
    } else {
      Call call = first;
      for (Index left = batch.count; left > 0; --left) {
        block(call);
        call.a += batch.a_step * parts;
        call.b += batch.b_step * parts;
        call.c += batch.c_step * parts;
      }
    }
  }

  static void pack_a(PackCall const& call) { pack<panel_rows>(call); }
  static void pack_b(PackCall const& call) { pack<panel_cols>(call); }

 private:
  template <int Width>
  static PANTILE_INLINE void pack(PackCall const& call) {
    Packing<S, element_bytes, Width>::run(call.from, call.line_stride, call.depth_stride, call.lines, call.depth,
                                          call.to);
  }

  static constexpr Table table = Table::made();
  static constexpr int max_rows = Table::max_rows, half_lanes = Table::half_lanes;
  static constexpr bool has_half = Table::has_half;

  /// Contiguous squares whose rows are a register, of any size that there is.
  template <int Edge>
  static PANTILE_INLINE bool squares(Call const& call, GemmBatch const& batch) {
    constexpr int bytes = Edge * static_cast<int>(sizeof(R));
    if constexpr (bytes <= S::bytes && Edge <= max_rows) {
      bool const fits = call.m == Edge && call.n == Edge && call.k == Edge && call.a_cs == 1 && call.a_rs == Edge &&
                        call.b_rs == Edge && call.c_rs == Edge;
      if (fits) GemmMicro<PartOf<S, bytes>, R, false, Edge, 1, false>::template each<Edge>(call, batch);
      return fits;
    }
    return false;
  }

  /// \brief  All register tiles of a block. A shallow one takes little longer than its C takes to be written: along few
  ///         rows at a time, over as much of B as stays in a second-level cache.
  template <bool PackedA>
  static PANTILE_INLINE void macro(Call const& call, GemmUpdate<R> const& update) {
    bool const low = !call.packed_b && call.m <= 2 * panel_rows;
    bool const along_rows =
        !Complex && call.hints.large_c && call.n > host::wide_panels * panel_cols && call.k <= along_rows_depth && !low;
    if (!along_rows) return tiles<PackedA>(call, update, false);
    in_pieces(call, [&update](Call const& piece) {
      for (Index i = 0; i < piece.m; i += panel_rows) {
        Call part = piece;
        part.m = smaller(panel_rows, piece.m - i);
        part.a += i * (PackedA ? piece.k : piece.a_rs);
        part.c += i * piece.c_rs;
        tiles<PackedA>(part, update, true);
      }
    });
  }
  /// f(part) for as much of B at a time as stays in a second-level cache.
  template <class F>
  static PANTILE_INLINE void in_pieces(Call const& call, F const& f) {
    Index const cols = host::along_rows_b_bytes / (call.k * element_bytes) / panel_cols * panel_cols;
    for (Index j = 0; j < call.n; j += cols) {
      Call part = call;
      part.n = smaller(cols, call.n - j);
      part.b += j * (call.packed_b ? call.k : 1);
      part.c += j;
      f(part);
    }
  }

  static constexpr Index along_rows_depth = host::along_rows_depth_bytes / static_cast<Index>(sizeof(R));

  /// Register tiles across in steps of a tile, and down for each, so that a panel of B stays close.
  template <bool PackedA>
  static __attribute__((noinline)) void tiles(Call const& call, GemmUpdate<R> const& update, bool along_rows) {
    Index const cols = call.n, depth = call.k;
    R const* b = call.b;
    GemmTileCall<R> tile;
    tile.k = depth;
    tile.a_rs = call.a_rs * parts;
    tile.a_cs = call.a_cs * parts;
    tile.b_rs = call.packed_b ? Tile::cols : call.b_rs * parts;
    tile.c_rs = call.c_rs * parts;
    // Lines further along each row of A; where there are many rows, the same columns of the next tile's. Into the
    // second-level cache, since rows a multiple of 4 KB apart map to one set of the first.
    tile.a_ahead =
        call.hints.few_rows ? host::prefetch_lines * 64 / static_cast<Index>(sizeof(R)) : panel_rows * tile.a_rs;
    // Shallow tiles are done before the lines of C come that they prefetch; how far ahead: perf_tests/notes/matmul.md.
    bool const looks_ahead = along_rows || ((depth <= host::c_ahead_depth || call.hints.prefetches) &&
                                            cols > host::wide_panels * panel_cols);
    tile.prefetch_c_lines = looks_ahead || call.hints.large_c;
    constexpr bool short_way = S::bytes >= 64;
    tile.c_ahead = looks_ahead ? (short_way || along_rows ? host::c_panels_512
                                  : call.hints.prefetches ? host::c_panels_256_streamed
                                                          : host::c_panels_256) *
                                     Tile::cols
                   : is_low(call) ? 2 * panel_rows * tile.c_rs
                                  : 0;
    for (Index j = 0; j < cols;) {
      Index const left = (cols - j) * parts;
      int const across = call.packed_b ? registers_across(left) : even_registers(left);
      Index const width = smaller(across * lanes<S, R>, left);
      tile.b = b;
      column<PackedA>(call, tile, across, width, call.c + j * parts, update);
      b += call.packed_b ? depth * Tile::cols : width;
      j += width / parts;
    }
  }

  /// Rows of the highest tile, and half registers across all of C, or zero where tiles are cut as it goes.
  struct Cut {
    Index rows;
    int halves;
  };
  /// \brief  Tiles of operands in caches that are read where they lie, one row of them after the other.
  /// \param  result, ahead  BatchRows, BatchAhead
  /// \param  with_rows  called after each row of them: its number of rows, and where they begin in A and C
  template <class Rows, class Ahead, class WithRows>
  static PANTILE_INLINE void in_place_tiles(Call const& call, Cut const& cut, GemmUpdate<R> const& update,
                                            Rows&& result, Ahead&& ahead, WithRows&& with_rows) {
    GemmTileCall<R> tile = in_place_tile(call);
    for (Index left = call.m; left > 0;) {
      Index const step = even_rows(cut.rows, left);
      left -= step;
      tile.b = call.b;
      tile.c = result.next();
      for (Index j = 0; j < call.n;) {
        int const halves = cut.halves > 0 ? cut.halves : halves_in_place(even_registers(call.n - j), call.n - j);
        Index const width = smaller(halves * lanes<S, R> / 2, call.n - j);
        bool const edge = at_edge(tile, halves, width);
        Micro const fetching = ahead.with_depth() ? table.soon[step][halves][edge] : nullptr;
        ahead(tile, fetching != nullptr);
        (fetching != nullptr ? fetching : table.in_place[step][halves][edge])(tile, update);
        tile.b += width;
        tile.c += width;
        j += width;
      }
      with_rows(step, tile.a, result.next());
      tile.a += step * tile.a_rs;
      result.wrote(step, left == 0);
    }
  }
  /// Tiles as wide as C where it is so high: broad ones, and those that end with half a register.
  static PANTILE_INLINE Cut cut_in_place(Call const& call) {
    Index const full = call.n / lanes<S, R>, rest = call.n % lanes<S, R>;
    bool const is_broad = call.n > (Tile::broad_vecs - 1) * lanes<S, R> && call.n <= Tile::broad_vecs * lanes<S, R>;
    if (Tile::has_broad && is_broad && call.m >= Tile::broad_rows) return {Tile::broad_rows, 2 * Tile::broad_vecs};
    if (Tile::has_uneven && rest > 0 && rest <= half_lanes && full >= 1 && full <= Tile::most_uneven) {
      int const halves = static_cast<int>(2 * full + 1), rows = Tile::uneven_rows(static_cast<int>(full));
      if (2 * call.m >= rows) return {rows, halves};
    }
    return {call.n > lanes<S, R> ? Tile::rows : max_rows, 0};
  }
  /// All products of a batch by such tiles.
  static __attribute__((noinline)) void in_place_batch(Call const& first, GemmBatch const& batch) {
    GemmUpdate<R> const update = update_of<false>(first);
    Call call = first;
    call.n -= batch.edge_cols;
    Cut const cut = batch.tile_rows > 0 ? Cut{batch.tile_rows, 0} : cut_in_place(call);
    Index const down = (call.m + cut.rows - 1) / cut.rows;
    Index const across = cut.halves > 0 ? 1 : (call.n + Tile::cols - 1) / Tile::cols;
    BatchAhead<R> ahead(first, batch, down * across);
    BatchEdge<S, R> edge(first, batch.edge_cols);
    alignas(64) std::byte window[BatchRows<S, R>::window_bytes];
    BatchRows<S, R> result(first, batch, window);
    for (Index left = batch.count; left > 0; --left) {
      ahead.begin(call.a, call.b);
      edge.begin(call.b);
      in_place_tiles(call, cut, update, result, ahead, edge);
      call.a += batch.a_step;
      call.b += batch.b_step;
    }
    result.end();
  }

  /// Registers across the next column of tiles.
  static PANTILE_INLINE int registers_across(Index left) {
    return static_cast<int>(smaller((left + lanes<S, R> - 1) / lanes<S, R>, Tile::vecs));
  }
  /// The same where B is not packed: two columns of about equal width instead of a full one and one of a single
  /// register, whose few sums would wait for each other.
  static PANTILE_INLINE int even_registers(Index left) {
    constexpr Index full = Tile::cols;
    return full < left && left <= full + lanes<S, R> ? (Tile::vecs + 2) / 2 : registers_across(left);
  }
  /// Rows of the next tile: two of about equal height instead of a full one and a low one, for the same reason.
  static PANTILE_INLINE Index even_rows(Index most, Index left) {
    return left <= most ? left : left < 2 * most ? (left + 1) / 2 : most;
  }

  /// One column of shallow tiles of a large C: each prefetches what the tile after the next reads and writes.
  static PANTILE_INLINE bool is_low(Call const& call) {
    return S::bytes >= 64 && call.hints.large_c && call.n <= panel_cols &&
           call.k * element_bytes <= host::low_row_bytes && call.a_cs == 1;
  }

  /// The first lines of what the next depth block reads of these rows of A: each row goes on where this block leaves
  /// it, and the hardware takes a few misses to notice that it is read again. Of low tiles the rows further down.
  static PANTILE_INLINE void prefetch_a(R const* a, GemmTileCall<R> const& tile, Index rows, bool low) {
    if (tile.a_cs != parts || (tile.k < host::next_block_depth && !low)) return;
    constexpr Index line = 64 / static_cast<Index>(sizeof(R));
    Index const row = tile.k * parts, lines = low ? (row + line - 1) / line : host::next_block_lines;
    R const* next = a + (low ? 2 * rows * tile.a_rs : row);
    for (Index r = 0; r < rows; ++r) {
      for (Index ahead = 0; ahead < lines; ++ahead) __builtin_prefetch(next + ahead * line);
      next += tile.a_rs;
    }
  }

  template <bool PackedA>
  static PANTILE_INLINE Micro find(Call const& call, GemmTileCall<R>& tile, Index rows, int vecs, Index width) {
    bool const edge = at_edge(tile, 2 * vecs, width);
    if constexpr (PackedA) return table.packed[rows][vecs][edge];
    if (call.hints.prefetches) {
      bool const whole = vecs == Tile::vecs, along = tile.a_cs == parts && !call.hints.wide;
      Micro const ahead = call.hints.wide && whole && !edge ? table.across[rows]
                          : along && whole                  ? table.down[rows][edge]
                          : along && rows_follow(tile)      ? table.soon[rows][2 * vecs][edge]
                                                            : nullptr;
      if (ahead != nullptr) return ahead;
    }
    int const halves = halves_in_place(vecs, width);
    return table.in_place[rows][halves][at_edge(tile, halves, width)];
  }
  /// Half registers across so many registers, of which width numbers are used: one where they fit into that.
  static PANTILE_INLINE int halves_in_place(int vecs, Index width) {
    return has_half && width <= half_lanes ? 1 : 2 * vecs;
  }
  /// Is the last register across not full, or the half one? The tile is told how many numbers of it are used.
  static PANTILE_INLINE bool at_edge(GemmTileCall<R>& tile, int halves, Index width) {
    constexpr int all = lanes<S, R>;
    tile.last = static_cast<int>(width) - (halves - 1) / 2 * all;
    return tile.last < (halves % 2 == 0 ? all : half_lanes);
  }

  /// Are A's rows nearly contiguous? Then the next tile's rows are prefetched as one range.
  static PANTILE_INLINE bool rows_follow(GemmTileCall<R> const& tile) {
    return host::close_rows_parts * (tile.a_rs - tile.k * parts) <= tile.a_rs;
  }

  template <bool PackedA>
  static PANTILE_INLINE void column(Call const& call, GemmTileCall<R>& tile, int vecs, Index width, R* c,
                                    GemmUpdate<R> const& update) {
    Index const rows = call.m;
    R const* a = call.a;
    Index const most = (PackedA || vecs > 1 ? Tile::rows : max_rows) / parts;
    [[maybe_unused]] bool const low = is_low(call);
    for (Index i = 0; i < rows;) {
      Index const step = PackedA ? smaller(most, rows - i) : even_rows(most, rows - i);
      // Each tile prefetches its share of the next panel, 16 bytes per step of k: twelve tiles a panel of 192 bytes.
      if constexpr (PackedA && Tile::wide) {
        tile.soon = reinterpret_cast<char const*>(tile.b + tile.k * tile.b_rs) + i / panel_rows * tile.k * 16;
      }
      tile.a = a;
      tile.c = c + i * tile.c_rs;
      if constexpr (!PackedA) {
        tile.soon = reinterpret_cast<char const*>(a + step * tile.a_rs);
        prefetch_a(a, tile, step, low);
      }
      find<PackedA>(call, tile, step * parts, vecs, width)(tile, update);
      a += PackedA ? Tile::rows * tile.k : step * tile.a_rs;
      i += step;
    }
  }
};

}  // namespace pantile::impl::arch
