// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Random operands on the host, the same on every run, and comparison of results.

#include <support/contest.hpp>
#include <support/random.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace pantile::perf {

template <class T>
using HostMatrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// Integers of all bit patterns; reals between -1 and 1; complex numbers of two such.
template <class T>
T random_value(std::uint64_t i) {
  std::uint64_t const bits = random_bits(i);
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits >> 32);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(static_cast<double>(bits >> 40) * 0x1p-23 - 1.0);
  } else {
    using Real = typename T::value_type;
    return T(random_value<Real>(2 * i), random_value<Real>(2 * i + 1));
  }
}

/// Fill a matrix of any strides; matrices of other seeds get other values.
template <class View>
void fill_random(View const& matrix, std::uint64_t seed) {
  using T = typename View::value_type;
  auto const cols = static_cast<std::int64_t>(matrix.extent(1));
  Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>> const rows(0, matrix.extent(0));
  Kokkos::parallel_for("pantile::perf::fill_random", rows, [=](std::int64_t i) {
    auto const first = (seed << 40) + static_cast<std::uint64_t>(i * cols);
    for (std::int64_t j = 0; j < cols; ++j) matrix(i, j) = random_value<T>(first + static_cast<std::uint64_t>(j));
  });
  Kokkos::fence();
}

template <class T>
HostMatrix<T> random_host_matrix(std::string const& label, std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  HostMatrix<T> matrix(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), rows, cols);
  fill_random(matrix, seed);
  return matrix;
}

/// A value that no right result has: NaN, or the largest integer.
template <class T>
T spoilt() {
  if constexpr (std::is_integral_v<T>) {
    return std::numeric_limits<T>::max();
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::quiet_NaN();
  } else {
    return T(std::numeric_limits<typename T::value_type>::quiet_NaN());
  }
}

template <class View>
void spoil(View const& matrix) {
  Kokkos::deep_copy(matrix, spoilt<typename View::value_type>());
}

/// \brief  Number of (i, j) for which `differs(i, j)`.
template <class Differs>
std::int64_t count_if(std::int64_t rows, std::int64_t cols, Differs const& differs) {
  std::int64_t total = 0;
  Kokkos::parallel_reduce(
      "pantile::perf::count_if", Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>>(0, rows),
      [=](std::int64_t i, std::int64_t& count) {
        for (std::int64_t j = 0; j < cols; ++j) count += differs(i, j) ? 1 : 0;
      },
      total);
  return total;
}

/// "" for zero, else how many of how many elements are wrong.
inline std::string wrong_elements(std::int64_t wrong, std::int64_t rows, std::int64_t cols) {
  if (wrong == 0) return "";
  return std::to_string(wrong) + " of " + std::to_string(rows) + " x " + std::to_string(cols) + " elements are wrong";
}

/// Elements further apart than `bound`, or not comparable.
template <class ViewA, class ViewB>
std::string compare(ViewA const& a, ViewB const& b, double bound) {
  auto const rows = static_cast<std::int64_t>(a.extent(0)), cols = static_cast<std::int64_t>(a.extent(1));
  return wrong_elements(count_if(rows, cols,
                                 [=](std::int64_t i, std::int64_t j) {
                                   using Kokkos::abs;
                                   if constexpr (std::is_integral_v<typename ViewA::value_type>) {
                                     return a(i, j) != b(i, j);
                                   } else {
                                     return !(static_cast<double>(abs(a(i, j) - b(i, j))) <= bound);
                                   }
                                 }),
                        rows, cols);
}

}  // namespace pantile::perf
