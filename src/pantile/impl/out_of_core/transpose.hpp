// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The loop over the tiles of a transposition: one thread reads, one writes, the caller's transposes.

#include <pantile/impl/out_of_core/options.hpp>
#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/impl/out_of_core/ring.hpp>
#include <pantile/impl/out_of_core/schedule.hpp>
#include <pantile/tile_store.hpp>

#include <cstddef>
#include <cstdint>

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

}  // namespace pantile::impl::out_of_core
