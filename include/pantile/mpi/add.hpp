// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Addition of distributed matrices.

#include <pantile/add.hpp>
#include <pantile/concepts.hpp>
#include <pantile/mpi/distribution.hpp>

#include <pantile/impl/mpi/checks.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <source_location>

namespace pantile::mpi {

/// \brief  C = alpha A + beta B of distributed matrices. Collective over the grid's communicator.
///
/// Each rank adds its own parts by pantile::add, with its element types, layouts, strides, memory spaces, accumulators
/// and aliasing. No element is sent; the ranks only agree first that all preconditions hold everywhere.
///
/// \pre    A, B and C have one distribution: extents, blocks and grid (redistribute others before)
/// \pre    every local View has its distribution's local_extents(); pantile::add's preconditions on Views and scalars
/// \pre    all ranks of the communicator call, with the same global arguments
/// \throws pantile::Error  the same one on every rank, when one of these does not hold on any of them; then C is
///                         untouched. For grids of different communicators each rank throws without communication
///
/// \par Asynchrony   returns when the work is enqueued on exec; never fences. The Views must live until it is done
/// \par Numerics, Determinism  as pantile::add's
template <class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha, MatrixView ViewA, class Beta,
          MatrixView ViewB, MatrixView ViewC>
  requires Mutable<ViewC>
void add(Exec const& exec, Alpha const& alpha, DistributedMatrix<ViewA> const& A, Beta const& beta,
         DistributedMatrix<ViewB> const& B, DistributedMatrix<ViewC> const& C, AddOptions const& options = {},
         std::source_location where = std::source_location::current()) {
  Kokkos::Profiling::ScopedRegion const region("pantile::mpi::add");
  impl::mpi::Agreement agreement("mpi::add", where);
  agreement.require_one_communicator(A.distribution, C.distribution);
  agreement.require_one_communicator(B.distribution, C.distribution);
  impl::mpi::require_one_distribution(agreement, A.distribution, B.distribution, C.distribution);
  impl::mpi::require_extents(agreement, "A", A);
  impl::mpi::require_extents(agreement, "B", B);
  impl::mpi::require_extents(agreement, "C", C);
  agreement.same(alpha);
  agreement.same(beta);
  agreement.attempt([&] {
    static_cast<void>(explain::add<Accumulator>(exec, alpha, A.local, beta, B.local, C.local, options, where));
  });
  agreement.settle(C.distribution.grid().communicator(), [&] {
    return impl::mpi::describe("A", A) + ", " + impl::mpi::describe("B", B) + ", " + impl::mpi::describe("C", C);
  });
  pantile::add<Accumulator>(exec, alpha, A.local, beta, B.local, C.local, options, where);
}

/// \brief  The same with the default instance of C's execution space.
template <class Accumulator = DefaultAccumulator, class Alpha, MatrixView ViewA, class Beta, MatrixView ViewB,
          MatrixView ViewC>
  requires Mutable<ViewC>
void add(Alpha const& alpha, DistributedMatrix<ViewA> const& A, Beta const& beta, DistributedMatrix<ViewB> const& B,
         DistributedMatrix<ViewC> const& C, AddOptions const& options = {},
         std::source_location where = std::source_location::current()) {
  mpi::add<Accumulator>(typename ViewC::execution_space{}, alpha, A, beta, B, C, options, where);
}

}  // namespace pantile::mpi
