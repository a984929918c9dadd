// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The contest of one matrix product: Pantile, the vendor's library, drawn elements in double.

#include <gpu/contest.hpp>
#include <gpu/operands.hpp>
#include <gpu/product_check.hpp>
#include <gpu/vendor_blas.hpp>

#include <pantile/matmul.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace pantile::perf::gpu {

struct Shape {
  std::int64_t m, n, k;
};
inline Shape square(std::int64_t n) { return {n, n, n}; }
inline std::string text_of(Shape const& s) {
  return std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k);
}

/// Operations of a product: a complex multiplication and addition are eight real ones.
template <class T>
double operations(Shape const& s) {
  return (is_complex_v<T> ? 8.0 : 2.0) * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
}

/// \brief  Row-major operands of C = op(A) op(B), several sets where one would stay in the cache.
/// \param  padding  elements between the rows of A and B, so that they begin at odd addresses where it is odd
template <class TA, class TB, class TC>
class Product {
 public:
  using ViewA = Kokkos::View<TA**, Kokkos::LayoutStride, Exec::memory_space>;
  using ViewB = Kokkos::View<TB**, Kokkos::LayoutStride, Exec::memory_space>;
  using ViewC = Matrix<TC>;

  Product(Shape const& shape, MatmulOptions const& options, std::int64_t padding = 0)
      : m_shape(shape), m_options(options), m_padding(padding) {
    auto const [m, n, k] = shape;
    double const bytes = static_cast<double>(m * k) * sizeof(TA) + static_cast<double>(k * n) * sizeof(TB) +
                         static_cast<double>(m * n) * sizeof(TC);
    std::int64_t const sets = sets_for(bytes);
    for (std::int64_t set = 0; set < sets; ++set) {
      auto const seed = static_cast<std::uint64_t>(3 * set + 1);
      m_a.push_back(stored<TA>(m, k, transposes(options.op_a), seed));
      m_b.push_back(stored<TB>(k, n, transposes(options.op_b), seed + 1));
      m_c.push_back(make_matrix<TC>(m, n));
    }
    instance().fence("pantile::perf: operands");
  }

  [[nodiscard]] Shape const& shape() const { return m_shape; }
  [[nodiscard]] MatmulOptions const& options() const { return m_options; }
  [[nodiscard]] ViewA const& a(std::int64_t i) const { return m_a[place(i)]; }
  [[nodiscard]] ViewB const& b(std::int64_t i) const { return m_b[place(i)]; }
  [[nodiscard]] ViewC const& c(std::int64_t i) const { return m_c[place(i)]; }

  void spoil_results() const { spoil(m_c.front()); }
  /// Of the last result of set 0; the first one that is right is kept and the following ones compared with it.
  Verdict judge() {
    Verdict verdict = check_product(a(0), b(0), c(0), m_options);
    if (!verdict.wrong.empty()) return verdict;
    if (m_reference.data() == nullptr) {
      m_reference = make_matrix<TC>(m_shape.m, m_shape.n);
      Kokkos::deep_copy(instance(), m_reference, c(0));
      return verdict;
    }
    Verdict const other = check_against(c(0), m_reference, m_shape.k, m_options.precision);
    verdict.wrong = other.wrong;
    verdict.figures.insert(other.figures.begin(), other.figures.end());
    return verdict;
  }

 private:
  [[nodiscard]] std::size_t place(std::int64_t i) const { return static_cast<std::size_t>(i) % m_a.size(); }

  template <class T>
  Kokkos::View<T**, Kokkos::LayoutStride, Exec::memory_space> stored(std::int64_t rows, std::int64_t cols,
                                                                     bool transposed, std::uint64_t seed) const {
    if (transposed) std::swap(rows, cols);
    auto const whole = random_matrix<T>(rows, cols + m_padding, seed);
    return Kokkos::subview(whole, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(0, cols));
  }

  Shape m_shape;
  MatmulOptions m_options;
  std::int64_t m_padding;
  std::vector<ViewA> m_a;
  std::vector<ViewB> m_b;
  std::vector<ViewC> m_c;
  ViewC m_reference;
};

/// \brief  A row-major matrix for a column-major library, which sees its transpose. For C = A B in rows it is asked for
///         C^T = B^T A^T in columns: B's memory as it lies is B^T.
template <class View>
BlasMatrix blas_matrix(View const& view, Op op) {
  return {view.data(), static_cast<std::int64_t>(view.stride(0)), op};
}

/// The library takes one set of operands; conjugation without transposition it does not know.
template <class T>
void enqueue_vendor(VendorBlas const& blas, Product<T, T, T> const& p, std::int64_t i) {
  auto const [m, n, k] = p.shape();
  blas.multiply<T>(static_cast<int>(n), static_cast<int>(m), static_cast<int>(k), blas_matrix(p.b(i), p.options().op_b),
                   blas_matrix(p.a(i), p.options().op_a), p.c(i).data(), static_cast<int>(n));
}

template <class TA, class TB, class TC>
void own_product(Contest& contest, std::shared_ptr<Product<TA, TB, TC>> const& p) {
  contest.before_judged_call([p] { p->spoil_results(); });
  contest.plan(to_string(explain::matmul(instance(), 1, p->a(0), p->b(0), 0, p->c(0), p->options())));
  contest.own([p](std::int64_t i) { matmul(instance(), 1, p->a(i), p->b(i), 0, p->c(i), p->options()); },
              [p] { return p->judge(); });
}

/// Few rows, columns or products of a sum wait for memory: a copy that moves as many bytes is a bound of theirs.
template <class TA, class TB, class TC>
void bound_by_memory(Contest& contest, Shape const& shape, double amount) {
  auto const [m, n, k] = shape;
  if (std::min({m, n, k}) > 64) return;
  std::int64_t const bytes = m * k * static_cast<std::int64_t>(sizeof(TA)) +
                             k * n * static_cast<std::int64_t>(sizeof(TB)) +
                             m * n * static_cast<std::int64_t>(sizeof(TC));
  contest.bound("copy", DeviceCopy(bytes / 2), amount);
}

/// The whole contest of operands of one type with a gemm of their own.
template <class T>
std::string gemm_contest(std::string const& name, Shape const& shape, MatmulOptions const& options = {},
                         std::int64_t padding = 0) {
  auto const p = std::make_shared<Product<T, T, T>>(shape, options, padding);
  double const amount = operations<T>(shape) * 1e-9;
  Contest contest("GFLOP/s", amount);
  own_product(contest, p);
  bound_by_memory<T, T, T>(contest, shape, amount);
  if constexpr (FullBlasElement<T>) {
    if (VendorBlas const* const blas = VendorBlas::open()) {
      contest.peer(
          blas->name(), [p, blas](std::int64_t i) { enqueue_vendor(*blas, *p, i); }, [p] { return p->judge(); });
    }
  }
  return contest.run(name);
}

}  // namespace pantile::perf::gpu
