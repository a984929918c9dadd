// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/mpi/distribution.hpp>

#include <pantile/impl/mpi/agreement.hpp>
#include <pantile/impl/mpi/edge.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace pantile::mpi {
namespace {

using impl::mpi::along_cols;
using impl::mpi::along_rows;
using impl::mpi::Direction;

void require_counts(impl::mpi::Agreement& agreement, Direction const& d) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  agreement.require(d.extent >= 0, [&] { return "extents must not be negative: " + std::to_string(d.extent); });
  agreement.require(d.block >= 1,
                    [&] { return "blocks must have rows and columns: an edge of " + std::to_string(d.block); });
  agreement.require(d.extent <= most && d.extent + d.places * std::min(d.block, d.extent) <= most, [&] {
    return "an extent of " + std::to_string(d.extent) + " in blocks of " + std::to_string(d.block) + " over " +
           std::to_string(d.places) + " ranks is more than ScaLAPACK can count in 32 bits";
  });
}

}  // namespace

Distribution::Distribution(ProcessGrid grid, std::int64_t rows, std::int64_t cols, BlockSize block,
                           std::source_location where)
    : Distribution(std::move(grid), rows, cols, block, Agreed{}) {
  impl::mpi::require_running("mpi::Distribution", where);
  impl::mpi::Agreement agreement("mpi::Distribution", where);
  require_counts(agreement, along_rows(*this));
  require_counts(agreement, along_cols(*this));
  agreement.same(*this);
  agreement.settle(m_grid.communicator(), [] { return std::string(); });
}

Distribution::Distribution(ProcessGrid grid, std::int64_t rows, std::int64_t cols, BlockSize block, Agreed /*unused*/)
    : m_grid(std::move(grid)), m_rows(rows), m_cols(cols), m_block(block) {}

LocalExtents Distribution::local_extents() const noexcept { return local_extents(m_grid.row(), m_grid.col()); }

LocalExtents Distribution::local_extents(int grid_row, int grid_col) const noexcept {
  LocalExtents const part{along_rows(*this).local_extent(grid_row), along_cols(*this).local_extent(grid_col)};
  bool const inside = grid_row >= 0 && grid_row < m_grid.rows() && grid_col >= 0 && grid_col < m_grid.cols();
  return inside ? part : LocalExtents{};
}

std::int64_t Distribution::global_row(std::size_t local) const noexcept {
  return along_rows(*this).global(local, m_grid.row());
}
std::int64_t Distribution::global_col(std::size_t local) const noexcept {
  return along_cols(*this).global(local, m_grid.col());
}

std::string Distribution::description() const {
  auto const pair = [](auto a, auto b, char const* between) { return std::to_string(a) + between + std::to_string(b); };
  return pair(m_rows, m_cols, "x") + " in blocks of " + pair(m_block.rows, m_block.cols, "x") + " on a grid of " +
         pair(m_grid.rows(), m_grid.cols(), "x") +
         (m_grid.contains_this_rank() ? ", at (" + pair(m_grid.row(), m_grid.col(), ",") + ")" : ", outside of it");
}

}  // namespace pantile::mpi
