// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products of distributed matrices.

#include <pantile/concepts.hpp>
#include <pantile/mpi/distribution.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/mpi/checks.hpp>
#include <pantile/impl/mpi/product.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <optional>
#include <source_location>

namespace pantile::mpi {

/// Options of matmul.
struct MatmulOptions {
  Op op_a = Op::none;  ///< operator on A
  Op op_b = Op::none;  ///< operator on B
};

/// \brief  C = alpha op_a(A) op_b(B) + beta C of distributed matrices. Collective over the grid's communicator.
///
/// \param  exec     execution-space instance whose work on the local Views is waited for, and on which copies of those
///                  that lie on a device are enqueued
/// \param  alpha    scalar, converted to the element type
/// \param  A        (m, k) after op_a; const or not
/// \param  B        (k, n) after op_b; const or not
/// \param  beta     scalar, converted to the element type; zero means that C is written and never read
/// \param  C        (m, n)
/// \param  options  op_a and op_b: none, transpose, conjugate_transpose, and conjugate where elements are real
///
/// Elements are float, double or a complex of them, the same in all three: ScaLAPACK has no others. Local Views are all
/// LayoutLeft or all LayoutRight, subviews of these too; LayoutRight is computed as the transposed problem, without
/// copies. Anything else does not compile. Blocks may differ in all three.
///
/// \pre    columns of op(A) equal rows of op(B); C has the rows of op(A) and the columns of op(B); all on one grid
/// \pre    every local View has its distribution's local_extents() and spans less than 2^31 elements; C's overlaps
///         neither A's nor B's nor itself; none with extents is without memory
/// \pre    all ranks of the communicator call, with the same global arguments; local Views of an operand lie on devices
///         on all of them, or on none
/// \throws pantile::Error  the same one on every rank, when one of these does not hold on any of them; then C is
///                         untouched. For grids of different communicators each rank throws without communication
///
/// \par Numerics     as pantile::matmul's: beta = 0 never reads C; alpha = 0 or k = 0 never reads A and B
/// \par Devices      the host computes. m, n or k is cut into slabs, which exec copies to pinned memory and back while
///                   ScaLAPACK computes on the previous one. Executed by an interpreter of PTX; no GPU has run
///                   this
/// \par Asynchrony   fences exec; the result is there when the call returns
/// \par Allocation   ScaLAPACK's panels: it ends the program where there is no memory for them. Of Views on devices, in
///                   pinned host memory (pinned.hpp), the smallest part as a whole, and of each of the other two two
///                   slabs, of 32 MiB at most; or larger ones, since a slab has at least as many rows or columns as the
///                   least common multiple of both operands' block x places along that edge. If memory fails on
///                   one rank, all throw
/// \par Threads      one call of pantile::mpi at a time in a process: ScaLAPACK is not thread safe
/// \par Determinism  the order of sums depends on grid and blocks, and on slabs
/// \par Index width  ScaLAPACK's 32 bits, see Distribution
/// \par Source       ScaLAPACK's p?gemm (Choi et al., "A proposal for a set of parallel basic linear algebra
///                   subprograms", LNCS 1041, 1996), with Pantile's local products (local_products_library)
template <ExecutionSpace Exec, class Alpha, MatrixView ViewA, MatrixView ViewB, class Beta, MatrixView ViewC>
  requires Mutable<ViewC>
void matmul(Exec const& exec, Alpha const& alpha, DistributedMatrix<ViewA> const& A, DistributedMatrix<ViewB> const& B,
            Beta const& beta, DistributedMatrix<ViewC> const& C, MatmulOptions const& options = {},
            std::source_location where = std::source_location::current()) {
  using T = impl::mpi::element_t<ViewC>;
  impl::mpi::require_orders<ViewA, ViewB, ViewC>();
  impl::mpi::require_numbers<ViewA, ViewB, ViewC>();
  Kokkos::Profiling::ScopedRegion const region("pantile::mpi::matmul");
  T const a = impl::to_scalar<T>(alpha), b = impl::to_scalar<T>(beta);
  impl::mpi::Agreement agreement("mpi::matmul", where);
  agreement.require_one_communicator(A.distribution, C.distribution);
  agreement.require_one_communicator(B.distribution, C.distribution);
  impl::mpi::require_product(agreement, A.distribution, B.distribution, C.distribution, options.op_a, options.op_b,
                             is_complex_v<T>);
  impl::mpi::require_part(agreement, "A", A);
  impl::mpi::require_part(agreement, "B", B);
  impl::mpi::require_part(agreement, "C", C);
  impl::mpi::require_apart(agreement, "C", C, "A", A);
  impl::mpi::require_apart(agreement, "C", C, "B", B);
  agreement.same(impl::mpi::number_of<T>);
  agreement.same(a);
  agreement.same(b);
  std::optional<impl::mpi::Product<Exec, ViewA, ViewB, ViewC>> product;
  agreement.attempt([&] {
    using Scalars = typename impl::mpi::Product<Exec, ViewA, ViewB, ViewC>::Scalars;
    product.emplace(exec, options.op_a, options.op_b, Scalars{a, b}, A, B, C);
  });
  agreement.settle(C.distribution.grid().communicator(), [&] {
    return impl::mpi::describe("A", A) + ", " + impl::mpi::describe("B", B) + ", " + impl::mpi::describe("C", C);
  });
  product->run();
}

/// \brief  The same with the default instance of C's execution space.
template <class Alpha, MatrixView ViewA, MatrixView ViewB, class Beta, MatrixView ViewC>
  requires Mutable<ViewC>
void matmul(Alpha const& alpha, DistributedMatrix<ViewA> const& A, DistributedMatrix<ViewB> const& B, Beta const& beta,
            DistributedMatrix<ViewC> const& C, MatmulOptions const& options = {},
            std::source_location where = std::source_location::current()) {
  mpi::matmul(typename ViewC::execution_space{}, alpha, A, B, beta, C, options, where);
}

}  // namespace pantile::mpi
