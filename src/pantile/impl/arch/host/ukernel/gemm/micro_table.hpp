// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The micro-kernels of an instruction set, by the size of their tiles and by where operands lie.

#include <pantile/impl/arch/host/ukernel/gemm/micro_kernel.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/uneven.hpp>

namespace pantile::impl::arch {

template <class S, class R, bool Complex>
struct GemmMicroTable {
  using Tile = GemmTile<S, R>;
  using Call = GemmCall<R>;
  using Micro = void (*)(GemmTileCall<R> const&, GemmUpdate<R> const&);
  static constexpr int parts = Complex ? 2 : 1;  // numbers of R in an element
  static constexpr int max_rows = Tile::single_rows > Tile::rows ? Tile::single_rows : Tile::rows;
  static constexpr int half_lanes = lanes<S, R> / 2;
  static constexpr bool has_half = S::bytes > 16 && sizeof(R) * 2 <= S::bytes / 2;

  /// Half registers across the widest tile.
  static constexpr int most_halves = 2 * (Tile::has_broad ? Tile::broad_vecs : Tile::vecs);
  template <class F>
  using InPlace = F[max_rows + 1][most_halves + 1][2];  // (rows, half registers across, edge), A not packed

  InPlace<Micro> in_place;
  InPlace<Micro> soon;                              // for some of them, with prefetch
  Micro packed[Tile::rows + 1][Tile::vecs + 1][2];  // (rows, registers across, edge)
  Micro down[Tile::rows + 1][2];                    // (rows, edge), A not packed, all registers across
  Micro across[Tile::rows + 1];                     // (rows), A not packed, all registers across, no edge
  void (*whole[max_rows + 1][3])(Call const&);      // (rows; full, edge, half), products that are one such tile
  void (*each[max_rows + 1][3])(Call const&, GemmBatch const&);  // products of a batch that are

  static constexpr GemmMicroTable made() {
    GemmMicroTable table{};
    enter<false, parts, 1>(table);
    enter<true, parts, 1>(table);
    if constexpr (!Complex && Tile::has_broad) enter_broad<Tile::broad_rows>(table);
    if constexpr (!Complex && Tile::has_uneven) {
      enter_uneven<Tile::uneven_rows(1), 1>(table);
      enter_uneven<Tile::uneven_rows(2), 2>(table);
    }
    return table;
  }

 private:
  /// For tiles that fill no more than half a register (n = 4 of float).
  using Half = PartOf<S, S::bytes / 2>;

  /// Rows of the highest tile that reads A where it lies.
  template <int Vecs>
  static constexpr int most_rows = Vecs == 1 ? max_rows : Tile::rows;
  /// Heights of tiles that tall operands are cut into; integers compute longer than they wait.
  template <int Rows, int Vecs>
  static constexpr bool has_prefetch = R(1) / R(2) != R(0) && 2 * Rows >= most_rows<Vecs> && Rows <= most_rows<Vecs>;

  /// The micro-kernels of so many rows and registers across, full and at the right edge, A not packed.
  template <class Of, int Rows, int Vecs, Prefetch Fetch = Prefetch::none>
  static constexpr void set(Micro (&by_edge)[2]) {
    by_edge[0] = &GemmMicro<Of, R, Complex, Rows, Vecs, false>::template strided<Fetch>;
    by_edge[1] = &GemmMicro<Of, R, Complex, Rows, Vecs, true>::template strided<Fetch>;
  }

  /// The heights that C of at least broad_rows is cut into.
  template <int Rows>
  static constexpr void enter_broad(GemmMicroTable& table) {
    set<S, Rows, Tile::broad_vecs>(table.in_place[Rows][most_halves]);
    if constexpr (2 * Rows > Tile::broad_rows) enter_broad<Rows - 1>(table);
  }

  template <int Rows, int Full>
  static constexpr void enter_uneven(GemmMicroTable& table) {
    table.in_place[Rows][2 * Full + 1][0] = &GemmUneven<S, R, Rows, Full, false>::strided;
    table.in_place[Rows][2 * Full + 1][1] = &GemmUneven<S, R, Rows, Full, true>::strided;
    if constexpr (2 * Rows > Tile::uneven_rows(Full)) enter_uneven<Rows - 1, Full>(table);
  }

  template <bool Packed, int Rows, int Vecs>
  static constexpr void enter(GemmMicroTable& table) {
    if constexpr (!Complex && !Packed && Vecs == 1) {
      table.whole[Rows][0] = &GemmMicro<S, R, Complex, Rows, 1, false>::whole;
      table.whole[Rows][1] = &GemmMicro<S, R, Complex, Rows, 1, true>::whole;
      table.each[Rows][0] = &GemmMicro<S, R, Complex, Rows, 1, false>::template each<0>;
      table.each[Rows][1] = &GemmMicro<S, R, Complex, Rows, 1, true>::template each<0>;
      if constexpr (has_half) {
        table.whole[Rows][2] = &GemmMicro<Half, R, Complex, Rows, 1, false>::whole;
        table.each[Rows][2] = &GemmMicro<Half, R, Complex, Rows, 1, false>::template each<0>;
      }
    }
    if constexpr (has_half && !Packed && Vecs == 1) {
      set<Half, Rows, 1>(table.in_place[Rows][1]);
    }
    if constexpr (!Packed && has_prefetch<Rows, Vecs> && (!Complex || Vecs < Tile::vecs)) {
      set<S, Rows, Vecs, Prefetch::soon>(table.soon[Rows][2 * Vecs]);
    }
    if constexpr (!Packed && Vecs == Tile::vecs && has_prefetch<Rows, Vecs>) {
      set<S, Rows, Vecs, Prefetch::down>(table.down[Rows]);
      table.across[Rows] = &GemmMicro<S, R, Complex, Rows, Vecs, false>::template strided<Prefetch::across>;
    }
    if constexpr (Packed && Rows <= Tile::rows) {
      table.packed[Rows][Vecs][0] = &GemmMicro<S, R, Complex, Rows, Vecs, false>::template packed<Tile::rows>;
      table.packed[Rows][Vecs][1] = &GemmMicro<S, R, Complex, Rows, Vecs, true>::template packed<Tile::rows>;
    }
    if constexpr (!Packed && Rows <= most_rows<Vecs>) set<S, Rows, Vecs>(table.in_place[Rows][2 * Vecs]);
    if constexpr (Vecs < Tile::vecs) {
      enter<Packed, Rows, Vecs + 1>(table);
    } else if constexpr (Rows + parts <= max_rows) {
      enter<Packed, Rows + parts, 1>(table);
    }
  }
};

}  // namespace pantile::impl::arch
