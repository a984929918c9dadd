// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A matmul contest: Pantile, every peer there is, and the peak of fused multiply-adds.

#include <peers/blas.hpp>
#include <peers/eigen.hpp>
#include <peers/machine.hpp>
#include <support/contest.hpp>
#include <support/operands.hpp>
#include <support/twin.hpp>

#include <pantile/matmul.hpp>

#if defined(PANTILE_PERF_KOKKOS_KERNELS)
#include <KokkosBlas3_gemm.hpp>
#endif

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace pantile::perf {

struct Shape {
  std::int64_t m, n, k;
  [[nodiscard]] double operations(bool complex) const {
    return (complex ? 8.0 : 2.0) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
  [[nodiscard]] std::string name() const {
    return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
  }
};

/// \brief  How far apart two right products may be. Sums of k products of numbers between -1 and 1 stay near sqrt(k);
///         each of k additions rounds such a sum. Wrong ones are apart by sqrt(k) itself.
template <class T>
double product_bound(std::int64_t k) {
  using Real = typename Twin<T>::real;
  auto const depth = static_cast<double>(k);
  return (is_complex<T> ? 16 : 4) * static_cast<double>(std::numeric_limits<Real>::epsilon()) * depth *
         std::sqrt(depth);
}

/// What every library computes: C = A B, contiguous and row-major, A and B random.
template <class T>
struct Product {
  using Std = typename Twin<T>::type;

  explicit Product(Shape const& s)
      : shape(s),
        a(random_host_matrix<T>("A", s.m, s.k, 1)),
        b(random_host_matrix<T>("B", s.k, s.n, 2)),
        c("C", s.m, s.n),
        expected("expected", s.m, s.n) {}

  [[nodiscard]] Std const* a_data() const { return reinterpret_cast<Std const*>(a.data()); }
  [[nodiscard]] Std const* b_data() const { return reinterpret_cast<Std const*>(b.data()); }
  [[nodiscard]] Std* c_data() const { return reinterpret_cast<Std*>(c.data()); }

  /// Pantile's own result becomes what the peers are compared with; it is right if they agree.
  [[nodiscard]] Verdict keep() const {
    return [*this] {
      Kokkos::deep_copy(expected, c);
      return std::string();
    };
  }
  [[nodiscard]] Verdict verdict() const {
    return [*this] { return compare(c, expected, product_bound<T>(shape.k)); };
  }

  Shape shape;
  HostMatrix<T> a, b, c, expected;
};

template <class T>
void add_vector_peer(Contest& contest, Product<T> const& p, Blas const& blas) {
  if constexpr (!is_complex<T>) {
    Shape const s = p.shape;
    bool const row = s.m == 1, column = s.n == 1;
    if (!row && !column) return;
    contest.peer("openblas_gemv", timed([=, &blas] {
                   if (column) {
                     blas.multiply_vector(false, s.m, s.k, p.a_data(), p.b_data(), p.c_data());
                   } else {
                     blas.multiply_vector(true, s.k, s.n, p.b_data(), p.a_data(), p.c_data());
                   }
                 }),
                 p.verdict());
  }
}

template <class T>
void add_gemm_peers(Contest& contest, Product<T> const& p) {
  Shape const s = p.shape;
  for (Blas const* const blas : Blas::all()) {
    contest.peer(blas->name(), timed([=] { blas->multiply(s.m, s.n, s.k, p.a_data(), p.b_data(), p.c_data()); }),
                 p.verdict());
  }
  if (Blas::openblas() != nullptr) add_vector_peer(contest, p, *Blas::openblas());
#if defined(PANTILE_PERF_EIGEN)
  eigen::set_threads(host_threads());
  contest.peer("eigen", timed([=] { eigen::multiply(s.m, s.n, s.k, p.a_data(), p.b_data(), p.c_data()); }),
               p.verdict());
#endif
#if defined(PANTILE_PERF_KOKKOS_KERNELS)
  contest.peer("kokkos_kernels", timed([=] { KokkosBlas::gemm(Host(), "N", "N", T(1), p.a, p.b, T(0), p.c); }),
               p.verdict());
#endif
}

/// The whole case.
template <class T>
void gemm_contest(benchmark::State& state, Shape const& shape, Settings const& settings) {
  Product<T> const p(shape);
  Contest contest("GFLOP/s", shape.operations(is_complex<T>) * 1e-9);
  contest.before_first_call([=] { spoil(p.c); });
  contest.own(timed([=, exec = Host()] { matmul(exec, T(1), p.a, p.b, T(0), p.c); }), p.keep());
  add_gemm_peers(contest, p);
  add_peak<typename Twin<T>::real>(contest);
  contest.run(state, settings);
}

}  // namespace pantile::perf
