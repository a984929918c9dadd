// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Copies of distributed matrices between different blocks and grids.

#include <pantile/concepts.hpp>
#include <pantile/mpi/distribution.hpp>

#include <pantile/impl/mpi/checks.hpp>
#include <pantile/impl/mpi/exchange.hpp>
#include <pantile/impl/mpi/pblas.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <optional>
#include <source_location>
#include <type_traits>

namespace pantile::mpi {

/// \brief  B = A, where blocks and grids may differ. Collective over the communicator that both grids are made of.
///
/// On a 1x1 grid with one block, rank 0 has the whole matrix: a copy to it gathers, a copy from it scatters.
///
/// \param  exec  as matmul's
/// \param  A     (m, n); const or not
/// \param  B     (m, n)
///
/// Elements are of any type of 4, 8 or 16 bytes, the same in both; layouts as matmul's. Anything else does not compile.
///
/// \pre    B has A's extents; the rest as matmul's
/// \throws pantile::Error  as matmul's
///
/// \par Numerics     bits are copied
/// \par Devices      as transpose's, without the transposition
/// \par Allocation   on hosts ScaLAPACK's buffers, as large as both local parts: it ends the program where there is no
///                   memory for them. For Views on devices as transpose's
/// \par Asynchrony, Threads, Index width  as matmul's
/// \par Source       on hosts ScaLAPACK's p?gemr2d (Prylli, Tourancheau, "Fast runtime block cyclic data redistribution
///                   on multiprocessors", J. Parallel Distrib. Comput. 45, 1997)
template <ExecutionSpace Exec, MatrixView ViewA, MatrixView ViewB>
  requires Mutable<ViewB>
void redistribute(Exec const& exec, DistributedMatrix<ViewA> const& A, DistributedMatrix<ViewB> const& B,
                  std::source_location where = std::source_location::current()) {
  using T = impl::mpi::element_t<ViewB>;
  impl::mpi::require_orders<ViewA, ViewB>();
  static_assert(std::is_same_v<T, impl::mpi::element_t<ViewA>> && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16),
                "pantile::mpi::redistribute: elements have 4, 8 or 16 bytes and one type: ScaLAPACK moves no others");
  Kokkos::Profiling::ScopedRegion const region("pantile::mpi::redistribute");
  impl::mpi::Agreement agreement("mpi::redistribute", where);
  agreement.require_one_communicator(A.distribution, B.distribution);
  impl::mpi::require_same_extents(agreement, A.distribution, B.distribution);
  impl::mpi::require_part(agreement, "A", A);
  impl::mpi::require_part(agreement, "B", B);
  impl::mpi::require_apart(agreement, "B", B, "A", A);
  agreement.same(sizeof(T));
  auto const describe_all = [&] { return impl::mpi::describe("A", A) + ", " + impl::mpi::describe("B", B); };
  if constexpr (impl::mpi::on_host<ViewA> && impl::mpi::on_host<ViewB>) {
    agreement.attempt([&] { exec.fence("pantile::mpi: before the host reads"); });
    agreement.settle(B.distribution.grid().communicator(), describe_all);
    impl::mpi::redistribute(sizeof(T), impl::mpi::part_of(A), impl::mpi::part_of(B));
  } else {
    std::optional<impl::mpi::Exchange<impl::mpi::Move::as_it_is, Exec, ViewA, ViewB>> exchange;
    agreement.attempt([&] { exchange.emplace(exec, A, B, false); });
    agreement.settle(B.distribution.grid().communicator(), describe_all);
    exchange->run();
  }
}

/// \brief  The same with the default instance of B's execution space.
template <MatrixView ViewA, MatrixView ViewB>
  requires Mutable<ViewB>
void redistribute(DistributedMatrix<ViewA> const& A, DistributedMatrix<ViewB> const& B,
                  std::source_location where = std::source_location::current()) {
  mpi::redistribute(typename ViewB::execution_space{}, A, B, where);
}

}  // namespace pantile::mpi
