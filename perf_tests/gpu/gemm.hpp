// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matmul contests on a device: the vendor's library beside Pantile, and a copy where memory bounds.

#include <gpu/device.hpp>
#include <gpu/vendor_blas.hpp>
#include <support/product.hpp>

namespace pantile::perf {

template <class TA, class TB = TA, class TC = TA>
using DeviceProduct = Product<Exec, TA, TB, TC, Kokkos::LayoutStride>;

template <class TA, class TB = TA, class TC = TA>
auto make_device_product(Shape const& shape, MatmulOptions const& options = {}, std::int64_t padding = 0) {
  return std::make_shared<DeviceProduct<TA, TB, TC>>(Exec(), shape, options, padding);
}

/// \brief  A row-major matrix for a column-major library, which sees its transpose. For C = A B in rows it is asked for
///         C^T = B^T A^T in columns: B's memory as it lies is B^T.
template <class View>
BlasMatrix blas_matrix(View const& view, Op op) {
  return {view.data(), static_cast<std::int64_t>(view.stride(0)), op};
}

/// The vendor's gemm of one type; conjugation without transposition it does not know.
template <class T>
void add_vendor_gemm(Contest& contest, std::shared_ptr<DeviceProduct<T>> const& p) {
  VendorBlas const* const blas = VendorBlas::open();
  if (blas == nullptr) return;
  auto const call = [p, blas](std::int64_t i) {
    auto const [m, n, k] = p->shape();
    blas->multiply<T>(static_cast<int>(n), static_cast<int>(m), static_cast<int>(k),
                      blas_matrix(p->b(i), p->options().op_b), blas_matrix(p->a(i), p->options().op_a), p->c(i).data(),
                      static_cast<int>(n));
  };
  contest.peer(blas->name(), timed(Exec(), call), judge_of(p));
}

/// The vendor's extended gemm, where it takes types and shapes.
template <class T, class Result>
void add_vendor_mixed(Contest& contest, std::shared_ptr<DeviceProduct<T, T, Result>> const& p, bool tf32 = false) {
  VendorBlas const* const blas = VendorBlas::open();
  if (blas == nullptr) return;
  auto const call = [p, blas, tf32](std::int64_t i) {
    auto const [m, n, k] = p->shape();
    return blas->multiply_mixed(blas_type_of<T>(), blas_type_of<Result>(), static_cast<int>(n), static_cast<int>(m),
                                static_cast<int>(k), blas_matrix(p->b(i), Op::none), blas_matrix(p->a(i), Op::none),
                                p->c(i).data(), static_cast<int>(n), tf32);
  };
  if (call(0)) contest.peer(blas->name(), timed(Exec(), call), judge_of(p));
}

/// Few rows, columns or products of a sum wait for memory: a copy that moves as many bytes is a bound of theirs.
template <class P>
void bound_by_memory(Contest& contest, std::shared_ptr<P> const& p) {
  auto const [m, n, k] = p->shape();
  if (std::min({m, n, k}) <= 64) bound_by_copy(contest, std::floor(p->bytes() / 2), p->amount());
}

}  // namespace pantile::perf
