// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Transposition of distributed matrices.

#include <pantile/concepts.hpp>
#include <pantile/mpi/distribution.hpp>

#include <pantile/impl/mpi/checks.hpp>
#include <pantile/impl/mpi/exchange.hpp>
#include <pantile/impl/mpi/transposed.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <optional>
#include <source_location>

namespace pantile::mpi {

/// Options of transpose.
struct TransposeOptions {
  bool conjugate = false;  ///< conjugate transpose; no effect on real elements
};

/// \brief  B(j, i) = A(i, j) of distributed matrices, or its conjugate. Collective over the grid's communicator.
///
/// \param  exec     as matmul's
/// \param  A        (m, n); const or not
/// \param  B        (n, m)
/// \param  options  conjugate
///
/// Elements and layouts as matmul's. Blocks may differ; where B's are A's transposed on a square grid, each rank sends
/// one message a round, of which there are as many as the largest local part has tiles of 4 MiB.
///
/// \pre    B has the rows of A as columns and its columns as rows; both on one grid; the rest as matmul's
/// \throws pantile::Error  as matmul's
///
/// \par Numerics     elements are copied; with conjugate, the signs of imaginary parts change
/// \par Devices      where a View is on one, its kernels transpose and pack a tile, and unpack what came, on exec while
///                   MPI carries the messages between. They lie in pinned host memory, or on the device where MPI says
///                   that it takes them from there (Open MPI's MPIX_Query_cuda_support, MPIX_Query_rocm_support,
///                   MPICH's MPIX_GPU_query_support) or PANTILE_MPI_GPU_AWARE=1 does; 0 is for pinned memory. Executed
///                   by an interpreter of PTX, whose MPI was told so; no GPU has run this
/// \par Asynchrony, Threads, Index width  as matmul's
/// \par Allocation   on hosts 4 MiB at most whatever the matrix, and MPI's own. For Views on devices memory for
///                   messages of two rounds: two tiles of 8 MiB at most to send, and twice what comes to a rank in a
///                   round, which is as much where blocks are dealt evenly and never more than its part of B; on the
///                   device a tile, and 12 bytes for each local row and column of both
/// \par Source       in rounds, a tile of each part is transposed by its rank, then dealt out by an exchange of MPI's
///                   datatypes; which elements go where: Choi, Dongarra and Walker, Parallel Computing 21(9), 1995. Not
///                   ScaLAPACK's p?tran, which packs block by block and was slower (perf_tests/notes/mpi.md)
template <ExecutionSpace Exec, MatrixView ViewA, MatrixView ViewB>
  requires Mutable<ViewB>
void transpose(Exec const& exec, DistributedMatrix<ViewA> const& A, DistributedMatrix<ViewB> const& B,
               TransposeOptions const& options = {}, std::source_location where = std::source_location::current()) {
  using T = impl::mpi::element_t<ViewB>;
  impl::mpi::require_orders<ViewA, ViewB>();
  impl::mpi::require_numbers<ViewA, ViewB>();
  Kokkos::Profiling::ScopedRegion const region("pantile::mpi::transpose");
  impl::mpi::Agreement agreement("mpi::transpose", where);
  agreement.require_one_communicator(A.distribution, B.distribution);
  impl::mpi::require_transposed(agreement, A.distribution, B.distribution);
  impl::mpi::require_part(agreement, "A", A);
  impl::mpi::require_part(agreement, "B", B);
  impl::mpi::require_apart(agreement, "B", B, "A", A);
  agreement.same(impl::mpi::number_of<T>);
  agreement.same(options.conjugate);
  auto const describe_all = [&] { return impl::mpi::describe("A", A) + ", " + impl::mpi::describe("B", B); };
  if constexpr (impl::mpi::on_host<ViewA> && impl::mpi::on_host<ViewB>) {
    std::optional<impl::mpi::Transposed> transposed;
    agreement.attempt([&] {
      exec.fence("pantile::mpi: before the host reads");
      transposed.emplace(impl::mpi::number_of<T>, options.conjugate, impl::mpi::part_of(A));
    });
    agreement.settle(B.distribution.grid().communicator(), describe_all);
    transposed->deal(impl::mpi::part_of(B));
  } else {
    std::optional<impl::mpi::Exchange<impl::mpi::Move::transposed, Exec, ViewA, ViewB>> exchange;
    agreement.attempt([&] { exchange.emplace(exec, A, B, options.conjugate); });
    agreement.settle(B.distribution.grid().communicator(), describe_all);
    exchange->run();
  }
}

/// \brief  The same with the default instance of B's execution space.
template <MatrixView ViewA, MatrixView ViewB>
  requires Mutable<ViewB>
void transpose(DistributedMatrix<ViewA> const& A, DistributedMatrix<ViewB> const& B,
               TransposeOptions const& options = {}, std::source_location where = std::source_location::current()) {
  mpi::transpose(typename ViewB::execution_space{}, A, B, options, where);
}

}  // namespace pantile::mpi
