// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The blocked matmul on devices: panels staged in scratch ahead of their use, outputs in registers. Sources: V.
///        Volkov, J. Demmel, SC 2008 (register tiles); NVIDIA, CUTLASS, "Efficient GEMM in CUDA" (stages, warp tiles).

#include <pantile/impl/arch/async_copy.hpp>
#include <pantile/impl/arch/staged_shape.hpp>
#include <pantile/impl/kokkos_ext/unroll.hpp>
#include <pantile/impl/matmul/problem.hpp>
#include <pantile/impl/matmul/staged_engine.hpp>
#include <pantile/impl/matmul/staged_exchange.hpp>
#include <pantile/impl/matmul/staged_panel.hpp>
#include <pantile/impl/matmul/staged_words.hpp>
#include <pantile/impl/tile/pack.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/thread_group.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace pantile::impl::matmul {

/// \brief  How the sums over k are split: the teams of the first piece come first.
struct StagedSplit {
  int pieces = 1;
  Index depth = 0;   ///< of a piece, a multiple of the tile's
  Index stride = 0;  ///< elements from a piece's C to the next one's
};

/// \brief  One team per tile of C and piece of k. Every sum grows in rising k, so that results depend on the shape alone.
///         With several pieces C holds their sums one after the other, which PieceKernel adds.
template <class TA, class TB, class TC, class Accumulator, class Tile>
struct StagedKernel {
  using Compute = compute_t<Accumulator>;
  using Engine = typename StagedEngine<Compute, Tile>::type;
  static constexpr arch::StagedShape shape = Tile::shape;
  // Numbers of their own: device code may not name the object above.
  static constexpr int m = shape.m, n = shape.n, k = shape.k, stages = shape.stages, warp = shape.warp;
  static constexpr int warp_m = shape.warp_m, warp_n = shape.warp_n, threads = shape.threads();
  static constexpr int rows = shape.word_rows(), steps_of_panel = rows / Engine::depth, ahead = shape.ahead;
  using LayoutA = PanelLayout<typename Engine::WordA, m, shape.padding(), shape.padding_of_four()>;
  using LayoutB = PanelLayout<typename Engine::WordB, n, shape.padding(), shape.padding_of_four()>;
  using WordA = typename LayoutA::Word;
  using WordB = typename LayoutB::Word;
  static constexpr int a_size = shape.panel_words(m), b_size = shape.panel_words(n);  // of a stage
  /// Copies that run by themselves cannot change an element's type, nor put elements together, nor take single bytes.
  template <class T>
  static constexpr bool async = shape.async && shape.group == 1 && std::is_same_v<compute_t<T>, Compute> &&
                                sizeof(T) == sizeof(Compute) && alignof(T) >= 4;
  /// Panels that pass through registers take those of a second team, where the tile does not expect it.
  static constexpr int teams = !shape.async || (async<TA> && async<TB>) ? shape.teams : 1;
  template <class T, class Layout, int Edge>
  using Mover = std::conditional_t<(shape.group > 1), WordMover<T, Layout, shape.group, k, Edge, threads>,
                                   PanelMover<T, Layout, k, Edge, threads, async<T>>>;
  using MoverA = Mover<TA, LayoutA, m>;
  using MoverB = Mover<TB, LayoutB, n>;

  /// Neighbouring sums of a lane, and of so many lanes that they are 16 bytes of C where possible.
  static constexpr int run = Engine::neighbours, run_bytes = run * static_cast<int>(sizeof(TC));
  static constexpr int joined = run_bytes < 16 ? tile::smaller(Engine::joining, 16 / run_bytes) : 1;
  static_assert(Engine::runs % joined == 0 && (Engine::runs_across % joined == 0 || joined % Engine::runs_across == 0));
  static_assert(stages >= 2);
  using Run = Pack<TC, run>;
  using Joined = Pack<TC, run * joined>;

  /// What a thread keeps.
  struct State {
    typename Engine::Sums sums;
    typename Engine::Fragments fragments[ahead + 1];
    typename MoverA::Registers a;
    typename MoverB::Registers b;
    TA const* from_a;  // what comes next
    TB const* from_b;
    Run to_join[joined];
  };
  using Group = tile::ThreadGroup<State, threads, warp>;

  PanelSource<TA> a;
  PanelSource<TB> b;
  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;
  bool wide_c, joined_c;  // runs of outputs, and joined ones, are one aligned store
  StagedSplit split;
  int scratch_level;

  StagedKernel(Problem<TA, TB, TC, Accumulator> const& p, StagedSplit const& split_, int level)
      : a(PanelSource<TA>::of(p.a, p.conj_a)),
        b(PanelSource<TB>::of(p.b.transposed(), p.conj_b)),
        c(p.c),
        epilogue(p.alpha, p.beta),
        wide_c(tile::takes_packs_along_rows(p.c, run)),
        joined_c(tile::takes_packs_along_rows(p.c, run * joined)),
        split(split_),
        scratch_level(level) {}

