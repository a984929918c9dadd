// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The epilogue: a team's sums are stored to C. Neighbouring lanes of a warp exchange sums first, so that each
///        stores 16 bytes of a row.

#include <pantile/impl/arch/device_tile.hpp>
#include <pantile/impl/arch/matrix_multiply.hpp>
#include <pantile/impl/arch/warp_shuffle.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
#include <pantile/impl/matmul/device/slices.hpp>
#include <pantile/impl/matmul/problem.hpp>
#include <pantile/impl/tile/pack.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>

namespace pantile::impl::matmul {

using tile::Pack;

/// \brief  One exchange of two lanes whose numbers differ in `bit`: of units low and high = low | bit the lane with the
///         bit gives its low one and the other its high one, and each takes the other's in its place.
template <class Word>
struct UnitPair {
  Word &low, &high;
  bool upper;  ///< the lane has the bit
  KOKKOS_INLINE_FUNCTION Word give() const { return upper ? low : high; }
  KOKKOS_INLINE_FUNCTION void take(Word const& other) const {
    low = upper ? other : low;
    high = upper ? high : other;
  }
};

/// f(bit, low) for every exchange, in their order.
template <int Lanes, class F>
KOKKOS_INLINE_FUNCTION void for_each_exchange(F const& f) {
  static_assert(Lanes == 1 || Lanes == 2 || Lanes == 4);
  PANTILE_UNROLL
  for (int bit = 1; bit < Lanes; bit *= 2) {
    PANTILE_UNROLL
    for (int low = 0; low < Lanes; ++low) {
      if ((low & bit) == 0) f(bit, low);
    }
  }
}

/// The lane's part of the exchange, called by all lanes of the warp; on devices only.
template <int Lanes, class Unit>
KOKKOS_INLINE_FUNCTION void exchange(Unit (&unit)[Lanes], int lane) {
  constexpr int count = (static_cast<int>(sizeof(Unit)) + 3) / 4;
  struct Words {
    std::uint32_t value[count];
  };
  Words words[Lanes] = {};
  PANTILE_UNROLL
  for (int i = 0; i < Lanes; ++i) memcpy(&words[i], &unit[i], sizeof(Unit));
  for_each_exchange<Lanes>([&](int bit, int low) {
    PANTILE_UNROLL
    for (int w = 0; w < count; ++w) {
      UnitPair<std::uint32_t> const pair{words[low].value[w], words[low | bit].value[w], (lane & bit) != 0};
      pair.take(arch::shfl_xor(pair.give(), bit));
    }
  });
  PANTILE_UNROLL
  for (int i = 0; i < Lanes; ++i) memcpy(&unit[i], &words[i], sizeof(Unit));
}

/// What lanes exchange of the member to_join of a thread's state.
template <int Lanes, int Warp>
struct WarpExchange {
  template <class State>
  KOKKOS_INLINE_FUNCTION void operator()(int thread, State& state) const {
    exchange<Lanes>(state.to_join, thread % Warp);
  }
};

/// Which tile of C, counted in tiles, and which slice a team takes.
template <class Tile>
struct TileCorner {
  static constexpr int m = Tile::shape.m, n = Tile::shape.n;
  int down, across, slice;
  KOKKOS_INLINE_FUNCTION Index row() const { return static_cast<Index>(down) * m; }
  KOKKOS_INLINE_FUNCTION Index col() const { return static_cast<Index>(across) * n; }
};

/// Writes the tile of a team, whose threads have members sums (Engine's) and to_join in their states.
template <class Engine, class Tile, class TC, class Accumulator>
struct TileStore {
  using Compute = compute_t<Accumulator>;
  using Corner = TileCorner<Tile>;
  static constexpr int n = Tile::shape.n, warp = Tile::shape.warp, warp_m = Tile::shape.warp_m,
                       warp_n = Tile::shape.warp_n;
  /// Neighbouring sums of a lane, and of so many lanes that they are 16 bytes of C where possible.
  static constexpr int run = Engine::neighbours, run_bytes = run * static_cast<int>(sizeof(TC));
  static constexpr int joined = run_bytes < 16 ? tile::smaller(Engine::joining, 16 / run_bytes) : 1;
  static_assert(Engine::runs % joined == 0 && (Engine::runs_across % joined == 0 || joined % Engine::runs_across == 0));
  using Run = Pack<TC, run>;
  using Joined = Pack<TC, run * joined>;

  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;
  Slices slices;
  bool wide_c, joined_c;  // runs of outputs, and joined ones, are one aligned store

