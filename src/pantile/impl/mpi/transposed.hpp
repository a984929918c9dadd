// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A transposition over ranks: each transposes its part, then elements go where they belong.

#include <pantile/impl/mpi/pblas.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::impl::mpi {

/// A rank's part of A^T, or A^H, on A's ranks.
class Transposed {
 public:
  /// Not collective: the part in memory of its own.
  Transposed(Number number, bool conjugate, Part const& a);

  /// Collective over the communicator of b's grid, which is A's: the elements of b, whose order is A's. Those of A must
  /// be there.
  void deal(Part const& b) const;

 private:
  Number m_number;
  Part m_part;  ///< of A's distribution; data is that of the transposed elements
  Kokkos::View<std::byte*, Kokkos::HostSpace> m_memory;
};

}  // namespace pantile::impl::mpi
