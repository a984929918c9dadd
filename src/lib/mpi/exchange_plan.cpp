// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/exchange_plan.hpp>

#include <mpi.h>

#include <algorithm>
#include <utility>

namespace pantile::impl::mpi {
namespace {

using pantile::mpi::Distribution;
using pantile::mpi::ProcessGrid;

/// Adds a window, whose locals are given by place.
void add_window(Lines& to, std::vector<std::vector<std::int32_t>> const& locals_by_place) {
  if (to.begins.empty()) to.begins.push_back(0);
  auto& sizes = to.group_sizes.emplace_back();
  std::int32_t begin = 0;
  for (auto const& locals : locals_by_place) {
    auto const size = static_cast<std::int32_t>(locals.size());
    for (std::int32_t const local : locals) to.lines.push_back({local, begin, size});
    sizes.push_back(size);
    begin += size;
  }
  to.begins.push_back(to.lines.size());
}

void append(std::vector<std::int32_t>& locals, std::int64_t begin, std::int64_t length) {
  for (std::int64_t i = begin; i < begin + length; ++i) locals.push_back(static_cast<std::int32_t>(i));
}

/// Of this rank's windows, what goes to each of B's places.
Lines sent_lines(Edge const& edge, std::int64_t tile, std::int64_t windows) {
  Lines result;
  for (std::int64_t w = 0; w < windows; ++w) {
    Window const window{w * tile, tile};
    std::vector<std::vector<std::int32_t>> locals(static_cast<std::size_t>(edge.of_b.places));
    edge.for_each_run(edge.a, window, [&](std::size_t place, std::int64_t local, std::int64_t, std::int64_t length) {
      append(locals[place], local - window.begin, length);
    });
    add_window(result, locals);
  }
  return result;
}

/// Of the windows at each of A's places, what comes to this rank.
Lines received_lines(Edge const& edge, std::int64_t tile, std::int64_t windows) {
  Lines result;
  for (std::int64_t w = 0; w < windows; ++w) {
    std::vector<std::vector<std::int32_t>> locals(static_cast<std::size_t>(edge.of_a.places));
    for (int from = 0; from < edge.of_a.places; ++from) {
      edge.for_each_run(from, {w * tile, tile},
                        [&](std::size_t place, std::int64_t, std::int64_t local, std::int64_t length) {
                          if (std::cmp_equal(place, edge.b))
                            append(locals[static_cast<std::size_t>(from)], local, length);
                        });
    }
    add_window(result, locals);
  }
  return result;
}

}  // namespace

std::size_t Lines::largest() const {
  std::size_t most = 0;
  for (std::size_t window = 0; window < group_sizes.size(); ++window) most = std::max(most, size(window));
  return most;
}

ExchangeSide::ExchangeSide(ProcessGrid const& grid, bool fast_along_cols, Lines fast_lines, Lines slow_lines)
    : fast(std::move(fast_lines)),
      slow(std::move(slow_lines)),
      m_grid_cols(grid.cols()),
      m_fast_along_cols(fast_along_cols) {
  MPI_Comm_size(grid.communicator(), &m_ranks);
}

Messages ExchangeSide::messages(FastSlow window) const {
  auto const ranks = static_cast<std::size_t>(m_ranks);
  Messages result{std::vector<int>(ranks, 0), std::vector<int>(ranks, 0)};
  auto const &fast_sizes = fast.group_sizes[static_cast<std::size_t>(window.fast)],
             &slow_sizes = slow.group_sizes[static_cast<std::size_t>(window.slow)];
  int place = 0;
  for (std::size_t j = 0; j < slow_sizes.size(); ++j) {
    for (std::size_t i = 0; i < fast_sizes.size(); ++i) {
      std::size_t const row = m_fast_along_cols ? j : i, col = m_fast_along_cols ? i : j;
      std::size_t const rank = row * static_cast<std::size_t>(m_grid_cols) + col;
      result.counts[rank] = slow_sizes[j] * fast_sizes[i];
      result.places[rank] = place;
      place += result.counts[rank];
    }
  }
  return result;
}

ExchangePlan::ExchangePlan(Distribution const& a, Distribution const& b, bool transposed, bool row_major,
                           std::int64_t elements) {
  ProcessGrid const &from = a.grid(), &to = b.grid();
  Direction const rows_b = along_rows(b), cols_b = along_cols(b);
  Edge const rows{along_rows(a), transposed ? cols_b : rows_b, from.row(), transposed ? to.col() : to.row()};
  Edge const cols{along_cols(a), transposed ? rows_b : cols_b, from.col(), transposed ? to.row() : to.col()};
  bool const fast_along_cols = row_major != transposed;  // of A
  Edge const &fast = fast_along_cols ? cols : rows, &slow = fast_along_cols ? rows : cols;
  auto const extent = [](Edge const& edge) { return static_cast<std::int64_t>(edge.of_a.local_extent(0)); };
  FastSlow const largest{extent(fast), extent(slow)};
  tile = tile_of(largest, elements);
  windows = {(largest.fast + tile.fast - 1) / tile.fast, (largest.slow + tile.slow - 1) / tile.slow};
  sent =
      ExchangeSide(to, row_major, sent_lines(fast, tile.fast, windows.fast), sent_lines(slow, tile.slow, windows.slow));
  received = ExchangeSide(from, fast_along_cols, received_lines(fast, tile.fast, windows.fast),
                          received_lines(slow, tile.slow, windows.slow));
}

}  // namespace pantile::impl::mpi
