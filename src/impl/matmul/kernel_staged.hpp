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
#include <pantile/impl/matmul/staged_panel.hpp>
#include <pantile/impl/tile/pack.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/thread_group.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace pantile::impl::matmul {

/// One team per tile of C. Every sum grows in rising k, so that results depend on the shape alone.
template <class TA, class TB, class TC, class Accumulator, class Tile>
struct StagedKernel {
  using Compute = compute_t<Accumulator>;
  using Engine = typename StagedEngine<Compute, Tile>::type;
  static constexpr arch::StagedShape shape = Tile::shape;
  // Numbers of their own: device code may not name the object above.
  static constexpr int m = shape.m, n = shape.n, k = shape.k, stages = shape.stages, warp = shape.warp;
  static constexpr int warp_m = shape.warp_m, warp_n = shape.warp_n, threads = shape.threads();
  static constexpr int lda = m + arch::StagedShape::padding(sizeof(Compute));
  static constexpr int ldb = n + arch::StagedShape::padding(sizeof(Compute));
  static constexpr int a_size = k * lda, b_size = k * ldb;  // elements of a stage
  /// Copies that run by themselves cannot change an element's type.
  template <class T>
  static constexpr bool async = shape.async && std::is_same_v<compute_t<T>, Compute> && sizeof(T) == sizeof(Compute);
  /// Panels that pass through registers take those of a second team.
  static constexpr int teams = !shape.async || (async<TA> && async<TB>) ? shape.teams : 1;
  using MoverA = PanelMover<TA, Compute, k, m, lda, threads, async<TA>>;
  using MoverB = PanelMover<TB, Compute, k, n, ldb, threads, async<TB>>;

  /// What a thread keeps.
  struct State {
    typename Engine::Sums sums;
    typename Engine::Fragments fragments[2];
    typename MoverA::Registers a;
    typename MoverB::Registers b;
    TA const* from_a;  // what comes next
    TB const* from_b;
  };
  using Group = tile::ThreadGroup<State, threads, warp>;

  PanelSource<TA> a;
  PanelSource<TB> b;
  Matrix<TC> c;
  Epilogue<TC, Accumulator> epilogue;
  bool wide_c;  // groups of outputs are one aligned store
  int scratch_level;

  StagedKernel(Problem<TA, TB, TC, Accumulator> const& p, int level)
      : a(PanelSource<TA>::of(p.a, p.conj_a)),
        b(PanelSource<TB>::of(p.b.transposed(), p.conj_b)),
        c(p.c),
        epilogue(p.alpha, p.beta),
        wide_c(tile::takes_packs_along_rows(p.c, Engine::group)),
        scratch_level(level) {}

