// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Blocks dealt out in turn along one edge of a grid.

#include <pantile/mpi/distribution.hpp>

#include <cstddef>
#include <cstdint>

namespace pantile::impl::mpi {

/// Rows or columns of a matrix along an edge of its grid.
struct Direction {
  std::int64_t extent, block, places;

  /// Of `place`: whole rounds, then a block of its own or the last piece of one.
  [[nodiscard]] std::size_t local_extent(int place) const {
    if (place < 0 || place >= places) return 0;
    std::int64_t const blocks = extent / block, extra = blocks % places;
    std::int64_t const rest = place < extra ? block : place == extra ? extent % block : 0;
    return static_cast<std::size_t>(blocks / places * block + rest);
  }
  [[nodiscard]] std::int64_t global(std::size_t local, int place) const {
    auto const l = static_cast<std::int64_t>(local);
    return (l / block * places + place) * block + l % block;
  }
  [[nodiscard]] std::size_t place_of(std::int64_t global) const {
    return static_cast<std::size_t>(global / block % places);
  }
  /// At its place.
  [[nodiscard]] std::int64_t local(std::int64_t global) const {
    return global / block / places * block + global % block;
  }
};

struct DistributionAccess {
  /// On its grid and in its blocks, of other extents. Not collective.
  static pantile::mpi::Distribution like(pantile::mpi::Distribution const& d, std::int64_t rows, std::int64_t cols) {
    return {d.grid(), rows, cols, d.block(), pantile::mpi::Distribution::Agreed{}};
  }
};

inline Direction along_rows(pantile::mpi::Distribution const& d) { return {d.rows(), d.block().rows, d.grid().rows()}; }
inline Direction along_cols(pantile::mpi::Distribution const& d) { return {d.cols(), d.block().cols, d.grid().cols()}; }

}  // namespace pantile::impl::mpi
