// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The blocked matmul on devices: panels copied to scratch ahead of their use, outputs in registers. Sources: V.
///        Volkov, J. Demmel, SC 2008 (register tiles); NVIDIA, CUTLASS, "Efficient GEMM in CUDA" (stages, warp tiles).

#include <pantile/element.hpp>
#include <pantile/impl/arch/async_copy.hpp>
#include <pantile/impl/arch/device_tile.hpp>
#include <pantile/impl/arch/kernel_tag.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>
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

/// What is multiplied, as a word of the kernel's tag: of complex numbers their parts, of k-packs their elements.
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
  static constexpr int rows = shape.k_pack_rows(), steps_of_panel = rows / Engine::depth, ahead = shape.ahead;
  using LayoutA = PanelLayout<typename Engine::KPackA, m, shape.padding(), shape.padding_of_four()>;
  using LayoutB = PanelLayout<typename Engine::KPackB, n, shape.padding(), shape.padding_of_four()>;
  using KPackA = typename LayoutA::Packed;
  using KPackB = typename LayoutB::Packed;
  static constexpr int a_size = shape.panel_size(m), b_size = shape.panel_size(n);  // of a stage
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
  static constexpr int fetch_groups = shape.fetch_groups, steps_of_group = steps_of_panel / fetch_groups;
  static constexpr bool across = shape.across;
  /// Do warps wait for the next panel before the last products of this one? Not where elements wait in registers, which
  /// fragments take too.
  static constexpr bool early = across || (async<TA> && async<TB>);

  static_assert(stages >= 2);
  static_assert(ahead == 0 || (ahead == 1 && steps_of_panel % 2 == 0), "fragments of two steps alternate");
  static_assert(!across || ahead == 1);
  static_assert(steps_of_panel % fetch_groups == 0 && threads % (fetch_groups * warp) == 0);
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
  static_assert(panel_bytes == stages * (a_size * sizeof(KPackA) + b_size * sizeof(KPackB)));

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
    KOKKOS_INLINE_FUNCTION KPackA* a() const { return reinterpret_cast<KPackA*>(data); }
    KOKKOS_INLINE_FUNCTION KPackB* b() const { return reinterpret_cast<KPackB*>(data + a_size * sizeof(KPackA)); }
    KOKKOS_INLINE_FUNCTION Panels stage(int number) const {
      return {data + number * static_cast<int>(a_size * sizeof(KPackA) + b_size * sizeof(KPackB))};
    }
  };
  KOKKOS_INLINE_FUNCTION Corner corner(int rank) const {
    Index const wide = tile::ceil_div<Index>(this->c.cols, n), down = tile::ceil_div<Index>(this->c.rows, m);
    int const slice = static_cast<int>(rank / (wide * down));
    auto const at = tile::banded(rank - slice * wide * down, down, wide);
    return {static_cast<int>(at.row), static_cast<int>(at.col), slice};
  }
  /// What there is of the tile's edges, and of the depth in its last panel: in one register.
  struct Extents {
    int packed;
    KOKKOS_INLINE_FUNCTION static Extents of(int a, int b, int last) { return {a | b << 10 | last << 20}; }
    [[nodiscard]] KOKKOS_INLINE_FUNCTION int a() const { return packed & 1023; }
    [[nodiscard]] KOKKOS_INLINE_FUNCTION int b() const { return packed >> 10 & 1023; }
    [[nodiscard]] KOKKOS_INLINE_FUNCTION int last() const { return packed >> 20; }
  };
  static_assert(m < 1024 && n < 1024 && k < 1024);

  template <class Member, class Group>
  KOKKOS_INLINE_FUNCTION void sum_tile(Member const& member, Group& group, Corner const& at,
                                       Panels const& panels) const {
    Slices const& slices = this->slices;
    Index const depth = slices.depth > 0 ? tile::smaller(slices.depth, a.depth - at.slice * slices.depth) : a.depth;
    int const count = static_cast<int>(tile::ceil_div<Index>(depth, k));
    auto const there = Extents::of(static_cast<int>(tile::smaller<Index>(m, a.edge - at.row())),
                                   static_cast<int>(tile::smaller<Index>(n, b.edge - at.col())),
                                   static_cast<int>(depth - (count - 1) * Index{k}));
    group.each([&](int thread, State& state) {
      Engine::clear(state.sums);
      state.from_a = LoaderA::begin(a, at.row(), thread) + at.slice * slices.a_step;
      state.from_b = LoaderB::begin(b, at.col(), thread) + at.slice * slices.b_step;
    });
    PANTILE_UNROLL
    for (int panel = 0; panel < stages - 1; ++panel) {
      fetch(group, count - panel, there, panels.stage(panel));
      put(group, count - panel, panels.stage(panel));
    }
    wait(member, group);
    if constexpr (across) read(group, 0, panels);
    int stage = 0;
    for (int left = count; left > 0; --left) {
      // The panel before this one has been read by everybody: its stage takes what comes last.
      Panels const free = panels.stage(stage == 0 ? stages - 1 : stage - 1), now = panels.stage(stage);
      stage = stage == stages - 1 ? 0 : stage + 1;
      multiply(member, group, left, there, now, panels.stage(stage), free);
    }
  }

  /// The panel after the present one has arrived, and nobody reads the present one any more.
  template <class Member, class Group>
  KOKKOS_INLINE_FUNCTION void wait(Member const& member, Group& group) const {
    if constexpr (async<TA> || async<TB>) group.each([&](int, State&) { arch::wait_for_copies<stages - 2>(); });
    member.team_barrier();
  }

  /// \param  left  panels from this one on; nothing is moved where that is not positive
  /// \tparam FetchGroup  by the warps of this group; by default by all
  template <int FetchGroup = -1, class Group>
  KOKKOS_INLINE_FUNCTION void fetch(Group& group, int left, Extents const& there, Panels const& to) const {
    group.each([&](int thread, State& state) {
      if (FetchGroup >= 0 && thread / (threads / fetch_groups) != FetchGroup) return;
      if (left > 0) {
        Extents const own{compiler_ext::recomputed(there.packed)};
        int const depth = left > 1 ? k : own.last();
        LoaderA::fetch(a, state.from_a, depth, own.a(), thread, state.a, to.a());
        LoaderB::fetch(b, state.from_b, depth, own.b(), thread, state.b, to.b());
      }
      if constexpr (async<TA> || async<TB>) arch::close_copy_group();  // an empty one too: groups are counted
    });
  }

  template <class Group>
  KOKKOS_INLINE_FUNCTION void put(Group& group, int left, Panels const& to) const {
    if constexpr (!async<TA> || !async<TB>) {
      group.each([&](int thread, State& state) {
        if (left <= 0) return;
        LoaderA::put(a, thread, state.a, to.a());
        LoaderB::put(b, thread, state.b, to.b());
      });
    }
  }

  /// \brief  sums += the product of the present panels, from this step on, while the next but some are on their way to
  ///         `free`. Fragments are read a step ahead, the last ones from the panels that come after. Unrolled by the
  ///         language: a pragma only asks, and nvcc 12.4 left a loop of two steps around matrix instructions rolled.
  template <int step = 0, class Member, class Group>
  KOKKOS_INLINE_FUNCTION void multiply(Member const& member, Group& group, int left, Extents const& there,
                                       Panels const& now, Panels const& next, Panels const& free) const {
    constexpr bool last = step + 1 == steps_of_panel;
    if constexpr (step % steps_of_group == 0) {
      fetch<fetch_groups == 1 ? -1 : step / steps_of_group>(group, left - (stages - 1), there, free);
    }
    if constexpr (ahead == 0 || (step == 0 && !across)) read(group, step, now);
    if constexpr (ahead > 0 && !last) read(group, step + 1, now);
    if constexpr (last && early) {
      put(group, left - (stages - 1), free);
      wait(member, group);
      if constexpr (across) {
        if (left > 1) read(group, 0, next);
      }
    }
    group.each_warp(WarpMultiply<Engine, step % (ahead + 1)>{});
    compiler_ext::end_of_step<shape.in_order>();
    if constexpr (last && !early) {
      put(group, left - (stages - 1), free);
      wait(member, group);
    }
    if constexpr (!last) multiply<step + 1>(member, group, left, there, now, next, free);
  }

  template <class Group>
  KOKKOS_INLINE_FUNCTION void read(Group& group, int step, Panels const& panels) const {
    group.each([&](int thread, State& state) {
      auto& fragments = state.fragments[step % (ahead + 1)];
      Engine::template read<LayoutA, LayoutB>(fragments, panels.a(), panels.b(), step, Store::warp_row(thread),
                                              Store::warp_col(thread), thread % warp);
      if constexpr (is_complex_v<Compute>) {
        if (async<TA> && a.conjugated) Engine::conjugate_all(fragments.a);
        if (async<TB> && b.conjugated) Engine::conjugate_all(fragments.b);
      }
    });
  }
};

}  // namespace pantile::impl::matmul
