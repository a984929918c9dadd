// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Launch shapes for kernels that take one output element at a time: pure functions of numbers.

#include <pantile/explain.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace pantile::impl::launch {

/// Edges seen from the other side of an exchange of rows and columns.
constexpr Extent2 exchange(Extent2 edges, bool exchanged) { return exchanged ? Extent2{edges.y, edges.x} : edges; }
constexpr LaunchShape exchange(LaunchShape launch, bool exchanged) {
  return {exchange(launch.grid, exchanged), exchange(launch.block, exchanged)};
}

/// Grid and block for algorithm grid_stride over rows x cols outputs: what the caller gave stays.
inline LaunchShape default_launch(arch::Machine const& machine, LaunchShape asked, std::int64_t rows,
                                  std::int64_t cols) {
  if (asked.block.x == 0)
    asked.block = machine.device ? Extent2{arch::device::block_cols, arch::device::block_rows} : Extent2{1, 1};
  if (asked.grid.x == 0) {
    std::int64_t const threads = std::max<std::int64_t>(1, machine.concurrency);
    std::int64_t const blocks = tile::ceil_div(threads, std::int64_t{asked.block.x} * asked.block.y);
    std::int64_t const across = std::clamp<std::int64_t>(tile::ceil_div(cols, std::int64_t{asked.block.x}), 1, blocks);
    std::int64_t const down = tile::ceil_div(rows, std::int64_t{asked.block.y});
    // Hosts stride over rows only: neighbouring outputs of a row then stay with one thread.
    asked.grid.x = machine.device ? static_cast<int>(across) : 1;
    std::int64_t const most = std::max<std::int64_t>(1, down);
    asked.grid.y = static_cast<int>(std::clamp<std::int64_t>(blocks / asked.grid.x, 1, most));
  }
  return asked;
}

/// \brief  The blocks of a complete launch shape that have something to do over rows x cols outputs, and the threads of
///         one that have: none is started beyond the last column or row.
inline LaunchShape cut_to(LaunchShape const& launch, std::int64_t rows, std::int64_t cols) {
  auto const blocks = [](int grid, int block, std::int64_t extent) {
    return static_cast<int>(std::min<std::int64_t>(grid, tile::ceil_div<std::int64_t>(extent, block)));
  };
  auto const threads = [](int block, std::int64_t extent) {
    return static_cast<int>(std::min<std::int64_t>(block, extent));
  };
  auto const& [grid, block] = launch;
  return {{blocks(grid.x, block.x, cols), blocks(grid.y, block.y, rows)},
          {threads(block.x, cols), threads(block.y, rows)}};
}

/// \brief  What the caller reads of a complete launch shape over rows x cols outputs, which are exchanged against the
///         caller's where `exchanged`.
inline void describe(LaunchShape const& launch, bool exchanged, std::int64_t rows, std::int64_t cols, Explanation& e) {
  Extent2 const block = exchange(launch.block, exchanged);
  LaunchShape const working = cut_to(launch, rows, cols);
  e.tile = std::to_string(block.x) + "x" + std::to_string(block.y) + " threads";
  e.league_size = static_cast<std::size_t>(working.grid.x) * working.grid.y;
  e.team_size = working.block.x * working.block.y;
}

/// Rows and columns of a walk through a matrix, in rows or through all of it as one.
struct Walk {
  std::int64_t rows, cols;
};
constexpr Walk walk(bool as_one_row, std::int64_t rows, std::int64_t cols) {
  return as_one_row ? Walk{1, rows * cols} : Walk{rows, cols};
}

/// The rule that a launch shape must keep; empty if it does.
inline std::string launch_refusal(LaunchShape const& launch) {
  auto const& [grid, block] = launch;
  bool const holds = grid.x >= 0 && grid.y >= 0 && block.x >= 0 && block.y >= 0 && (grid.x == 0) == (grid.y == 0) &&
                     (block.x == 0) == (block.y == 0);
  if (!holds) return "launch edges must be positive, or zero in pairs to be chosen";
  bool const fits = std::int64_t{block.x} * block.y <= std::numeric_limits<int>::max();
  return fits ? "" : "a launch block must not have more than 2147483647 threads";
}

/// \brief  Tile of a 2D range over rows x cols elements that is fast along the columns index: threads of a block on
///         devices. Where one extent is short, the other edge takes over: one or three columns still fill their thread
///         blocks.
inline Extent2 element_tile(bool device, std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t count = arch::device::range_threads;
  std::int64_t const preferred = device ? arch::device::range_cols : arch::host::range_cols;
  auto const at_least_one = [](std::int64_t value) { return std::max<std::int64_t>(1, value); };
  std::int64_t const across = at_least_one(std::min(cols, preferred));
  std::int64_t const down = at_least_one(std::min(rows, count / across));
  std::int64_t const widened = at_least_one(std::min(cols, count / down));
  return {static_cast<int>(widened), static_cast<int>(down)};
}

/// \brief  Tile of chunks of rows for one host thread: as few and as long chunks as there are.
/// \param  crossing  an operand runs the other way: a low tile uses its cache lines while they are there
inline Extent2 row_tile(std::int64_t rows, std::int64_t cols, bool crossing) {
  constexpr std::int64_t count = arch::host::row_tile_elements;
  std::int64_t const across = std::clamp<std::int64_t>(cols, 1, crossing ? arch::host::crossing_cols : count);
  std::int64_t const most = std::max<std::int64_t>(1, rows);
  std::int64_t const down = std::clamp<std::int64_t>(crossing ? arch::host::crossing_rows : count / across, 1, most);
  return {static_cast<int>(across), static_cast<int>(down)};
}

}  // namespace pantile::impl::launch
