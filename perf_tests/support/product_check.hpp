// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Is C = op(A) op(B)? Drawn elements against sums in double (integers exactly), all of C against a result.

#include <support/operands.hpp>

#include <pantile/policy.hpp>

namespace pantile::perf {

/// Three sums in one pass.
struct Sums {
  double a = 0, b = 0, c = 0;
  KOKKOS_FUNCTION Sums& operator+=(Sums const& other) {
    a += other.a;
    b += other.b;
    c += other.c;
    return *this;
  }
};

}  // namespace pantile::perf

template <>
struct Kokkos::reduction_identity<pantile::perf::Sums> {
  KOKKOS_FUNCTION static pantile::perf::Sums sum() { return {}; }
};

namespace pantile::perf {

template <class T>
KOKKOS_INLINE_FUNCTION double real_part(T const& value) {
  if constexpr (is_complex_v<T>) {
    return static_cast<double>(value.real());
  } else {
    return static_cast<double>(value);
  }
}
template <class T>
KOKKOS_INLINE_FUNCTION double imaginary_part(T const& value) {
  if constexpr (is_complex_v<T>) {
    return static_cast<double>(value.imag());
  } else {
    return 0.0;
  }
}

/// One team for each drawn element: its distance from the sum in double over the root of the sum of the products'
/// squares, as large as a sum of random products is; integers: 0 or 1.
template <class Space, class ViewA, class ViewB, class ViewC>
struct DrawnElements {
  ViewA a;
  ViewB b;
  ViewC c;
  bool a_transposed, b_transposed, a_conjugated, b_conjugated;
  std::int64_t k;
  Vector<double, Space> distance;

  struct Place {
    std::int64_t row, col;
  };
  /// All of a small C; else the last row, the last column, and points that are spread evenly (M. Roberts, "The
  /// unreasonable effectiveness of quasirandom sequences", 2018).
  KOKKOS_FUNCTION Place place(std::int64_t s) const {
    auto const rows = static_cast<std::int64_t>(c.extent(0)), cols = static_cast<std::int64_t>(c.extent(1));
    auto const drawn = static_cast<std::int64_t>(distance.extent(0));
    if (drawn == rows * cols) return {s / cols, s % cols};
    auto const along = [s](double step, std::int64_t extent) {
      double const turns = static_cast<double>(s + 1) * step;
      return static_cast<std::int64_t>((turns - Kokkos::floor(turns)) * static_cast<double>(extent));
    };
    std::int64_t const row = along(0.7548776662466927, rows), col = along(0.5698402909980532, cols);
    return {s < drawn / 8 ? rows - 1 : row, s >= drawn / 8 && s < drawn / 4 ? cols - 1 : col};
  }

  KOKKOS_FUNCTION auto left(std::int64_t i, std::int64_t l) const { return a_transposed ? a(l, i) : a(i, l); }
  KOKKOS_FUNCTION auto right(std::int64_t l, std::int64_t j) const { return b_transposed ? b(j, l) : b(l, j); }

  struct Reals {
    DrawnElements const& self;
    std::int64_t i, j;
    KOKKOS_FUNCTION void operator()(std::int64_t l, Sums& sums) const {
      auto const x = self.left(i, l);
      auto const y = self.right(l, j);
      double const xr = real_part(x), yr = real_part(y);
      double const xi = self.a_conjugated ? -imaginary_part(x) : imaginary_part(x);
      double const yi = self.b_conjugated ? -imaginary_part(y) : imaginary_part(y);
      sums.a += xr * yr - xi * yi;
      sums.b += xr * yi + xi * yr;
      sums.c += (xr * xr + xi * xi) * (yr * yr + yi * yi);
    }
  };
  struct Integers {
    DrawnElements const& self;
    std::int64_t i, j;
    KOKKOS_FUNCTION void operator()(std::int64_t l, std::uint64_t& sum) const {
      sum += static_cast<std::uint64_t>(static_cast<std::int64_t>(self.left(i, l))) *
             static_cast<std::uint64_t>(static_cast<std::int64_t>(self.right(l, j)));
    }
  };

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    using T = typename ViewC::non_const_value_type;
    auto const [i, j] = place(team.league_rank());
    double result = 0;
    if constexpr (is_integer_v<T>) {
      std::uint64_t sum = 0;
      Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, k), Integers{*this, i, j}, sum);
      result = c(i, j) == static_cast<T>(sum) ? 0 : 1;
    } else {
      Sums sums;  // real part, imaginary part, squares
      Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, k), Reals{*this, i, j}, sums);
      result = (Kokkos::abs(real_part(c(i, j)) - sums.a) + Kokkos::abs(imaginary_part(c(i, j)) - sums.b)) /
               Kokkos::sqrt(sums.c);
    }
    if (team.team_rank() == 0) distance(team.league_rank()) = result;
  }
};

/// Sums of squares of C - R and of R; of integers the number of differences.
template <class ViewC, class ViewR>
struct Distance {
  ViewC c;
  ViewR r;
  KOKKOS_FUNCTION void operator()(std::int64_t index, Sums& sums) const {
    auto const cols = static_cast<std::int64_t>(c.extent(1));
    std::int64_t const i = index / cols, j = index % cols;
    if constexpr (is_integer_v<typename ViewC::non_const_value_type>) {
      sums.a += c(i, j) == r(i, j) ? 0 : 1;
    } else {
      double const re = real_part(c(i, j)) - real_part(r(i, j)), im = imaginary_part(c(i, j)) - imaginary_part(r(i, j));
      sums.a += re * re + im * im;
      sums.b += real_part(r(i, j)) * real_part(r(i, j)) + imaginary_part(r(i, j)) * imaginary_part(r(i, j));
    }
  }
};

