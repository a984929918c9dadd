// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A transposition by tiles: one thread reads strips, one writes tiles, the calling thread transposes.

#include <pantile/concepts.hpp>
#include <pantile/impl/out_of_core/call.hpp>
#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/impl/out_of_core/ring.hpp>
#include <pantile/impl/out_of_core/schedule.hpp>
#include <pantile/impl/out_of_core/tile_view.hpp>
#include <pantile/out_of_core_plan.hpp>
#include <pantile/policy.hpp>
#include <pantile/tile_store.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transpose.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace pantile::impl::out_of_core {

/// `transpose(tile, strip, elements of the strip, elements of B's tile)` for each strip, both as parts of A; the
/// elements are there when it returns.
template <class Transpose>
void transpose_tiles(TransposePlan const& plan, TileSource& a, TileSink& b, OutOfCoreOptions const& options,
                     Transpose const& transpose) {
  Crew crew;
  Ring in(crew, 2, plan.strip_bytes), out(crew, plan.tile_buffers, plan.tile_bytes);
  bool const by_rows = a.shape().order == Order::rows;
  auto const for_each_tile = [&](auto const& f) {
    for (std::int64_t tile = options.first_tile; tile < plan.tiles(); ++tile) f(tile, tile_of(plan, a.shape(), tile));
  };
  auto const read = [&] {
    for_each_tile([&](std::int64_t, Part const& part) {
      for_each_strip(part, by_rows, plan.strip, [&](Part const& strip) {
        a.read(strip, in.to_fill(a.begin_in_block(strip)));
        in.filled();
      });
    });
  };
  auto const write = [&] {
    for_each_tile([&](std::int64_t tile, Part const& part) {
      b.write(part.transposed(), out.to_empty());
      out.emptied();
      if (options.on_tile) options.on_tile(tile + 1);
    });
  };
  auto const move = [&](std::int64_t tile, Part const& part) {
    std::byte* const to = out.to_fill(b.begin_in_block(part.transposed()));
    std::int64_t moved = 0;
    for_each_strip(part, by_rows, plan.strip, [&](Part const& strip) {
      transpose(part, strip, in.to_empty(), to);
      in.emptied();
      moved += strip.count();
      double const here = static_cast<double>(moved) / static_cast<double>(part.count());
      if (options.on_progress) {
        options.on_progress((static_cast<double>(tile) + here) / static_cast<double>(plan.tiles()));
      }
    });
    out.filled();
  };
  crew.work([&] {
    crew.start(read);
    crew.start(write);
    for_each_tile(move);
  });
}

/// B = A^T of elements in host memory; a device transposes copies of them.
template <class Exec, class A, class B>
void transpose_packed(Exec const& exec, A const& a, B const& b, TransposeOptions const& how,
                      std::source_location where) {
  if constexpr (AccessibleFrom<B, Exec>) {
    pantile::transpose(exec, a, b, how, where);
  } else {
    auto const there = pantile::device_like(exec, b, "pantile::out_of_core: a tile");
    pantile::transpose(exec, pantile::to_device(exec, a, where), there, how, where);
    pantile::copy(exec, b, there, where);
  }
}

/// Elements of several words are transposed word by word.
template <class Word, class Exec>
void transpose(Exec const& exec, TileSource& a, TileSink& b, OutOfCoreOptions const& options,
               TransposeOptions const& how, std::source_location where) {
  Kokkos::Profiling::ScopedRegion const region("pantile::out_of_core::transpose");
  auto const plan = checked_plan(a.shape(), b.shape(), sizeof(Word), how.conjugate, options, where);
  Order const from_order = a.shape().order, to_order = b.shape().order;
  auto const words = static_cast<std::int64_t>(a.shape().element_bytes / sizeof(Word));
  transpose_tiles(plan, a, b, options, [&](Part const& tile, Part const& strip, auto const* from, auto* to) {
    for (std::int64_t word = 0; word < words; ++word) {
      auto const all = packed(reinterpret_cast<Word*>(to) + word, tile.transposed(), to_order, words);
      Part const in_tile{strip.row - tile.row, strip.col - tile.col, strip.rows, strip.cols};
      transpose_packed(exec, packed(reinterpret_cast<Word const*>(from) + word, strip, from_order, words),
                       part_of(all, in_tile.transposed()), how, where);
    }
    exec.fence("pantile::out_of_core: a strip");
  });
}

}  // namespace pantile::impl::out_of_core
