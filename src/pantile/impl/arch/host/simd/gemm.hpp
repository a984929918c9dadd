// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  One product on one thread: BLIS's five loops around the micro-kernel, with either operand packed or not.

#include <pantile/impl/arch/host/gemm_kernels.hpp>
#include <pantile/impl/arch/host/simd/gemm_kernel.hpp>
#include <pantile/impl/arch/host/simd/pack.hpp>

namespace pantile::impl::arch {

template <class S, class R, bool Complex>
struct Gemm {
  using Tile = GemmTile<S, R>;
  using Call = GemmCall<R>;
  using Micro = void (*)(GemmTileCall<R> const&, GemmUpdate<R> const&);
  static constexpr int parts = Complex ? 2 : 1;  // numbers of R in an element
  static constexpr int element_bytes = parts * static_cast<int>(sizeof(R));
  static constexpr int panel_rows = Tile::rows / parts, panel_cols = Tile::cols / parts;
  static constexpr Index near_c_bytes = 256 * 1024;  ///< of a C that stays in a second-level cache beside A and B

  static void run(Call const& call) {
    bool const one_block = call.m <= call.blocks.mc && call.n <= call.blocks.nc && call.k <= call.blocks.kc;
    if (one_block && !call.pack_a && !call.pack_b) {
      run_block(call);
    } else {
      run_blocks(call);
    }
  }

 private:
  /// Nothing to cut or to pack: tiny products take two thirds of the time without preparing for it.
  static __attribute__((noinline)) void run_block(Call const& call) {
    Loops const loops{call, call.blocks, nullptr, nullptr};
    GemmUpdate<R> update;
    set_update(call, 0, update);
    loops.template macro<false>(call.m, call.n, call.k, call.a, call.b, call.c, update);
  }

  static __attribute__((noinline)) void run_blocks(Call const& call) {
    GemmBlocks const blocks = even_blocks(call);
    Loops const loops{call, blocks, static_cast<R*>(call.workspace),
                      static_cast<R*>(call.workspace) + (call.pack_b ? packed_b_count(blocks) : 0)};
    if (call.pack_a && call.m <= blocks.mc) {
      // One block of A: packed once for each depth, and kept while B goes by.
      for (Index p = 0; p < call.k; p += blocks.kc) {
        Index const depth = smaller(blocks.kc, call.k - p);
        loops.pack_a(0, call.m, p, depth);
        for (Index j = 0; j < call.n; j += blocks.nc) loops.depth_block(j, smaller(blocks.nc, call.n - j), p, depth, true);
      }
      return;
    }
    for (Index j = 0; j < call.n; j += blocks.nc) {
      Index const cols = smaller(blocks.nc, call.n - j);
      for (Index p = 0; p < call.k; p += blocks.kc) loops.depth_block(j, cols, p, smaller(blocks.kc, call.k - p), false);
    }
  }

  static PANTILE_INLINE constexpr Index smaller(Index a, Index b) { return a < b ? a : b; }
  static PANTILE_INLINE constexpr Index round_up(Index value, Index step) { return (value + step - 1) / step * step; }
  static PANTILE_INLINE Index packed_b_count(GemmBlocks const& blocks) {
    return gemm_workspace_bytes(blocks, panel_rows, panel_cols, element_bytes, false, true) /
           static_cast<Index>(sizeof(R));
  }

  /// Blocks of equal size rather than a short one at the end.
  static PANTILE_INLINE constexpr Index even(Index extent, Index block, Index step) {
    if (extent <= block) return extent;
    Index const count = (extent + block - 1) / block;
    return round_up((extent + count - 1) / count, step);
  }
  static PANTILE_INLINE GemmBlocks even_blocks(Call const& call) {
    return {even(call.m, call.blocks.mc, panel_rows), even(call.k, call.blocks.kc, 1),
            even(call.n, call.blocks.nc, panel_cols)};
  }

  /// What becomes of the sums of the block of k that begins at p.
  static PANTILE_INLINE void set_update(Call const& call, Index p, GemmUpdate<R>& update) {
    update.reads_c = call.reads_c || p > 0;
    R const beta_re = p > 0 ? R(1) : call.beta[0];
    if constexpr (Complex) {
      update.set_alpha(call.alpha);
      update.set_beta(beta_re, p > 0 ? R(0) : call.beta[1]);
      update.set_conjugates(call.conj_a, call.conj_b);
    } else {
      update.alpha[0] = call.alpha[0];
      update.beta[0] = beta_re;
    }
  }

  /// Micro-kernels by rows and by registers across, full and at the right edge.
  template <bool Packed, int Rows, int Vecs>
  static constexpr Micro micro(bool edge) {
    if constexpr (Packed) {
      return edge ? &GemmMicro<S, R, Complex, Rows, Vecs, true>::template packed<Tile::rows>
                  : &GemmMicro<S, R, Complex, Rows, Vecs, false>::template packed<Tile::rows>;
    } else {
      return edge ? &GemmMicro<S, R, Complex, Rows, Vecs, true>::template strided<Reach::none>
                  : &GemmMicro<S, R, Complex, Rows, Vecs, false>::template strided<Reach::none>;
    }
  }
  static constexpr int max_rows = Tile::single_rows > Tile::rows ? Tile::single_rows : Tile::rows;