/// Number of elements of C further from R's than so.
template <class ViewC, class ViewR>
struct FarElements {
  ViewC c;
  ViewR r;
  double limit;
  KOKKOS_FUNCTION void operator()(std::int64_t index, std::int64_t& far) const {
    auto const cols = static_cast<std::int64_t>(c.extent(1));
    std::int64_t const i = index / cols, j = index % cols;
    double const re = real_part(c(i, j)) - real_part(r(i, j)), im = imaginary_part(c(i, j)) - imaginary_part(r(i, j));
    far += re * re + im * im <= limit * limit ? 0 : 1;
  }
};

/// Relative spacing of a type's numbers, and of those that it is summed in.
template <class T>
double spacing() {
  if constexpr (is_complex_v<T>) {
    return spacing<typename T::value_type>();
  } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    return static_cast<double>(std::numeric_limits<T>::epsilon());
  } else {
    return impl::is_half<T> ? 0x1p-10 : 0x1p-7;
  }
}

/// Relative error of one product of floats that the caller allows: of tf32 both factors may lose 13 bits.
inline double product_error(Precision precision) {
  return precision == Precision::tf32 ? 0x1p-9 : precision == Precision::three_tf32 ? 0x1p-21 : 0;
}

/// \brief  Upper guess of the error of a sum of k random products of T, over the size of such sums. Matrix instructions
///         cut sums, so that errors have one sign (M. Fasi et al., "Numerical behavior of NVIDIA tensor cores", PeerJ
///         Computer Science 7, 2021); this shows beside the products' own errors with three tf32 products for each of
///         float.
template <class T>
double likely_error(std::int64_t k, Precision precision) {
  using Accumulator = typename element_traits<T>::accumulator_type;
  auto const count = static_cast<double>(k);
  return spacing<Accumulator>() * std::sqrt(count) + (sizeof(T) < 4 ? spacing<T>() : 0) + product_error(precision) +
         (precision == Precision::three_tf32 ? spacing<Accumulator>() * count / 8 : 0);
}

/// \brief  Drawn elements within eight times likely_error: a sum in rising k of k random products is off by about
///         0.2 eps sqrt(k) of its size, and the last rounding by half of T's spacing times it. A sum without one of a
///         hundred of its parts is off by a tenth.
template <class Space, class ViewA, class ViewB, class ViewC>
Verdict check_product(Space const& exec, ViewA const& a, ViewB const& b, ViewC const& c, MatmulOptions const& options) {
  using T = typename ViewC::non_const_value_type;
  int const drawn = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(settings().drawn), c.size()));
  Op const op_a = options.op_a, op_b = options.op_b;
  auto const k = static_cast<std::int64_t>(transposes(op_a) ? a.extent(0) : a.extent(1));
  auto const distance = make_vector<double, Space>(drawn);
  Kokkos::parallel_for("pantile::perf::check_product", Kokkos::TeamPolicy<Space>(exec, drawn, Kokkos::AUTO),
                       DrawnElements<Space, ViewA, ViewB, ViewC>{a, b, c, transposes(op_a), transposes(op_b),
                                                                 conjugates(op_a), conjugates(op_b), k, distance});
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, distance);
  double allowed = 0;
  if constexpr (!is_integer_v<T>) {
    allowed = 8 * likely_error<T>(k, options.precision);
  }
  double worst = 0;
  int wrong = 0;
  for (int s = 0; s < drawn; ++s) {
    worst = std::max(worst, found(s));
    wrong += found(s) <= allowed ? 0 : 1;
  }
  Verdict verdict;
  verdict.figures["error"] = worst;
  if (wrong > 0) {
    verdict.wrong = std::to_string(wrong) + " of " + std::to_string(drawn) + " drawn elements are wrong";
  }
  return verdict;
}

/// \brief  All of C beside another result R of the same product: ||C - R|| / ||R|| within four times likely_error, and
///         no element further off than eight times that. Products rounded to TF32 or bfloat16 on the way do not pass
///         but by permission.
template <class Space, class ViewC, class ViewR>
Verdict check_against(Space const& exec, ViewC const& c, ViewR const& r, std::int64_t k, Precision precision) {
  using T = typename ViewC::non_const_value_type;
  Range<Space> const elements(exec, 0, static_cast<std::int64_t>(c.size()));
  Sums sums;
  Kokkos::parallel_reduce("pantile::perf::check_against", elements, Distance<ViewC, ViewR>{c, r}, sums);
  Verdict verdict;
  if constexpr (is_integer_v<T>) {
    if (sums.a > 0)
      verdict.wrong =
          std::to_string(static_cast<std::int64_t>(sums.a)) + " elements differ from Pantile's first result";
  } else {
    double const relative = std::sqrt(sums.a / sums.b);
    double const likely = likely_error<T>(k, precision);
    std::int64_t far = 0;
    double const root_mean_square = std::sqrt(sums.b / static_cast<double>(c.size()));
    Kokkos::parallel_reduce("pantile::perf::far_elements", elements,
                            FarElements<ViewC, ViewR>{c, r, 8 * likely * root_mean_square}, far);
    verdict.figures["difference"] = relative;
    if (far > 0) verdict.wrong = std::to_string(far) + " elements are far from Pantile's first result";
    if (!(relative <= 4 * likely)) verdict.wrong = "differs from Pantile's first result by " + std::to_string(relative);
  }
  return verdict;
}

}  // namespace pantile::perf
