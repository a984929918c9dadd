// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Blocks dealt out in turn along one edge of a grid, an edge that two distributed matrices have in common, and
///        the tiles that parts are dealt out in.

#include <pantile/mpi/distribution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pantile::impl::mpi {

/// Rows or columns of a matrix along an edge of its grid.
struct Direction {
  std::int64_t extent, block, places;

  /// Of `place`: whole rounds, then a block of its own or the last part of one.
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

/// Local rows, or columns.
struct Window {
  std::int64_t begin, length;

  /// How many of them a part of this extent has.
  [[nodiscard]] std::int64_t within(std::int64_t extent) const {
    return std::clamp<std::int64_t>(extent - begin, 0, length);
  }
};

/// Rows, or columns, of a part, by those that lie side by side.
struct Runs {
  std::vector<int> begins, lengths;

  void add(std::int64_t begin, std::int64_t length) {
    if (!begins.empty() && begins.back() + lengths.back() == begin) {
      lengths.back() += static_cast<int>(length);
    } else {
      begins.push_back(static_cast<int>(begin));
      lengths.push_back(static_cast<int>(length));
    }
  }
};

/// Rows or columns of A, which are rows or columns of B.
struct Edge {
  Direction of_a, of_b;
  int a, b;  ///< this rank's places

  /// What of the window at `place` lies side by side at one of B's: f(B's place, local of A, local of B, length).
  template <class F>
  void for_each_run(int place, Window window, F const& f) const {
    std::int64_t const end = window.begin + window.within(static_cast<std::int64_t>(of_a.local_extent(place)));
    for (std::int64_t local = window.begin, length = 0; local < end; local += length) {
      std::int64_t const global = of_a.global(static_cast<std::size_t>(local), place);
      length = std::min({of_a.block - global % of_a.block, of_b.block - global % of_b.block, end - local});
      f(of_b.place_of(global), local, of_b.local(global), length);
    }
  }

  /// Of this rank's window, what goes to each of B's places, as the tile has it.
  [[nodiscard]] std::vector<Runs> sent(Window window) const {
    std::vector<Runs> groups(static_cast<std::size_t>(of_b.places));
    for_each_run(a, window, [&](std::size_t place, std::int64_t local, std::int64_t, std::int64_t length) {
      groups[place].add(local - window.begin, length);
    });
    return groups;
  }
  /// Of the window at each of A's places, what comes to this rank, as B has it.
  [[nodiscard]] std::vector<Runs> received(Window window) const {
    std::vector<Runs> groups(static_cast<std::size_t>(of_a.places));
    for (int from = 0; from < of_a.places; ++from) {
      for_each_run(from, window, [&](std::size_t place, std::int64_t, std::int64_t local, std::int64_t length) {
        if (place == static_cast<std::size_t>(b)) groups[static_cast<std::size_t>(from)].add(local, length);
      });
    }
    return groups;
  }
};

/// Both edges of A and B, or of A and B^T: along the fast one B has neighbours in memory.
struct Edges {
  Edge fast, slow;
  bool fast_along_cols;  ///< of A
};
Edges edges_of(pantile::mpi::Distribution const& a, pantile::mpi::Distribution const& b, bool transposed,
               bool row_major);

/// Extents, or the place of the first element: along the edge where B has neighbours in memory, which is its columns
/// where it is row-major, else its rows; and along the other edge.
struct FastSlow {
  std::int64_t fast = 0, slow = 0;
};

/// \brief  A tile of a part of these extents, which so many elements are enough for; of one element at least.
///
/// fast is whole while slow has 64 elements or all, so that what goes to a rank is long runs, and no tile a strip.
FastSlow tile_of(FastSlow part, std::int64_t elements);

}  // namespace pantile::impl::mpi
