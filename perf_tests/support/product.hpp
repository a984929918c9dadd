// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The contest of one matrix product on a host or a device: operands, Pantile's call, the judgement of results.

#include <support/operands.hpp>
#include <support/product_check.hpp>

#include <pantile/matmul.hpp>

#include <memory>

namespace pantile::perf {

struct Shape {
  std::int64_t m, n, k;
  /// A complex multiplication and addition are eight real operations.
  [[nodiscard]] double operations(bool complex) const {
    return (complex ? 8.0 : 2.0) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
  [[nodiscard]] std::string name() const {
    return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
  }
};
inline Shape square(std::int64_t n) { return {n, n, n}; }

/// \brief  Operands of C = op(A) op(B), row-major and random, or a caller's own.
/// \tparam Layout  LayoutRight: one contiguous set, no options, as small products on hosts want it. LayoutStride: any
///                 options and strides, several sets where one would stay in a cache.
template <class Space, class TA, class TB = TA, class TC = TA, class Layout = Kokkos::LayoutRight>
class Product {
 public:
  static constexpr bool plain = std::is_same_v<Layout, Kokkos::LayoutRight>;
  using ViewA = Kokkos::View<TA**, Layout, typename Space::memory_space>;
  using ViewB = Kokkos::View<TB**, Layout, typename Space::memory_space>;
  using ViewC = Kokkos::View<TC**, Layout, typename Space::memory_space>;
  template <class T>
  using Of = Product<Space, T, T, T, Layout>;

  /// \param  padding  elements between the rows of A and B, so that they begin at odd addresses where it is odd
  Product(Space const& exec, Shape const& shape, MatmulOptions const& options = {}, std::int64_t padding = 0)
      : m_exec(exec), m_shape(shape), m_options(options) {
    auto const [m, n, k] = shape;
    std::int64_t const sets = plain ? 1 : sets_for(bytes());
    for (std::int64_t set = 0; set < sets; ++set) {
      auto const seed = static_cast<std::uint64_t>(3 * set + 1);
      m_a.push_back(stored<ViewA>(m, k, transposes(options.op_a), padding, seed));
      m_b.push_back(stored<ViewB>(k, n, transposes(options.op_b), padding, seed + 1));
      m_c.push_back(make_matrix<TC, Space>(m, n));
    }
    m_exec.fence("pantile::perf: operands");
  }
  Product(Space const& exec, Shape const& shape, MatmulOptions const& options, ViewA const& a, ViewB const& b,
          ViewC const& c)
      : m_exec(exec), m_shape(shape), m_options(options), m_a{a}, m_b{b}, m_c{c} {}

  [[nodiscard]] Space const& exec() const { return m_exec; }
  [[nodiscard]] Shape const& shape() const { return m_shape; }
  [[nodiscard]] MatmulOptions const& options() const { return m_options; }
  /// Of the i-th call.
  [[nodiscard]] ViewA const& a(std::int64_t i = 0) const { return m_a[place(i)]; }
  [[nodiscard]] ViewB const& b(std::int64_t i = 0) const { return m_b[place(i)]; }
  [[nodiscard]] ViewC const& c(std::int64_t i = 0) const { return m_c[place(i)]; }
  /// The first result that was right.
  [[nodiscard]] Matrix<TC, Space> const& reference() const { return m_reference; }

  [[nodiscard]] double bytes() const {
    auto const [m, n, k] = m_shape;
    return static_cast<double>(m * k) * sizeof(TA) + static_cast<double>(k * n) * sizeof(TB) +
           static_cast<double>(m * n) * sizeof(TC);
  }
  /// 1e9 operations: FLOP, or OP of integers.
  [[nodiscard]] double amount() const { return m_shape.operations(is_complex_v<TC>) * 1e-9; }

  void spoil_results() const { spoil(m_exec, m_c.front()); }
  /// Of the last result of set 0; the first one that is right is kept and the following ones compared with it.
  Verdict judge() {
    Verdict verdict = check_product(m_exec, a(), b(), c(), m_options);
    if (!verdict.wrong.empty()) return verdict;
    if (m_reference.data() == nullptr) {
      m_reference = make_matrix<TC, Space>(m_shape.m, m_shape.n);
      Kokkos::deep_copy(m_exec, m_reference, c());
      return verdict;
    }
    Verdict const other = check_against(m_exec, c(), m_reference, m_shape.k, m_options.precision);
    verdict.wrong = other.wrong;
    verdict.figures.insert(other.figures.begin(), other.figures.end());
    return verdict;
  }

 private:
  [[nodiscard]] std::size_t place(std::int64_t i) const { return static_cast<std::size_t>(i) % m_a.size(); }

  template <class View>
  View stored(std::int64_t rows, std::int64_t cols, bool transposed, std::int64_t padding, std::uint64_t seed) const {
    if (transposed) std::swap(rows, cols);
    auto const whole = random_matrix<typename View::value_type>(m_exec, rows, cols + padding, seed);
    if constexpr (plain) {
      return whole;
    } else {
      return Kokkos::subview(whole, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(0, cols));
    }
  }

  Space m_exec;
  Shape m_shape;
  MatmulOptions m_options;
  std::vector<ViewA> m_a;
  std::vector<ViewB> m_b;
  std::vector<ViewC> m_c;
  Matrix<TC, Space> m_reference;
};

/// Pantile's product. Of the plain one nothing is looked up between calls that may take 30 ns.
template <class P>
Stopwatch watch_of(std::shared_ptr<P> const& p) {
  if constexpr (P::plain) {
    return timed(p->exec(), [exec = p->exec(), a = p->a(), b = p->b(), c = p->c()] { matmul(exec, 1, a, b, 0, c); });
  } else {
    return timed(p->exec(), [p](std::int64_t i) { matmul(p->exec(), 1, p->a(i), p->b(i), 0, p->c(i), p->options()); });
  }
}

template <class P>
Judge judge_of(std::shared_ptr<P> const& p) {
  return [p] { return p->judge(); };
}

/// Pantile alone; peers and bounds are the caller's.
template <class P>
Contest product_contest(std::shared_ptr<P> const& p, std::string unit = "GFLOP/s") {
  Contest contest(std::move(unit), p->amount());
  contest.before_judged_call([p] { p->spoil_results(); });
  contest.plan(to_string(explain::matmul(p->exec(), 1, p->a(), p->b(), 0, p->c(), p->options())));
  contest.own(watch_of(p), judge_of(p));
  return contest;
}

/// Pantile's own rate for T, which does as many operations.
template <class T, class P>
void bound_by_own(Contest& contest, std::string name, std::shared_ptr<P> const& p) {
  using Other = typename P::template Of<T>;
  contest.bound(std::move(name), watch_of(std::make_shared<Other>(p->exec(), p->shape())), p->amount());
}

}  // namespace pantile::perf
