// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/exchange_plan.hpp>

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace pantile::impl::mpi {
namespace {

using pantile::mpi::Distribution;
using pantile::mpi::ProcessGrid;

/// Of all windows, what goes to each of B's places, or what comes from each of A's.
Lines lines_of(Edge const& edge, std::vector<Runs> (Edge::*groups)(Window) const, std::int64_t tile,
               std::int64_t windows) {
  Lines to;
  to.begins.push_back(0);
  for (std::int64_t w = 0; w < windows; ++w) {
    auto& sizes = to.group_sizes.emplace_back();
    std::int32_t begin = 0;
    for (Runs const& runs : (edge.*groups)({w * tile, tile})) {
      std::int32_t const size = std::accumulate(runs.lengths.begin(), runs.lengths.end(), 0);
      for (std::size_t r = 0; r < runs.begins.size(); ++r) {
        for (int i = 0; i < runs.lengths[r]; ++i) to.lines.push_back({runs.begins[r] + i, begin, size});
      }
      sizes.push_back(size);
      begin += size;
    }
    to.begins.push_back(to.lines.size());
  }
  return to;
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
  auto const [fast, slow, fast_along_cols] = edges_of(a, b, transposed, row_major);
  auto const extent = [](Edge const& edge) { return static_cast<std::int64_t>(edge.of_a.local_extent(0)); };
  FastSlow const largest{extent(fast), extent(slow)};
  tile = tile_of(largest, elements);
  windows = {(largest.fast + tile.fast - 1) / tile.fast, (largest.slow + tile.slow - 1) / tile.slow};
  sent = ExchangeSide(b.grid(), row_major, lines_of(fast, &Edge::sent, tile.fast, windows.fast),
                      lines_of(slow, &Edge::sent, tile.slow, windows.slow));
  received = ExchangeSide(a.grid(), fast_along_cols, lines_of(fast, &Edge::received, tile.fast, windows.fast),
                          lines_of(slow, &Edge::received, tile.slow, windows.slow));
}

}  // namespace pantile::impl::mpi
