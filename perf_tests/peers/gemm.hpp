// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A matmul contest on the host: every peer there is, and the peak of fused multiply-adds.

#include <peers/blas.hpp>
#include <peers/eigen.hpp>
#include <peers/machine.hpp>
#include <support/product.hpp>
#include <support/twin.hpp>

#if defined(PANTILE_PERF_KOKKOS_KERNELS)
#include <KokkosBlas3_gemm.hpp>
#endif

namespace pantile::perf {

/// What every library computes: C = A B, contiguous and row-major, A and B random.
template <class T>
using HostProduct = std::shared_ptr<Product<Host, T>>;
template <class T>
HostProduct<T> make_host_product(Shape const& shape) {
  return std::make_shared<Product<Host, T>>(Host(), shape);
}

template <class T>
void add_gemm_peers(Contest& contest, HostProduct<T> const& p) {
  auto const [m, n, k] = p->shape();
  auto const add = [&](std::string const& name, auto const& call) {
    // The operands as pointers, which p holds.
    contest.peer(name,
                 timed(Host(), [=, s = p->shape(), a = twin(p->a().data()), b = twin(p->b().data()),
                                c = twin(p->c().data())] { call(s.m, s.n, s.k, a, b, c); }),
                 judge_of(p));
  };
  for (Blas const* const blas : Blas::all()) {
    add(blas->name(), [blas](auto... operands) { blas->multiply(operands...); });
  }
  if constexpr (!is_complex_v<T>) {
    Blas const* const blas = m == 1 || n == 1 ? Blas::openblas() : nullptr;
    if (blas != nullptr && n == 1) {
      add("openblas_gemv", [blas](auto rows, auto, auto depth, auto* a, auto* b, auto* c) {
        blas->multiply_vector(false, rows, depth, a, b, c);
      });
    } else if (blas != nullptr) {
      add("openblas_gemv", [blas](auto, auto cols, auto depth, auto* a, auto* b, auto* c) {
        blas->multiply_vector(true, depth, cols, b, a, c);
      });
    }
  }
#if defined(PANTILE_PERF_EIGEN)
  eigen::set_threads(host_threads());
  add("eigen", [](auto... operands) { eigen::multiply<typename Twin<T>::type>(operands...); });
#endif
#if defined(PANTILE_PERF_KOKKOS_KERNELS)
  contest.peer(
      "kokkos_kernels",
      timed(Host(), [a = p->a(), b = p->b(), c = p->c()] { KokkosBlas::gemm(Host(), "N", "N", T(1), a, b, T(0), c); }),
      judge_of(p));
#endif
}

/// The whole case.
template <class T>
Contest gemm_contest(HostProduct<T> const& p) {
  Contest contest = product_contest(p);
  add_gemm_peers(contest, p);
  add_peak<typename Twin<T>::real>(contest);
  return contest;
}
template <class T>
Contest gemm_contest(Shape const& shape) {
  return gemm_contest(make_host_product<T>(shape));
}

}  // namespace pantile::perf