  /// Registers of half the size, for tiles that fill no more (n = 4 of float): a type of its own for each set.
  struct Half {
    static constexpr int bytes = S::bytes / 2;
    static constexpr int registers = S::registers;
  };
  static constexpr int half_lanes = lanes<S, R> / 2;
  static constexpr bool has_half = S::bytes > 16 && sizeof(R) * 2 <= S::bytes / 2;

  /// Heights of tiles that tall operands are cut into; integers compute longer than they wait.
  template <int Rows>
  static constexpr bool has_far = 2 * Rows >= Tile::rows && Rows <= Tile::rows && R(1) / R(2) != R(0);

  struct Table {
    Micro entry[2][max_rows + 1][Tile::vecs + 1][2];  // (packed, rows, registers across, edge)
    Micro half[max_rows + 1][2];                      // (rows, edge), A not packed, one of the half registers
    Micro down[Tile::rows + 1][2];                    // (rows, edge), A not packed, all registers across
    Micro across[Tile::rows + 1];                     // (rows), the same, no edge
  };
  template <bool Packed, int Rows, int Vecs>
  static constexpr void enter(Table& made) {
    if constexpr (has_half && !Packed && Vecs == 1) {
      made.half[Rows][0] = &GemmMicro<Half, R, Complex, Rows, 1, false>::template strided<Reach::none>;
      made.half[Rows][1] = &GemmMicro<Half, R, Complex, Rows, 1, true>::template strided<Reach::none>;
    }
    if constexpr (!Packed && Vecs == Tile::vecs && has_far<Rows>) {
      made.down[Rows][0] = &GemmMicro<S, R, Complex, Rows, Vecs, false>::template strided<Reach::down>;
      made.down[Rows][1] = &GemmMicro<S, R, Complex, Rows, Vecs, true>::template strided<Reach::down>;
      made.across[Rows] = &GemmMicro<S, R, Complex, Rows, Vecs, false>::template strided<Reach::across>;
    }
    if constexpr (Rows <= (Vecs == 1 && !Packed ? max_rows : Tile::rows)) {
      made.entry[Packed][Rows][Vecs][0] = micro<Packed, Rows, Vecs>(false);
      made.entry[Packed][Rows][Vecs][1] = micro<Packed, Rows, Vecs>(true);
    }
    if constexpr (Vecs < Tile::vecs) {
      enter<Packed, Rows, Vecs + 1>(made);
    } else if constexpr (Rows + parts <= max_rows) {
      enter<Packed, Rows + parts, 1>(made);
    }
  }
  static constexpr Table make_table() {
    Table made{};
    enter<false, parts, 1>(made);
    enter<true, parts, 1>(made);
    return made;
  }
  static constexpr Table table = make_table();

  struct Loops {
    Call const& call;
    GemmBlocks blocks;
    R* packed_b;
    R* packed_a;

    PANTILE_INLINE void pack_a(Index i, Index rows, Index p, Index depth) const {
      Packing<S, element_bytes, panel_rows>::run(call.a + (i * call.a_rs + p * call.a_cs) * parts, call.a_rs, call.a_cs,
                                                 rows, depth, packed_a);
    }

    void depth_block(Index j, Index cols, Index p, Index depth, bool a_is_packed) const {
      R const* b = call.b + (p * call.b_rs + j * call.b_cs) * parts;
      if (call.pack_b) {
        Packing<S, element_bytes, panel_cols>::run(b, call.b_cs, call.b_rs, cols, depth, packed_b);
        b = packed_b;
      }
      GemmUpdate<R> update;
      set_update(call, p, update);
      for (Index i = 0; i < call.m; i += blocks.mc) {
        Index const rows = smaller(blocks.mc, call.m - i);
        R const* const a = call.a + (i * call.a_rs + p * call.a_cs) * parts;
        R* const c = call.c + (i * call.c_rs + j) * parts;
        if (call.pack_a) {
          if (!a_is_packed) pack_a(i, rows, p, depth);
          macro<true>(rows, cols, depth, packed_a, b, c, update);
        } else {
          macro<false>(rows, cols, depth, a, b, c, update);
        }
      }
    }

