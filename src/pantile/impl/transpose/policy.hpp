// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses the kernel of a transposition: a pure function from numbers to a plan. Nothing is launched here.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/host/tuning/movement.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/functions.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/launch/shape.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pantile::impl::transpose {

/// The tile of a kernel that is compiled for it.
struct PackedTile {
  int edge = 0;
  int threads = 0;
  int pack = 1;  ///< elements that are moved at once
  std::size_t scratch_bytes = 0;
};

/// Everything that a choice may depend on. rows and cols are those of the normalised problem (source fast along rows).
struct Query {
  std::int64_t rows = 0, cols = 0;
  std::size_t element_size = 8;
  bool copy = false;     ///< source and target run through memory the same way
  bool one_row = false;  ///< rows follow each other in memory in both
  bool in_place = false;
  int default_edge = 32;  ///< tile edge when the caller gives none
  bool blocked = false;   ///< the blocked kernels can do it: sizes of elements, neighbours next to each other
  int row_place = 0, col_place = 0;  ///< elements between a cache line and the first of target and source, for blocked
  bool even_rows = false;   ///< rows of the target have the same place in their cache lines, for blocked in place
  bool close_rows = false;  ///< rows meet in few sets of the first caches, for blocked
  arch::TransposeStrips staged{arch::host::strip_bytes, arch::host::step_bytes},
      streamed = staged;                                                 ///< what the host's kernels take at a time
  PackedTile packed{};                                                   ///< devices: the tile of the blocked variant
  std::int64_t cache_bytes = arch::host::unknown_last_level_bytes;       ///< the last-level cache, for blocked
  std::int64_t first_level_bytes = arch::host::large_first_level_bytes;  ///< a core's own, for blocked
  std::int64_t second_level_bytes = arch::host::large_second_level_bytes;
  TransposeOptions options{};

  /// Read and written.
  [[nodiscard]] constexpr std::int64_t bytes() const {
    return 2 * static_cast<std::int64_t>(element_size) * rows * cols;
  }
};

/// A range of rows or columns.
struct Piece {
  std::int64_t begin, extent;
};

/// \brief  An extent cut into pieces of one edge. The first may lack some elements at its front, so that the others
///         begin at cache lines, and the last may have fewer than `extra` more, which are too few for a piece of their
///         own.
struct Pieces {
  std::int64_t extent = 0, edge = 1, lack = 0, extra = 1;

  std::int64_t count() const { return std::max<std::int64_t>(tile::ceil_div(extent + lack - extra + 1, edge), 1); }
  Piece at(std::int64_t i) const {
    std::int64_t const begin = std::max<std::int64_t>(i * edge - lack, 0);
    return {begin, (i + 1 == count() ? extent : (i + 1) * edge - lack) - begin};
  }
};

/// How a host's kernel goes through memory.
enum class Path {
  move,    ///< from registers to the target
  stage,   ///< through a buffer, so that the target is written in long runs
  stream,  ///< the same, past the cache
};

/// What runs.
struct Plan : launch::TeamPlan {
  TransposeAlgorithm algorithm = TransposeAlgorithm::naive;
  bool copy = false;        ///< no transposition is left to do; algorithm is naive
  bool as_one_row = false;  ///< copy all as one row
  bool permutes = false;    ///< rectangular in place; algorithm is naive
  Extent2 range_tile{};     ///< tile of the 2D range of naive and copy
  int tile = 0;
  int ld = 0;
  int rows_per_thread = 1;
  int pack = 0;  ///< for blocked on devices: elements that are moved at once
  std::int64_t tiles = 0;
  Path path = Path::move;                  ///< for blocked
  bool on_caller = false;                  ///< for blocked and copy: on the calling thread, without a launch
  Pieces rows{}, cols{};                   ///< for blocked what a thread takes at a time
  std::int64_t unit_cols = 0, groups = 0;  ///< for permutes the same, and how often
};

/// One tile in scratch, or two of them in place, and slack for alignment.
constexpr std::size_t tile_scratch_bytes(int edge, int ld, std::size_t element_size, bool in_place) {
  std::size_t const count = static_cast<std::size_t>(edge) * static_cast<std::size_t>(ld);
  std::size_t const one = tile::scratch_bytes(count, element_size);
  return one * (in_place ? 2 : 1) + tile::scratch_alignment;
}

