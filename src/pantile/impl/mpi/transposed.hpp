// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A transposition over ranks in rounds: each rank transposes a tile of its part, then the tile's elements go
///        where they belong.

#include <pantile/impl/arch/host/tuning/mpi.hpp>
#include <pantile/impl/mpi/edge.hpp>
#include <pantile/impl/mpi/pblas.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::mpi {

/// A rank's part of A^T, or A^H, on A's ranks, of which a tile is in memory.
class Transposed {
 public:
  static constexpr std::size_t most = arch::host::sent_tile_bytes;

  /// Not collective, but for most_bytes, the same on every rank: transposes the first tile.
  Transposed(Number number, bool conjugate, Part const& a, std::size_t most_bytes = most);

  /// Collective over the communicator of b's grid, which is A's, and once: the elements of b, whose order is A's. Those
  /// of A must be there, and A itself until the end.
  void deal(Part const& b) const;

 private:
  [[nodiscard]] FastSlow tile_at(FastSlow begin) const;  ///< of this rank
  void transpose_tile(FastSlow begin) const;

  Number m_number;
  bool m_conjugate;
  Part m_a;
  FastSlow m_largest;  ///< part, of any rank: each takes as many rounds
  FastSlow m_tile;     ///< of it
  Kokkos::View<std::byte*, Kokkos::HostSpace> m_memory;
};

}  // namespace pantile::impl::mpi