  TileStore(Matrix<TC> const& c_, Epilogue<TC, Accumulator> const& epilogue_, Slices const& slices_)
      : c(c_),
        epilogue(epilogue_),
        slices(slices_),
        wide_c(tile::takes_packs_along_rows(c_, run, slices_.c_step)),
        joined_c(tile::takes_packs_along_rows(c_, run * joined, slices_.c_step)) {}

  KOKKOS_INLINE_FUNCTION static int warp_row(int thread) { return thread / warp / (n / warp_n) * warp_m; }
  KOKKOS_INLINE_FUNCTION static int warp_col(int thread) { return thread / warp % (n / warp_n) * warp_n; }

  /// The team's tile, by all of its threads.
  template <class Group>
  KOKKOS_INLINE_FUNCTION void store(Group& group, Corner const& at) const {
    PANTILE_UNROLL
    for (int first = 0; first < Engine::runs; first += joined) {
      if constexpr (joined == 1) {
        group.each([&](int rank, auto& state) { store_run(state, compiler_ext::recomputed(rank), at, first); });
      } else {
        store_joined(group, at, first);
      }
    }
  }

 private:
  /// Where a run of a thread's sums goes.
  struct Target {
    Index row, col;
  };
  KOKKOS_INLINE_FUNCTION static Target target(Corner const& at, int thread, int lane, int number) {
    arch::Place const place = Engine::place(lane, number);
    return {at.row() + warp_row(thread) + place.row, at.col() + warp_col(thread) + place.col};
  }
  KOKKOS_INLINE_FUNCTION TC* address(Corner const& at, Target const& to) const {
    return c.data + at.slice * slices.c_step + to.row * c.row_stride + to.col * c.col_stride;
  }

  /// Runs from `first` on of all threads. All lanes exchange theirs, which are stored so where all of a warp's are
  /// inside of C's columns; else each lane stores its own.
  template <class Group>
  KOKKOS_INLINE_FUNCTION void store_joined(Group& group, Corner const& at, int first) const {
    auto const inside = [&](int thread) {
      return joined_c && target(at, thread, warp - 1, first + joined - 1).col + run <= c.cols;
    };
    group.each([&](int rank, auto& state) {
      int const thread = compiler_ext::recomputed(rank);
      PANTILE_UNROLL
      for (int i = 0; i < joined; ++i) {
        if (!inside(thread)) {
          store_run(state, thread, at, first + i);
        } else if (Target const to = target(at, thread, thread % warp, first + i); to.row < c.rows) {
          state.to_join[i] = finished(state, first + i, address(at, to));
        }
      }
    });
    group.each_warp(WarpExchange<joined, warp>{});
    group.each([&](int rank, auto& state) {
      int const thread = compiler_ext::recomputed(rank), lane = thread % warp, own = lane % joined;
      Target const to = target(at, thread, lane - own, first + own);
      if (!inside(thread) || to.row >= c.rows) return;
      *reinterpret_cast<Joined*>(address(at, to)) = arch::bits_as<Joined>(state.to_join);
    });
  }

  /// A run as C should have it, from where it is now.
  template <class State>
  KOKKOS_INLINE_FUNCTION Run finished(State const& state, int number, TC const* from) const {
    Compute sums[run];
    Engine::values(state.sums, number, sums);
    Run whole;
    if (epilogue.reads_c) whole = *reinterpret_cast<Run const*>(from);
    PANTILE_UNROLL
    for (int v = 0; v < run; ++v) epilogue(sums[v], whole.value[v]);
    return whole;
  }

  template <class State>
  KOKKOS_INLINE_FUNCTION void store_run(State const& state, int thread, Corner const& at, int number) const {
    Target const to = target(at, thread, thread % warp, number);
    if (to.row >= c.rows || to.col >= c.cols) return;
    TC* const place = address(at, to);
    if (wide_c && to.col + run <= c.cols) {
      *reinterpret_cast<Run*>(place) = finished(state, number, place);
    } else {
      Compute sums[run];
      Engine::values(state.sums, number, sums);
      PANTILE_UNROLL
      for (int v = 0; v < run; ++v) {
        if (to.col + v < c.cols) epilogue(sums[v], place[v * c.col_stride]);
      }
    }
  }
};

}  // namespace pantile::impl::matmul