/// Devices: a team as wide as the tile and as deep as rows_per_thread leaves it. Chosen: few enough rows per thread for
/// the aim, which is a full team for tiled and a quarter of one for padded.
inline void plan_team(arch::Machine const& machine, Query const& query, Plan& plan) {
  int const limit = machine.max_team_size;
  int const aim =
      plan.algorithm == TransposeAlgorithm::padded ? std::min(arch::device::padded_team_size, limit) : limit;
  int const asked = query.options.rows_per_thread;
  plan.rows_per_thread = asked > 0 ? asked : tile::ceil_div(plan.tile, std::max(1, aim / plan.tile));
  std::int64_t const threads = std::int64_t{plan.tile} * tile::ceil_div(plan.tile, plan.rows_per_thread);
  if (threads > limit) {
    plan.refusal = "tile " + std::to_string(plan.tile) + "x" + std::to_string(plan.tile) + " with " +
                   std::to_string(plan.rows_per_thread) + " rows per thread needs " + std::to_string(threads) +
                   " threads per team, the limit is " + std::to_string(limit);
    return;
  }
  plan.team_size = static_cast<int>(threads);
}

/// Fill in tile, scratch and team: what the caller gave stays; a chosen tile shrinks to the matrix and to the scratch.
inline void plan_tiled(arch::Machine const& machine, Query const& query, Plan& plan) {
  int const pad = plan.algorithm == TransposeAlgorithm::padded ? 1 : 0;
  int const asked = query.options.tile;
  if (asked > tile::edge_limit) {
    plan.refusal = "tile edges must not exceed " + std::to_string(tile::edge_limit);
    return;
  }
  std::size_t const room = *std::max_element(machine.scratch_limit, machine.scratch_limit + machine.scratch_levels);
  auto const bytes = [&](int edge) { return tile_scratch_bytes(edge, edge + pad, query.element_size, query.in_place); };
  std::int64_t const longest = std::max<std::int64_t>({query.rows, query.cols, 1});
  plan.tile = asked > 0 ? asked : static_cast<int>(std::min<std::int64_t>(query.default_edge, longest));
  while (asked == 0 && plan.tile > 1 && bytes(plan.tile) > room) plan.tile /= 2;
  plan.ld = plan.tile + pad;
  launch::plan_scratch(machine, bytes(plan.tile), plan,
                       [&] { return "tile " + std::to_string(plan.tile) + "x" + std::to_string(plan.tile); });
  if (!plan.refusal.empty()) return;
  if (machine.device) plan_team(machine, query, plan);
  tile::TileGrid const grid{query.rows, query.cols, plan.tile, plan.tile};
  plan.tiles = query.in_place ? tile::triangle_count(grid.across()) : grid.count();
}

/// \brief  Units for the host's kernels: squares of a few cache lines for move, strips of the kernel's width and
///         thousands of rows for stage and stream, fewer where threads would have nothing to do.
inline void plan_blocked(arch::Machine const& machine, Query const& query, Plan& plan) {
  auto const size = static_cast<std::int64_t>(query.element_size);
  std::int64_t const bytes = query.bytes();
  plan.on_caller = launch::is_for_caller(machine, bytes);
  bool const cached = bytes <= arch::host::transposed_bytes;
  std::int64_t const row_lack = cached ? 0 : query.row_place, col_lack = cached ? 0 : query.col_place;
  if (query.in_place) {
    bool const streams = query.even_rows && bytes > arch::host::exchanged_cache_share * query.cache_bytes;
    int const element = static_cast<int>(size);
    int const edge = streams ? arch::transpose_streamed_edge(element) : arch::transpose_exchange_edge(element);
    plan.path = streams ? Path::stream : Path::move;
    plan.rows = plan.cols = {query.rows, edge, row_lack};
    plan.tiles = tile::triangle_count(plan.rows.count());
    return;
  }
  bool const long_rows = query.rows * size >= arch::host::stream_row_bytes;
  std::int64_t const share = size == 1 ? 1 : arch::host::moved_cache_share;
  bool const moves = !long_rows || cached || (bytes <= query.cache_bytes / share && !query.close_rows);
  plan.path = moves ? Path::move : bytes <= query.cache_bytes / (share * share) ? Path::stage : Path::stream;
  std::int64_t const line = 64 / size;
  if (plan.path == Path::move) {
    plan.rows = {query.rows, arch::host::moved_edge_bytes / size, row_lack, line};
    plan.cols = {query.cols, arch::host::moved_edge_bytes / size, col_lack, line};
  } else {
    arch::TransposeStrips const strips = plan.path == Path::stage ? query.staged : query.streamed;
    bool const small_cache = plan.path == Path::stream && query.first_level_bytes < arch::host::large_first_level_bytes;
    std::int64_t const strip = small_cache ? arch::host::small_cache_strip_bytes : strips.strip_bytes;
    plan.cols = {query.cols, std::min<std::int64_t>(strip, strips.strip_bytes) / size, col_lack, line};
    std::int64_t const wanted = arch::host::strips_per_thread * machine.concurrency, step = strips.step_bytes / size;
    std::int64_t const rows = tile::ceil_div(query.rows, tile::ceil_div(wanted, plan.cols.count()));
    plan.rows = {query.rows, std::clamp(tile::round_up(rows, step), step, arch::host::most_strip_rows)};
  }
  plan.tiles = plan.rows.count() * plan.cols.count();
}

