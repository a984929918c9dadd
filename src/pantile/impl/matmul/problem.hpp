// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised matmul: operators resolved into strides and conjugation flags.

#include <pantile/impl/view/matrix.hpp>

namespace pantile::impl::matmul {

/// Which matrices vectors are: A is a row, B a column, and C what the product of the two others is.
inline constexpr VectorIs vector_a = VectorIs::row, vector_b = VectorIs::column;
template <class ViewA>
inline constexpr VectorIs vector_c = ViewA::rank() == 1 ? VectorIs::row : VectorIs::column;

/// \brief  C (m x n) = alpha * A (m x k) * B (k x n) + beta * C.
template <class TA, class TB, class TC, class Accumulator>
struct Problem {
  Matrix<TA const> a;
  Matrix<TB const> b;
  Matrix<TC> c;
  bool conj_a;
  bool conj_b;
  Accumulator alpha;
  Accumulator beta;

  [[nodiscard]] Index m() const { return c.rows; }
  [[nodiscard]] Index n() const { return c.cols; }
  [[nodiscard]] Index k() const { return a.cols; }
  [[nodiscard]] Index result_count() const { return c.count(); }
  /// A and B do not enter: alpha = 0 or k = 0. Then C = beta C and neither alpha, A nor B is read.
  [[nodiscard]] bool scales_only() const { return k() == 0 || alpha == Accumulator(0); }
  /// The same seen as C^T = B^T A^T, which only exchanges strides and operands.
  [[nodiscard]] Problem<TB, TA, TC, Accumulator> transposed() const {
    return {b.transposed(), a.transposed(), c.transposed(), conj_b, conj_a, alpha, beta};
  }
};

/// The last step of every kernel: C = alpha * sum + beta * C, C not read when beta is zero.
template <class TC, class Accumulator>
struct Epilogue {
  using Compute = compute_t<Accumulator>;
  Compute alpha;
  Compute beta;
  bool reads_c;

  explicit Epilogue(Accumulator const& alpha_, Accumulator const& beta_)
      : alpha(convert<Compute>(alpha_)), beta(convert<Compute>(beta_)), reads_c(!(beta_ == Accumulator(0))) {}

  KOKKOS_INLINE_FUNCTION void operator()(Compute const& sum, TC& c) const {
    Compute result = multiply_add(alpha, sum, Compute(0));
    if (reads_c) result = multiply_add(beta, convert<Compute>(c), result);
    c = convert<TC>(convert<Accumulator>(result));
  }
};

/// \brief  Call f with a problem, or a batch of them, the way round that its plan says: every mix of layouts and
///         operators thus reaches the same kernels, devices' and simple ones. Of hosts' own: host/product.hpp.
template <class AnyProblem, class F>
void as_planned(AnyProblem const& p, bool exchange, F const& f) {
  if (exchange) {
    f(p.transposed());
  } else {
    f(p);
  }
}

}  // namespace pantile::impl::matmul
