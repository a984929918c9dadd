// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "operations/oracle.hpp"

#include <pantile/policy.hpp>

namespace pantile::driver {

/// Multiplications that the oracle spends at most; about half a second. Above, it looks at sampled rows.
inline constexpr std::int64_t oracle_budget = std::int64_t{1} << 28;

/// Rows of C = alpha op(A) op(B) + beta C0 in wide arithmetic, compared with C. Bound, for any order of summation:
/// Higham, section 3.5: k + 3 roundings of |alpha| |A| |B| + |beta| |C0| with the accumulator's roundoff, plus one to
/// C's type.
template <class T, class TC, class Accumulator>
class MatmulOracle {
 public:
  using WideT = Wide<Accumulator>;
  using W = typename WideT::type;
  using Size = typename WideT::magnitude_type;
  using Real = typename Wide<TC>::real_type;

  explicit MatmulOracle(MatmulTask const& task)
      : m_a(task.a),
        m_b(task.b),
        m_c(task.c),
        m_conj_a(conjugates(task.options.op_a)),
        m_conj_b(conjugates(task.options.op_b)),
        m_alpha(WideT::of(task.alpha.as<Accumulator>("alpha"))),
        m_beta(WideT::of(task.beta.as<Accumulator>("beta"))) {
    if (transposes(task.options.op_a)) m_a = m_a.transposed();
    if (transposes(task.options.op_b)) m_b = m_b.transposed();
    if (task.c_in != nullptr && !task.beta.is_zero()) m_c_in = HostMatrix<TC>(*task.c_in);
    m_sums.resize(static_cast<std::size_t>(m_c.cols));
    m_sizes.resize(m_sums.size());
  }

  Verification verify(Progress const& progress) {
    std::int64_t const row_cost = std::max<std::int64_t>(1, m_a.cols * m_c.cols);
    std::int64_t const rows =
        std::clamp<std::int64_t>(oracle_budget / row_cost, 1, std::max<std::int64_t>(1, m_c.rows));
    Verification result;
    result.oracle = "a serial sum in " + oracle_name<Accumulator>();
    result.scope = rows >= m_c.rows ? "all " + std::to_string(m_c.rows * m_c.cols) + " elements"
                                    : std::to_string(rows) + " of " + std::to_string(m_c.rows) + " rows";
    Judge<TC> judge(result);
    for (std::int64_t r = 0; m_c.rows > 0 && r < rows; ++r) {
      // Sampled rows are spread over C; the first and the last are among them.
      std::int64_t const i = rows == 1 ? m_c.rows - 1 : r * (m_c.rows - 1) / (rows - 1);
      compute_row(i);
      for (std::int64_t j = 0; j < m_c.cols; ++j) compare(judge, i, j);
      if (progress) progress(static_cast<std::uint64_t>(r) + 1, static_cast<std::uint64_t>(rows));
    }
    return result;
  }

 private:
  template <class Element>
  static W wide(Element const& value, bool conjugated) {
    if constexpr (std::is_arithmetic_v<W>) {
      return static_cast<W>(value);
    } else {
      return {value.real(), conjugated ? -value.imag() : value.imag()};
    }
  }

  void add_product(std::int64_t j, W const& a, W const& b) {
    m_sums[static_cast<std::size_t>(j)] += product(a, b);
    if constexpr (!std::is_integral_v<W>) {
      m_sizes[static_cast<std::size_t>(j)] += finite_part(magnitude(a) * magnitude(b));
    }
  }

  void compute_row(std::int64_t i) {
    std::fill(m_sums.begin(), m_sums.end(), W(0));
    std::fill(m_sizes.begin(), m_sizes.end(), Size(0));
    if (m_alpha == W(0)) return;
    if (m_b.col_stride == 1) {
      for (std::int64_t l = 0; l < m_a.cols; ++l) {
        W const a = wide(m_a(i, l), m_conj_a);
        for (std::int64_t j = 0; j < m_c.cols; ++j) add_product(j, a, wide(m_b(l, j), m_conj_b));
      }
    } else {
      for (std::int64_t j = 0; j < m_c.cols; ++j) {
        for (std::int64_t l = 0; l < m_a.cols; ++l)
          add_product(j, wide(m_a(i, l), m_conj_a), wide(m_b(l, j), m_conj_b));
      }
    }
  }

  void compare(Judge<TC>& judge, std::int64_t i, std::int64_t j) {
    bool const scales_only = m_alpha == W(0) || m_a.cols == 0;
    W total = scales_only ? W(0) : product(m_alpha, m_sums[static_cast<std::size_t>(j)]);
    if (m_c_in.data != nullptr) total += product(m_beta, wide(m_c_in(i, j), false));
    Tolerance<Real> tolerance;
    if constexpr (!std::is_integral_v<W>) tolerance = tolerance_of(i, j, magnitude(total));
    judge.compare(i, j, m_c(i, j), static_cast<typename Wide<TC>::type>(total), tolerance);
  }

  Tolerance<Real> tolerance_of(std::int64_t i, std::int64_t j, Size total) const {
    Size const sum = m_sizes[static_cast<std::size_t>(j)];
    Size size = finite_part(magnitude(m_alpha) * sum);
    if (m_c_in.data != nullptr) size += finite_part(magnitude(m_beta) * magnitude(wide(m_c_in(i, j), false)));
    double const roundings = static_cast<double>(m_a.cols) + 3;
    double const relative = compounded(roundings, roundoff<Accumulator>());
    // Products and sums that are subnormal lose up to the smallest number each; alpha makes it more.
    Size const floor = static_cast<Size>(roundings * smallest<TC>()) +
                       finite_part(magnitude(m_alpha)) * static_cast<Size>(roundings * smallest<Accumulator>());
    auto const range = static_cast<Size>(largest<Accumulator>());
    Tolerance<Size> const unscaled(sum, relative, 0, range), scaled(size, relative, floor, range);

    Tolerance<Real> tolerance;
    tolerance.bound = static_cast<Real>(scaled.bound + static_cast<Size>(roundoff<TC>()) * finite_part(total));
    tolerance.vacuous = scaled.vacuous;
    bool const leaves_c = finite_part(total) + scaled.bound >= static_cast<Size>(largest<TC>());
    tolerance.may_overflow = unscaled.may_overflow || scaled.may_overflow || leaves_c;
    return tolerance;
  }

  HostMatrix<T> m_a, m_b;
  HostMatrix<TC> m_c, m_c_in;
  bool m_conj_a, m_conj_b;
  W m_alpha, m_beta;
  std::vector<W> m_sums;
  std::vector<Size> m_sizes;
};

}  // namespace pantile::driver