/// Edge of the squares of tiles in place; with few tiles, whole squares would leave too many teams without work.
KOKKOS_INLINE_FUNCTION constexpr std::int64_t pair_square(std::int64_t tiles) {
  return tiles >= 4 * arch::device::packed_band ? arch::device::packed_band : 1;
}

/// Teams of the blocked variant on devices, one per tile or pair of them.
inline std::int64_t packed_tiles(Query const& query) {
  tile::TileGrid const grid{query.rows, query.cols, std::max(query.packed.edge, 1), std::max(query.packed.edge, 1)};
  return query.in_place ? tile::squared_triangle_count(grid.across(), pair_square(grid.across())) : grid.count();
}

/// The blocked variant on devices: everything but the number of tiles is compiled.
inline void plan_packed(Query const& query, Plan& plan) {
  plan.tile = plan.ld = query.packed.edge;
  plan.pack = query.packed.pack;
  plan.team_size = query.packed.threads;
  plan.scratch_bytes = query.packed.scratch_bytes + tile::scratch_alignment;
  plan.tiles = packed_tiles(query);
}

/// \brief  Rectangular in place: rows (the longer side) and groups of columns pass through team scratch. Groups are
///         whole cache lines wide, up to four of them while that stays in a second-level cache. Scratch of hosts is
///         memory like any other, so that a row of any length fits.
inline void plan_permuted(arch::Machine const& machine, Query const& query, Plan& plan) {
  auto const size = static_cast<std::int64_t>(query.element_size);
  std::int64_t const rows = std::max<std::int64_t>(1, std::min(query.rows, query.cols));
  std::int64_t const cols = std::max(query.rows, query.cols);
  std::int64_t const line = std::max<std::int64_t>(1, 64 / size), cached = arch::host::transposed_bytes / (rows * size);
  plan.algorithm = TransposeAlgorithm::naive;
  plan.permutes = true;
  plan.reason = "rectangular in place: elements change places within columns, within rows, and within columns again";
  plan.unit_cols = std::min(std::clamp(cached / line * line, line, 4 * line), cols);
  plan.team_size = machine.device ? std::min(arch::device::permuting_team_size, machine.max_team_size) : 1;
  auto const bytes = [&] {
    std::int64_t const elements = std::max(cols, rows * plan.unit_cols);
    return tile::scratch_bytes(static_cast<std::size_t>(elements), query.element_size) + tile::scratch_alignment;
  };
  plan.scratch_bytes = bytes();
  plan.tiles = rows;
  auto const fits = [&](int level) { return !machine.device || plan.scratch_bytes <= machine.scratch_room(level); };
  while (plan.scratch_level + 1 < machine.scratch_levels && !fits(plan.scratch_level)) ++plan.scratch_level;
  // Fewer columns at a time, in parts of cache lines, before none at all.
  while (!fits(plan.scratch_level) && plan.unit_cols > 1) {
    plan.unit_cols = std::max<std::int64_t>(1, plan.unit_cols / 2);
    plan.scratch_bytes = bytes();
  }
  if (!fits(plan.scratch_level)) {
    plan.refusal =
        launch::scratch_refusal(machine, "a row of " + std::to_string(cols) + " elements, transposed in place,",
                                plan.scratch_bytes, plan.scratch_level);
  }
  plan.groups = tile::ceil_div(cols, plan.unit_cols);
}

