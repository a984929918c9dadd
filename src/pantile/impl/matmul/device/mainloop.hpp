// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The blocked matmul on devices: panels staged in scratch ahead of their use, outputs in registers. Sources: V.
///        Volkov, J. Demmel, SC 2008 (register tiles); NVIDIA, CUTLASS, "Efficient GEMM in CUDA" (stages, warp tiles).

#include <pantile/element.hpp>
#include <pantile/impl/arch/async_copy.hpp>
#include <pantile/impl/arch/device_tile.hpp>
#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/compiler_ext/unroll.hpp>
#include <pantile/impl/matmul/device/epilogue.hpp>
#include <pantile/impl/matmul/device/load.hpp>
#include <pantile/impl/matmul/device/load_packed.hpp>
#include <pantile/impl/matmul/device/mma.hpp>
#include <pantile/impl/matmul/device/slices.hpp>
#include <pantile/impl/matmul/problem.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/tile/thread_group.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace pantile::impl::matmul {

/// What is multiplied, as a word of the kernel's tag: of complex numbers their parts, of words along k their elements.
template <class Compute, class Tile>
consteval char const* factor_word() {
  if (Tile::shape.k_pack > 1) return is_integer_v<Compute> ? "byte" : "half";
  return is_integer_v<Compute> ? "integer" : element_name_v<typename RealOf<Compute>::type>;
}

/// \brief  One team per tile of C and slice, of k or of a batch. Every sum grows in rising k, so that results depend on
///         the shape alone. With several slices of k C holds their sums one after the other, which SliceSumKernel adds.
template <class TA, class TB, class TC, class Accumulator, class Tile>
struct MultistageKernel : TileStore<typename EngineOf<compute_t<Accumulator>, Tile>::type, Tile, TC, Accumulator> {
  using Compute = compute_t<Accumulator>;
  using Engine = typename EngineOf<Compute, Tile>::type;
  using Store = TileStore<Engine, Tile, TC, Accumulator>;
  using Corner = TileCorner<Tile>;
  static constexpr arch::DeviceTile shape = Tile::shape;
  static constexpr bool same = std::is_same_v<TA, TB> && std::is_same_v<TA, TC> && std::is_same_v<TA, Accumulator>;
  static constexpr arch::KernelTag tag{"matmul",
                                       arch::word_of(shape.engine),
                                       factor_word<Compute, Tile>(),
                                       same ? "same_type" : "mixed_types",
                                       element_name_v<TA>,
                                       "by",
                                       element_name_v<TB>};
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
  static constexpr bool async = shape.async && shape.k_pack == 1 && std::is_same_v<compute_t<T>, Compute> &&
                                sizeof(T) == sizeof(Compute) && alignof(T) >= 4;
  /// Panels that pass through registers take those of a second team, where the tile does not expect it.
  static constexpr int min_blocks = !shape.async || (async<TA> && async<TB>) ? shape.min_blocks : 1;
  template <class T, class Layout, int Edge>
  using Loader = std::conditional_t<(shape.k_pack > 1), PackedLoader<T, Layout, shape.k_pack, k, Edge, threads>,
                                    PanelLoader<T, Layout, k, Edge, threads, async<T>>>;
  using LoaderA = Loader<TA, LayoutA, m>;
  using LoaderB = Loader<TB, LayoutB, n>;

  static_assert(stages >= 2);
  /// What a thread keeps.
  struct State {
    typename Engine::Sums sums;
    typename Engine::Fragments fragments[ahead + 1];
    typename LoaderA::Registers a;
    typename LoaderB::Registers b;
    TA const* from_a;  // what comes next
    TB const* from_b;
    typename Store::Run to_join[Store::joined];
  };
  template <class Member>
  using Group = tile::threads_of<Member, State, threads, warp>;

  PanelSource<TA> a;
  PanelSource<TB> b;
  int scratch_level;

  MultistageKernel(Problem<TA, TB, TC, Accumulator> const& p, Slices const& slices_, int level)
      : Store(p.c, Epilogue<TC, Accumulator>(p.alpha, p.beta), slices_),
        a(PanelSource<TA>::of(p.a, p.conj_a, slices_.a_step)),
        b(PanelSource<TB>::of(p.b.transposed(), p.conj_b, slices_.b_step)),
        scratch_level(level) {}