    /// All register tiles of a block: across in steps of a tile, and down for each, so that a panel of B stays close.
    template <bool PackedA>
    PANTILE_INLINE void macro(Index rows, Index cols, Index depth, R const* a, R const* b, R* c,
                              GemmUpdate<R> const& update) const {
      GemmTileCall<R> tile;
      tile.k = depth;
      tile.a_rs = call.a_rs * parts;
      tile.a_cs = call.a_cs * parts;
      tile.b_rs = call.pack_b ? Tile::cols : call.b_rs * parts;
      tile.c_rs = call.c_rs * parts;
      // Lines further along each row of A; where there are many rows, the same columns of the next tile's. Measured on an AMD
      // EPYC Zen 3 (one thread, a share of BLIS; without in the same run, and with the former in one run and the latter in
      // another): 10000 x 16 x 500 of double 0.96, 0.85 and 1.00, 1.41, of float 0.57, 0.48 and 0.81, 1.18; 2000 x 16 x 2000 of
      // double 1.11, 1.03 and 1.11, 1.40. Into the second-level cache, since rows a multiple of 4 KB apart meet in one set of
      // the first: 4096 x 48 x 4096 0.50 and 0.64 from there, 0.86 to 1.16 so (0.62 to 1.11 without).
      bool const few_rows = call.m <= 4 * panel_rows;
      tile.a_ahead = few_rows ? 8 * 64 / static_cast<Index>(sizeof(R)) : panel_rows * tile.a_rs;
      // Shallow tiles are done before the lines of C come that they ask for. Measured on an AMD EPYC Zen 3 (one thread,
      // double, a share of BLIS in the same run; none, 3 and 8 panels ahead): 2000 x 2000 x 8 0.95 1.35 1.28, 200 x 50000 x
      // 12 0.80 0.92 0.91, 12 x 200000 x 30 0.79 0.85 1.14.
      bool const looks_ahead = (depth <= 64 || call.far) && cols > 16 * panel_cols;
      tile.c_far = looks_ahead || call.m * call.n * element_bytes > near_c_bytes;
      tile.c_ahead = looks_ahead ? (call.far ? 8 : 4) * Tile::cols : 0;
      for (Index j = 0; j < cols;) {
        Index const left = (cols - j) * parts;
        int const across = registers_across(left);
        Index const width = smaller(across * lanes<S, R>, left);
        tile.last = static_cast<int>(width) - (across - 1) * lanes<S, R>;
        tile.b = b;
        column<PackedA>(tile, rows, across, a, c + j * parts, update);
        b += call.pack_b ? depth * Tile::cols : width;
        j += width / parts;
      }
    }

    /// Of the next column of tiles. Where B is not packed, two columns of about equal width instead of a full one and one of
    /// a single register, whose few sums would wait for each other.
    PANTILE_INLINE int registers_across(Index left) const {
      Index const registers = (left + lanes<S, R> - 1) / lanes<S, R>;
      if (!call.pack_b && registers == Tile::vecs + 1) return (Tile::vecs + 2) / 2;
      return static_cast<int>(smaller(registers, Tile::vecs));
    }

    /// The first lines of what the next depth block reads of these rows of A: each row goes on where this block leaves it,
    /// and the hardware takes a few misses to notice that it is read again.
    static PANTILE_INLINE void foresee(R const* a, GemmTileCall<R> const& tile, Index rows) {
      if (tile.a_cs != parts || tile.k < 128) return;
      constexpr Index line = 64 / static_cast<Index>(sizeof(R));
      for (Index r = 0; r < rows; ++r) {
        R const* const next = a + r * tile.a_rs + tile.k * tile.a_cs;
        for (int ahead = 0; ahead < 3; ++ahead) __builtin_prefetch(next + ahead * line);
      }
    }

    template <bool PackedA>
    PANTILE_INLINE Micro find(GemmTileCall<R> const& tile, int rows, int vecs) const {
      bool const edge = tile.last < lanes<S, R>;
      if (!PackedA && call.far && vecs == Tile::vecs) {
        bool const wide = call.n > 16 * panel_cols, along = tile.a_cs == parts;
        Micro const far = wide && !edge ? table.across[rows] : !wide && along ? table.down[rows][edge] : nullptr;
        if (far != nullptr) return far;
      }
      if (!PackedA && has_half && vecs == 1 && tile.last <= half_lanes) return table.half[rows][tile.last < half_lanes];
      return table.entry[PackedA][rows][vecs][edge];
    }

    template <bool PackedA>
    PANTILE_INLINE void column(GemmTileCall<R>& tile, Index rows, int vecs, R const* a, R* c,
                               GemmUpdate<R> const& update) const {
      Index const most = (PackedA || vecs > 1 ? Tile::rows : max_rows) / parts;
      for (Index i = 0; i < rows;) {
        Index step = smaller(most, rows - i);
        // Two tiles of about equal height instead of a full one and a low one, whose few sums would wait for each other.
        if (!PackedA && rows - i > most && rows - i < 2 * most) step = (rows - i + 1) / 2;
        // Each tile prefetches its share of the next panel, 16 bytes per step of k: twelve tiles a panel of 192 bytes.
        if constexpr (PackedA && Tile::wide) {
          tile.b_soon = reinterpret_cast<char const*>(tile.b + tile.k * tile.b_rs) + i / panel_rows * tile.k * 16;
        }
        tile.a = a;
        tile.c = c + i * tile.c_rs;
        if constexpr (!PackedA) foresee(a, tile, step);
        find<PackedA>(tile, static_cast<int>(step) * parts, vecs)(tile, update);
        a += PackedA ? Tile::rows * tile.k : step * tile.a_rs;
        i += step;
      }
    }
  };
};

}  // namespace pantile::impl::arch