/// A and the transposed B run through memory the same way.
inline void plan_copy(arch::Machine const& machine, Query const& query, Plan& plan) {
  plan.algorithm = TransposeAlgorithm::naive;
  plan.copy = true;
  plan.reason = "A and the transposed B run through memory the same way: a plain copy, without scratch";
  plan.as_one_row = query.one_row;
  plan.on_caller = launch::is_for_caller(machine, query.bytes());
  auto const [rows, cols] = launch::walk(plan.as_one_row, query.rows, query.cols);
  plan.range_tile = machine.device ? launch::element_tile(true, rows, cols) : launch::row_tile(rows, cols, false);
}

/// Are options given that only the variants with tiles in scratch use?
inline bool asks_tile(TransposeOptions const& options) { return options.tile > 0 || options.rows_per_thread > 0; }

/// The variant of an automatic call, and why.
inline void choose_automatic(arch::Machine const& machine, Query const& query, bool blocked, Plan& plan) {
  bool const asked = asks_tile(query.options), packs = blocked && !asked, wide = packs && query.packed.pack > 1;
  bool const in_registers = packs && !machine.device;
  bool const skinny = machine.device && !asked && std::min(query.rows, query.cols) <= arch::device::naive_edge_limit;
  bool const small = !in_registers && !asked && query.rows * query.cols <= arch::device::naive_count_limit;
  plan.algorithm = skinny || small ? TransposeAlgorithm::naive
                   : packs         ? TransposeAlgorithm::blocked
                                   : TransposeAlgorithm::padded;
  plan.reason = in_registers ? "blocks are transposed in the registers of this CPU"
                : small      ? "too few elements for tiles in scratch"
                : skinny     ? "so few rows or columns that accesses hit the cache without a scratch tile"
                : wide       ? "packs of elements at a time on both sides, transposed in registers"
                : packs      ? "many elements in flight per thread, between rows that are contiguous on both sides"
                             : "a tile in scratch is contiguous on both sides; padding keeps its columns apart";
}

/// Choose the variant and its numbers.
inline Plan choose_variant(arch::Machine const& machine, Query const& query) {
  Plan plan;
  plan.algorithm = query.options.algorithm;
  plan.reason = "asked for by the caller";
  if (!is_enumerator(plan.algorithm)) plan.refusal = enumerator_refusal("algorithm", plan.algorithm);
  if (!machine.device && query.options.rows_per_thread > 0) {
    plan.refusal = "rows_per_thread is for devices: on hosts a thread moves whole tiles";
  }
  if (!plan.refusal.empty()) return plan;
  if (query.in_place && query.rows != query.cols) {
    plan_permuted(machine, query, plan);
    return plan;
  }
  if (query.copy) {
    plan_copy(machine, query, plan);
    return plan;
  }
  bool const fits = query.packed.scratch_bytes + tile::scratch_alignment <= machine.scratch_limit[0];
  bool const blocked = query.blocked && (!machine.device || (fits && packed_tiles(query) <= tile::league_limit));
  if (plan.algorithm == TransposeAlgorithm::blocked && !blocked) {
    plan.refusal = machine.device
                       ? "algorithm blocked on devices is for elements of 1, 2, 4, 8 or 16 bytes at multiples of their "
                         "size, and neighbours of a row or column next to each other in A and B"
                       : "algorithm blocked is for elements of 1, 2, 4, 8 or 16 bytes (conjugated: complex<float> and "
                         "complex<double>), and neighbours of a row or column next to each other in A and B";
    return plan;
  }
  if (plan.algorithm == TransposeAlgorithm::automatic) choose_automatic(machine, query, blocked, plan);
  if (plan.algorithm == TransposeAlgorithm::blocked && machine.device) {
    plan_packed(query, plan);
  } else if (plan.algorithm == TransposeAlgorithm::blocked) {
    plan_blocked(machine, query, plan);
  } else if (plan.algorithm == TransposeAlgorithm::naive) {
    // Out of place the range runs along the target's fast direction, which is the columns of the normalised problem.
    plan.range_tile = query.in_place ? launch::element_tile(machine.device, query.rows, query.cols)
                                     : launch::element_tile(machine.device, query.cols, query.rows);
  } else {
    plan_tiled(machine, query, plan);
  }
  return plan;
}

/// Choose how a matrix is moved, and the memory for it: a host's blocked variant has it on stacks.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan = choose_variant(machine, query);
  std::size_t const bytes = launch::host_scratch_bytes(machine, std::max(plan.tiles, plan.groups), plan.scratch_bytes);
  launch::plan_workspace(bytes, query.options.workspace, plan);
  return plan;
}

}  // namespace pantile::impl::transpose