  /// Scratch for the panels, and on hosts, which play the threads, for their states.
  static constexpr std::size_t panel_bytes = shape.scratch_bytes();
  static_assert(panel_bytes == stages * (a_size * sizeof(WordA) + b_size * sizeof(WordB)));

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    auto* const scratch = static_cast<unsigned char*>(Group::template scratch<panel_bytes>(member, scratch_level));
    Group group(member, scratch + panel_bytes);
    Panels const panels{scratch};
    sum_tile(member, group, corner(member.league_rank()), panels);
    store(group, corner(kokkos_ext::recomputed(member.league_rank())));
  }

 private:
  /// A stage: A's panel and behind it B's, so that one address leads to both.
  struct Panels {
    unsigned char* data;
    KOKKOS_INLINE_FUNCTION WordA* a() const { return reinterpret_cast<WordA*>(data); }
    KOKKOS_INLINE_FUNCTION WordB* b() const { return reinterpret_cast<WordB*>(data + a_size * sizeof(WordA)); }
    KOKKOS_INLINE_FUNCTION Panels stage(int number) const {
      return {data + number * static_cast<int>(a_size * sizeof(WordA) + b_size * sizeof(WordB))};
    }
  };
  /// Which tile, counted in tiles, and which piece of k it takes.
  struct Corner {
    int down, across, piece;
    KOKKOS_INLINE_FUNCTION Index row() const { return static_cast<Index>(down) * m; }
    KOKKOS_INLINE_FUNCTION Index col() const { return static_cast<Index>(across) * n; }
  };
  KOKKOS_INLINE_FUNCTION Corner corner(int rank) const {
    Index const across = tile::ceil_div<Index>(c.cols, n), down = tile::ceil_div<Index>(c.rows, m);
    int const piece = static_cast<int>(rank / (across * down));
    auto const at = tile::banded(rank - piece * across * down, down, across);
    return {static_cast<int>(at.row), static_cast<int>(at.col), piece};
  }
  /// What there is of a tile's edges.
  struct Edges {
    int a, b;
  };

  template <class Member>
  KOKKOS_INLINE_FUNCTION void sum_tile(Member const& member, Group& group, Corner const& at,
                                       Panels const& panels) const {
    Index const first = at.piece * split.depth;
    Index const depth = split.pieces > 1 ? tile::smaller(split.depth, a.depth - first) : a.depth;
    Edges const edges{static_cast<int>(tile::smaller<Index>(m, a.edge - at.row())),
                      static_cast<int>(tile::smaller<Index>(n, b.edge - at.col()))};
    group.each([&](int thread, State& state) {
      Engine::clear(state.sums);
      state.from_a = MoverA::begin(a, at.row(), thread) + first * a.depth_stride;
      state.from_b = MoverB::begin(b, at.col(), thread) + first * b.depth_stride;
    });
    PANTILE_UNROLL
    for (int step = 0; step < stages - 1; ++step) {
      fetch(group, depth - step * k, edges, panels.stage(step));
      put(group, depth - step * k, panels.stage(step));
    }
    int stage = 0;
    for (Index left = depth; left > 0; left -= k) {
      if constexpr (async<TA> || async<TB>) group.each([&](int, State&) { arch::wait_for_copies<stages - 2>(); });
      member.team_barrier();
      // The stage before this one has been read by everybody; it takes what comes last.
      Panels const free = panels.stage(stage == 0 ? stages - 1 : stage - 1);
      fetch(group, left - (stages - 1) * k, edges, free);
      multiply(group, panels.stage(stage));
      put(group, left - (stages - 1) * k, free);
      stage = stage == stages - 1 ? 0 : stage + 1;
    }
    member.team_barrier();  // a team that goes on to another rank of the league writes into these stages
  }

  /// \param  left  of the depth, from the panel on; nothing is moved where that is not positive
  KOKKOS_INLINE_FUNCTION void fetch(Group& group, Index left, Edges const& edges, Panels const& to) const {
    group.each([&](int thread, State& state) {
      if (left > 0) {
        int const depth = static_cast<int>(tile::smaller<Index>(left, k));
        MoverA::fetch(a, state.from_a, depth, edges.a, thread, state.a, to.a());
        MoverB::fetch(b, state.from_b, depth, edges.b, thread, state.b, to.b());
        state.from_a += MoverA::advance(a);
        state.from_b += MoverB::advance(b);
      }
      if constexpr (async<TA> || async<TB>) arch::close_copy_group();  // an empty one too: groups are counted
    });
  }

  KOKKOS_INLINE_FUNCTION void put(Group& group, Index left, Panels const& to) const {
    if constexpr (!async<TA> || !async<TB>) {
      group.each([&](int thread, State& state) {
        if (left <= 0) return;
        MoverA::put(a, thread, state.a, to.a());
        MoverB::put(b, thread, state.b, to.b());
      });
    }
  }

  /// \brief  sums += the product of one stage's panels, from this step on. Unrolled by the language: a pragma only asks, and
  ///         nvcc 12.4 left a loop of two steps around matrix instructions rolled.
  template <int step = 0>
  KOKKOS_INLINE_FUNCTION void multiply(Group& group, Panels const& panels) const {
    if constexpr (step == 0 && ahead > 0) read(group, 0, panels);
    if constexpr (step + ahead < steps_of_panel) read(group, step + ahead, panels);
    constexpr int which = step % (ahead + 1);
    group.each_warp([&](int, State& state) { Engine::multiply(state.sums, state.fragments[which]); },
                    [&](State* states) { Engine::multiply_played(states, which); });
    kokkos_ext::end_of_step<shape.in_order>();
    if constexpr (step + 1 < steps_of_panel) multiply<step + 1>(group, panels);
  }

  KOKKOS_INLINE_FUNCTION void read(Group& group, int step, Panels const& panels) const {
    group.each([&](int thread, State& state) {
      auto& fragments = state.fragments[step % (ahead + 1)];
      Engine::template read<LayoutA, LayoutB>(fragments, panels.a(), panels.b(), step, warp_row(thread), warp_col(thread),
                                              thread % warp);
      if constexpr (is_complex_v<Compute>) {
        if (async<TA> && a.conjugated) {
          PANTILE_UNROLL
          for (auto& value : fragments.a) value = conjugate(value);
        }
        if (async<TB> && b.conjugated) {
          PANTILE_UNROLL
          for (auto& value : fragments.b) value = conjugate(value);
        }
      }
    });
  }

  KOKKOS_INLINE_FUNCTION static int warp_row(int thread) { return thread / warp / (n / warp_n) * warp_m; }
  KOKKOS_INLINE_FUNCTION static int warp_col(int thread) { return thread / warp % (n / warp_n) * warp_n; }

  /// Where a run of a thread's sums goes.
  struct Target {
    Index row, col;
  };
  KOKKOS_INLINE_FUNCTION static Target target(Corner const& at, int thread, int lane, int number) {
    arch::Place const place = Engine::place(lane, number);
    return {at.row() + warp_row(thread) + place.row, at.col() + warp_col(thread) + place.col};
  }
  KOKKOS_INLINE_FUNCTION TC* address(Corner const& at, Target const& to) const {
    return c.data + at.piece * split.stride + to.row * c.row_stride + to.col * c.col_stride;
  }

  KOKKOS_INLINE_FUNCTION void store(Group& group, Corner const& at) const {
    PANTILE_UNROLL
    for (int first = 0; first < Engine::runs; first += joined) {
      if constexpr (joined == 1) {
        group.each([&](int rank, State& state) { store_run(state, kokkos_ext::recomputed(rank), at, first); });
      } else {
        store_joined(group, at, first);
      }
    }
  }

  /// Runs from `first` on of all threads. All lanes exchange theirs, which are stored so where all of a warp's are inside of
  /// C's columns; else each lane stores its own.
  KOKKOS_INLINE_FUNCTION void store_joined(Group& group, Corner const& at, int first) const {
    auto const inside = [&](int thread) {
      return joined_c && target(at, thread, warp - 1, first + joined - 1).col + run <= c.cols;
    };
    group.each([&](int rank, State& state) {
      int const thread = kokkos_ext::recomputed(rank);
      PANTILE_UNROLL
      for (int i = 0; i < joined; ++i) {
        if (!inside(thread)) {
          store_run(state, thread, at, first + i);
        } else if (Target const to = target(at, thread, thread % warp, first + i); to.row < c.rows) {
          state.to_join[i] = finished(state, first + i, address(at, to));
        }
      }
    });
    group.each_warp([&](int thread, State& state) { exchange<joined>(state.to_join, thread % warp); },
                    [&](State* states) {
                      exchange_played<joined>(warp, [&](int lane) -> auto& { return states[lane].to_join; });
                    });
    group.each([&](int rank, State& state) {
      int const thread = kokkos_ext::recomputed(rank), lane = thread % warp, own = lane % joined;
      Target const to = target(at, thread, lane - own, first + own);
      if (!inside(thread) || to.row >= c.rows) return;
      *reinterpret_cast<Joined*>(address(at, to)) = arch::bits_as<Joined>(state.to_join);
    });
  }

  /// A run as C should have it, from where it is now.
  KOKKOS_INLINE_FUNCTION Run finished(State const& state, int number, TC const* from) const {
    Compute sums[run];
    Engine::values(state.sums, number, sums);
    Run whole;
    if (epilogue.reads_c) whole = *reinterpret_cast<Run const*>(from);
    PANTILE_UNROLL
    for (int v = 0; v < run; ++v) epilogue(sums[v], whole.value[v]);
    return whole;
  }

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

/// An element of C from the pieces' sums, added in rising k.
template <class Part, class TC, class Accumulator>
struct PieceKernel {
  using Compute = compute_t<Accumulator>;
  Part const* sums;
  Index row_stride;
  StagedSplit split;
  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    Part const* const from = sums + i * row_stride + j;
    Compute sum(0);
    for (int piece = 0; piece < split.pieces; ++piece) sum += convert<Compute>(from[piece * split.stride]);
    epilogue(sum, c(i, j));
  }
};

}  // namespace pantile::impl::matmul