  /// Scratch for the panels, and on hosts, which play the threads, for their states.
  static constexpr std::size_t panel_bytes = shape.scratch_bytes(sizeof(Compute));

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    std::size_t played = 0;
    KOKKOS_IF_ON_HOST((played = Group::played_bytes;))
    auto* const scratch = static_cast<unsigned char*>(arch::known_scratch(
        member.team_scratch(scratch_level).get_shmem_aligned(panel_bytes + played, tile::scratch_alignment)));
    Group group(member, scratch + panel_bytes);
    auto* const panels_a = reinterpret_cast<Compute*>(scratch);
    Index const across = tile::ceil_div<Index>(c.cols, n), down = tile::ceil_div<Index>(c.rows, m);
    for (Index t = member.league_rank(); t < across * down; t += member.league_size()) {
      auto const at = tile::banded(t, down, across);
      compute_tile(member, group, at.row * m, at.col * n, panels_a, panels_a + stages * a_size);
      member.team_barrier();
    }
  }

 private:
  template <class Member>
  KOKKOS_INLINE_FUNCTION void compute_tile(Member const& member, Group& group, Index row, Index col, Compute* panels_a,
                                           Compute* panels_b) const {
    Index const steps = tile::ceil_div<Index>(a.depth, k);
    group.each([&](int thread, State& state) {
      Engine::clear(state.sums);
      state.from_a = MoverA::begin(a, row, thread);
      state.from_b = MoverB::begin(b, col, thread);
    });
    PANTILE_UNROLL
    for (int step = 0; step < stages - 1; ++step) {
      fetch(group, step, steps, row, col, panels_a + step * a_size, panels_b + step * b_size);
      put(group, step, steps, panels_a + step * a_size, panels_b + step * b_size);
    }
    int stage = 0;
    for (Index step = 0; step < steps; ++step) {
      group.each([&](int, State&) { arch::wait_for_copies<stages - 2>(); });
      member.team_barrier();
      // The stage before this one has been read by everybody; it takes what comes last.
      int const free = stage == 0 ? stages - 1 : stage - 1;
      Index const next = step + stages - 1;
      fetch(group, next, steps, row, col, panels_a + free * a_size, panels_b + free * b_size);
      multiply(group, panels_a + stage * a_size, panels_b + stage * b_size);
      put(group, next, steps, panels_a + free * a_size, panels_b + free * b_size);
      stage = stage == stages - 1 ? 0 : stage + 1;
    }
    store(group, row, col);
  }

  KOKKOS_INLINE_FUNCTION void fetch(Group& group, Index step, Index steps, Index row, Index col, Compute* panel_a,
                                    Compute* panel_b) const {
    group.each([&](int thread, State& state) {
      if (step < steps) {
        Index const left = a.depth - step * k;
        MoverA::fetch(a, state.from_a, left, a.edge - row, thread, state.a, panel_a);
        MoverB::fetch(b, state.from_b, left, b.edge - col, thread, state.b, panel_b);
        state.from_a += MoverA::advance(a);
        state.from_b += MoverB::advance(b);
      }
      arch::close_copy_group();  // an empty one too: groups are counted
    });
  }

  KOKKOS_INLINE_FUNCTION void put(Group& group, Index step, Index steps, Compute* panel_a, Compute* panel_b) const {
    if constexpr (!async<TA> || !async<TB>) {
      group.each([&](int thread, State& state) {
        if (step >= steps) return;
        MoverA::put(a, thread, state.a, panel_a);
        MoverB::put(b, thread, state.b, panel_b);
      });
    }
  }

  /// sums += the product of one stage's panels.
  KOKKOS_INLINE_FUNCTION void multiply(Group& group, Compute const* panel_a, Compute const* panel_b) const {
    read(group, 0, panel_a, panel_b);
    PANTILE_UNROLL
    for (int step = 0; step < k / Engine::depth; ++step) {
      if (step + 1 < k / Engine::depth) read(group, step + 1, panel_a, panel_b);
      group.each_warp([&](State& state) { Engine::multiply(state.sums, state.fragments[step % 2]); },
                      [&](State* states) { Engine::multiply_played(states, step % 2); });
      kokkos_ext::end_of_step();
    }
  }

  KOKKOS_INLINE_FUNCTION void read(Group& group, int step, Compute const* panel_a, Compute const* panel_b) const {
    group.each([&](int thread, State& state) {
      auto& fragments = state.fragments[step % 2];
      Engine::read(fragments, panel_a + step * Engine::depth * lda + warp_row(thread), lda,
                   panel_b + step * Engine::depth * ldb + warp_col(thread), ldb, thread % warp);
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

  KOKKOS_INLINE_FUNCTION void store(Group& group, Index row, Index col) const {
    group.each([&](int thread, State& state) {
      Engine::for_each_group(state.sums, thread % warp, [&](int i, int j, Compute const* values) {
        Index const r = row + warp_row(thread) + i, first = col + warp_col(thread) + j;
        if (r >= c.rows || first >= c.cols) return;
        TC* const to = c.data + r * c.row_stride + first * c.col_stride;
        if (wide_c && first + Engine::group <= c.cols) {
          auto& place = *reinterpret_cast<Pack<TC, Engine::group>*>(to);
          Pack<TC, Engine::group> whole;
          if (epilogue.reads_c) whole = place;
          PANTILE_UNROLL
          for (int v = 0; v < Engine::group; ++v) epilogue(values[v], whole.value[v]);
          place = whole;
        } else {
          PANTILE_UNROLL
          for (int v = 0; v < Engine::group; ++v) {
            if (first + v < c.cols) epilogue(values[v], to[v * c.col_stride]);
          }
        }
      });
    });
  }
};

}  // namespace pantile::impl::matmul