  /// Scratch for the panels.
  static constexpr std::size_t panel_bytes = shape.scratch_bytes();
  static_assert(panel_bytes == stages * (a_size * sizeof(WordA) + b_size * sizeof(WordB)));

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(Member const& member) const {
    auto* const scratch =
        static_cast<unsigned char*>(Group<Member>::template scratch<panel_bytes>(member, scratch_level));
    Group<Member> group(member, scratch + panel_bytes);
    Panels const panels{scratch};
    sum_tile(member, group, corner(member.league_rank()), panels);
    Store::store(group, corner(compiler_ext::recomputed(member.league_rank())));
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
  KOKKOS_INLINE_FUNCTION Corner corner(int rank) const {
    Index const across = tile::ceil_div<Index>(this->c.cols, n), down = tile::ceil_div<Index>(this->c.rows, m);
    int const slice = static_cast<int>(rank / (across * down));
    auto const at = tile::banded(rank - slice * across * down, down, across);
    return {static_cast<int>(at.row), static_cast<int>(at.col), slice};
  }
  /// What there is of a tile's edges.
  struct Edges {
    int a, b;
  };

  template <class Member, class Group>
  KOKKOS_INLINE_FUNCTION void sum_tile(Member const& member, Group& group, Corner const& at,
                                       Panels const& panels) const {
    Slices const& slices = this->slices;
    Index const depth = slices.depth > 0 ? tile::smaller(slices.depth, a.depth - at.slice * slices.depth) : a.depth;
    Edges const edges{static_cast<int>(tile::smaller<Index>(m, a.edge - at.row())),
                      static_cast<int>(tile::smaller<Index>(n, b.edge - at.col()))};
    group.each([&](int thread, State& state) {
      Engine::clear(state.sums);
      state.from_a = LoaderA::begin(a, at.row(), thread) + at.slice * slices.a_step;
      state.from_b = LoaderB::begin(b, at.col(), thread) + at.slice * slices.b_step;
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
  template <class Group>
  KOKKOS_INLINE_FUNCTION void fetch(Group& group, Index left, Edges const& edges, Panels const& to) const {
    group.each([&](int thread, State& state) {
      if (left > 0) {
        int const depth = static_cast<int>(tile::smaller<Index>(left, k));
        LoaderA::fetch(a, state.from_a, depth, edges.a, thread, state.a, to.a());
        LoaderB::fetch(b, state.from_b, depth, edges.b, thread, state.b, to.b());
        state.from_a += LoaderA::advance(a);
        state.from_b += LoaderB::advance(b);
      }
      if constexpr (async<TA> || async<TB>) arch::close_copy_group();  // an empty one too: groups are counted
    });
  }

  template <class Group>
  KOKKOS_INLINE_FUNCTION void put(Group& group, Index left, Panels const& to) const {
    if constexpr (!async<TA> || !async<TB>) {
      group.each([&](int thread, State& state) {
        if (left <= 0) return;
        LoaderA::put(a, thread, state.a, to.a());
        LoaderB::put(b, thread, state.b, to.b());
      });
    }
  }

  /// \brief  sums += the product of one stage's panels, from this step on. Unrolled by the language: a pragma only
  ///         asks, and nvcc 12.4 left a loop of two steps around matrix instructions rolled.
  template <int step = 0, class Group>
  KOKKOS_INLINE_FUNCTION void multiply(Group& group, Panels const& panels) const {
    if constexpr (step == 0 && ahead > 0) read(group, 0, panels);
    if constexpr (step + ahead < steps_of_panel) read(group, step + ahead, panels);
    group.each_warp(WarpMultiply<Engine, step % (ahead + 1)>{});
    compiler_ext::end_of_step<shape.in_order>();
    if constexpr (step + 1 < steps_of_panel) multiply<step + 1>(group, panels);
  }

  template <class Group>
  KOKKOS_INLINE_FUNCTION void read(Group& group, int step, Panels const& panels) const {
    group.each([&](int thread, State& state) {
      auto& fragments = state.fragments[step % (ahead + 1)];
      Engine::template read<LayoutA, LayoutB>(fragments, panels.a(), panels.b(), step, Store::warp_row(thread),
                                              Store::warp_col(thread), thread % warp);
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
};

}  // namespace pantile::impl::matmul
